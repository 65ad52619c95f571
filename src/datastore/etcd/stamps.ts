import { randomUUID } from 'node:crypto';
import { formatTime } from '../../support/time.ts';

/** What an object gets when it is made, as ports: in etcd the client gives it, not a server. */
export interface Stamps {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** A new random UUID in its usual spelling. */
  readonly uid: () => string;
}

/** The real ones. */
export const SYSTEM_STAMPS: Stamps = { now: () => Date.now(), uid: () => randomUUID() };

/** Creation time as Go prints it: whole seconds. */
export function creationTime(stamps: Stamps): string {
  return formatTime(Math.floor(stamps.now() / 1000) * 1000);
}

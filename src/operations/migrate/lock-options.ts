import type { OperationContext } from '../context.ts';

/** How to lock. */
export interface LockOptions {
  /** Who locks, such as `alice@laptop`. */
  readonly by: string;
  readonly reason?: string | undefined;
  /** Identity of a cluster that has none yet: 32 hexadecimal digits. */
  readonly newGuid: string;
  readonly isMismatchAllowed: boolean;
}

/** How to unlock. */
export interface UnlockOptions {
  /** Unlocks although something is not finished, or the other side is not locked. */
  readonly isForced: boolean;
  /** The other side of a migration, where there is one. */
  readonly other?: OperationContext | undefined;
  readonly isMismatchAllowed: boolean;
}

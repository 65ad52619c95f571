import { randomUUID } from 'node:crypto';
import { hostname, userInfo } from 'node:os';

/** Who runs the command, such as `alice@laptop`. */
export function userAndHost(): string {
  return `${userName()}@${hostname()}`;
}

/** A new identity for a cluster that has none: 32 hexadecimal digits. */
export function newClusterGuid(): string {
  return randomUUID().replaceAll('-', '');
}

/** The number of the user where it has no name, as in many containers. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}

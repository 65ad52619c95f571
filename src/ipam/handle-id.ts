/**
 * A handle id as it is compared: cut at the first control character, because old migrations wrote the id, a line break
 * and an interface name.
 */
export function comparableHandleId(id: string): string {
  for (let i = 0; i < id.length; i++) {
    const code = id.charCodeAt(i);
    if (code < 32 || code === 127) return id.slice(0, i);
  }
  return id;
}

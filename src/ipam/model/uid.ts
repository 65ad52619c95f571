const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * The UID under which Calico's library shows an object of the `crd.projectcalico.org` group: the bits of each byte
 * reversed, but for the version and variant bytes. It is its own inverse; anything that is no lower-case UUID stays.
 * Source: Calico libcalico-go lib/backend/k8s conversion of UIDs.
 */
export function shownUid(uid: string): string {
  if (!UUID.test(uid)) return uid;
  const bytes = uid.replaceAll('-', '').match(/../g) ?? [];
  const shown = bytes.map((byte, i) => (i === 6 || i === 8 ? byte : reverseBits(byte))).join('');
  return shown.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function reverseBits(byte: string): string {
  let [left, reversed] = [Number.parseInt(byte, 16), 0];
  for (let bit = 0; bit < 8; bit++) {
    reversed = (reversed << 1) | (left & 1);
    left >>= 1;
  }
  return reversed.toString(16).padStart(2, '0');
}

/**
 * Beginnings of the handle ids under which nodes hold their tunnel addresses; the node's name follows.
 * Source: Calico node/pkg/allocateip, one handle for each kind of tunnel and family.
 */
const PREFIXES = [
  'ipip-tunnel-addr-',
  'vxlan-tunnel-addr-',
  'vxlan-v6-tunnel-addr-',
  'wireguard-tunnel-addr-',
  'wireguard-v6-tunnel-addr-',
] as const;

/** A handle id taken apart. */
export interface TunnelHandle {
  readonly prefix: string;
  /** Everything behind the prefix. */
  readonly node: string;
}

/** The parts of the id of a tunnel's handle; undefined for any other id. No prefix is the beginning of another one. */
export function tunnelHandleOf(id: string): TunnelHandle | undefined {
  const prefix = PREFIXES.find((candidate) => id.startsWith(candidate));
  return prefix === undefined ? undefined : { prefix, node: id.slice(prefix.length) };
}

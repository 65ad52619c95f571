import type { CarrierFact, OwnerFact } from './facts.ts';

/** `1 address`, `3 addresses`; the plural adds an s unless given. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** `a`, `a and b`, `a, b and c`; beyond the limit the rest is counted: `a, b and 7 more`. */
export function listed(words: readonly string[], limit = 5): string {
  const shown = words.length > limit ? words.slice(0, limit) : words;
  const rest = words.length - shown.length;
  const all = rest > 0 ? [...shown, `${rest} more`] : shown;
  return all.length < 2 ? (all[0] ?? '') : `${all.slice(0, -1).join(', ')} and ${all.at(-1) ?? ''}`;
}

/** Text of a cluster in quotes, with control characters made visible. */
export function quoted(text: string): string {
  return JSON.stringify(text);
}

/** `namespace/name`, or the name alone. */
export function qualified(namespace: string | undefined, name: string): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** A carrier in words: `pod shop/cart-0 on node alder`. */
export function carrierText(carrier: CarrierFact): string {
  const terminating = carrier.terminating ? 'terminating ' : '';
  if (carrier.kind === 'Node') return `${terminating}node ${carrier.name}`;
  const noun = { Pod: 'pod', WorkloadEndpoint: 'endpoint', Service: 'Service' }[carrier.kind];
  const where = carrier.node === undefined ? '' : ` on node ${carrier.node}`;
  return `${terminating}${noun} ${qualified(carrier.namespace, carrier.name)}${where}`;
}

/** Carriers in words, joined. */
export function carriersText(carriers: readonly CarrierFact[]): string {
  return listed(carriers.map(carrierText));
}

/** Who an allocation was made for, in words; undefined when it records nobody. */
export function ownerText(owner: OwnerFact): string | undefined {
  const { namespace, node } = owner;
  if (owner.pod !== undefined) return `pod ${qualified(namespace, owner.pod)}`;
  if (owner.machine !== undefined) return `virtual machine ${qualified(namespace, owner.machine)}`;
  if (owner.service !== undefined) return `Service ${qualified(namespace, owner.service)}`;
  // Without a handle the node is only a guess: that of the block.
  if (owner.use === 'Tunnel' && node !== undefined && owner.handle !== undefined)
    return `a tunnel of node ${node}`;
  if (owner.handle !== undefined) return `handle ${quoted(owner.handle)}`;
  return undefined;
}

/** Tail of a remedy where reads at different moments can feign the finding. */
export const LOOK_AGAIN = 'In a dump made kind by kind, take a fresh look first.';

/** An owner of blocks: a host, or a virtual owner such as the load-balancer controller. */
export interface BlockOwner {
  /** `host`, `virtual`, or a type of a later release. */
  readonly type: string;
  readonly host: string;
}

/** The owner that the affinity text of a block names; undefined for none, and for a text that names nobody. */
export function ownerOfAffinity(affinity: string | undefined): BlockOwner | undefined {
  const colon = affinity?.indexOf(':') ?? -1;
  if (affinity === undefined || colon < 1 || colon === affinity.length - 1) return undefined;
  return { type: affinity.slice(0, colon), host: affinity.slice(colon + 1) };
}

/** Whether two owners are one. */
export function isSameOwner(a: BlockOwner, b: BlockOwner): boolean {
  return a.type === b.type && a.host === b.host;
}

/** Whether the owner is a host, which some node must be. */
export function isHost(owner: BlockOwner): boolean {
  return owner.type === 'host';
}

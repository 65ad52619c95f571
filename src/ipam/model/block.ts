import type { Cidr } from '../../net/cidr.ts';
import type { RowHead } from './resource.ts';

/** One attribute record of a block: who holds the ordinals that point at it. */
export interface BlockAttribute {
  /** Raw handle id; undefined when IPAM recorded none, which differs from an empty one. */
  readonly handle?: string | undefined;
  /** Active owner attributes (`secondary`), empty when absent. */
  readonly owner: Readonly<Record<string, string>>;
  /** Owner on the other side of a live migration. */
  readonly alternateOwner?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds since 1970; set while the address is cooling. */
  readonly releasedAt?: number | undefined;
}

/** An IPAMBlock as read. Damage inside stays as it is: `allocations` may be short, hold wild numbers, or lack entries. */
export interface BlockRow extends RowHead {
  readonly kind: 'IPAMBlock';
  readonly cidr: Cidr;
  /** Raw affinity text such as `host:node-a`; undefined when none (an empty text reads as none). */
  readonly affinity?: string | undefined;
  /** Milliseconds since 1970. */
  readonly claimedAt?: number | undefined;
  /** Index into `attributes` per ordinal, null when free, NaN for an entry that is no integer. */
  readonly allocations: readonly (number | null)[];
  /** Queue of free ordinals; NaN for an entry that is no integer. */
  readonly unallocated: readonly number[];
  readonly attributes: readonly BlockAttribute[];
  readonly sequenceNumber: bigint;
  /** Sequence number per ordinal; an ordinal without one reads as 0. */
  readonly sequenceNumbers: ReadonlyMap<number, bigint>;
  readonly deleted: boolean;
  /** Fields whose type was wrong and that were read as empty, as sentence parts; damage for `invalid-block`. */
  readonly misreadings: readonly string[];
}

/** Handle id of the addresses that a Windows node reserves; compared without regard to case. */
export const WINDOWS_HANDLE = 'windows-reserved-ipam-handle';

/** Affinity text of the blocks of the load-balancer controller. */
export const LOAD_BALANCER_AFFINITY = 'virtual:load-balancer';

/** Node name in a `host:` affinity text, when there is one; `virtual:` and damaged texts name no node. */
export function nodeOfAffinity(affinity: string | undefined): string | undefined {
  return affinity?.startsWith('host:') && affinity.length > 5 ? affinity.slice(5) : undefined;
}

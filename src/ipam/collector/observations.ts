import { formatAddress } from '../../net/address.ts';
import { formatCidr } from '../../net/cidr.ts';
import type { Allocation } from '../state/cluster-state.ts';
import type { Suspect } from './classify-node.ts';
import type { CollectorScan, EmptyBlock, ScanContext } from './collector-scan.ts';

/** A leak as it was first seen. */
export interface SeenLeak {
  readonly address: string;
  readonly block: string;
  /** Raw handle id. */
  readonly handle: string;
  readonly sequenceNumber: bigint;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** An empty block as it was first seen. */
export interface SeenEmpty {
  readonly block: string;
  readonly node: string;
  /** Revision of its row: any write in between starts the time anew. */
  readonly revision: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** What earlier looks have seen, by identity. */
export interface Observations {
  readonly leaks: ReadonlyMap<string, SeenLeak>;
  readonly emptyBlocks: ReadonlyMap<string, SeenEmpty>;
}

/** Nothing seen yet. */
export const NO_OBSERVATIONS: Observations = { leaks: new Map(), emptyBlocks: new Map() };

/** What a look makes of the earlier ones. */
export interface Observed {
  /** What to remember; whatever is no longer seen is forgotten. */
  readonly observations: Observations;
  /** Identities of leaks that were seen for longer than their grace period. */
  readonly confirmedLeaks: ReadonlySet<string>;
  /** Identities of blocks that were empty for longer than the grace period. */
  readonly confirmedEmpty: ReadonlySet<string>;
}

/**
 * Adds a look to the earlier ones. An allocation is the same one only with its handle and sequence number, a block only
 * with its revision; a grace period of 0 confirms nothing on a live node.
 */
export function observe(before: Observations, scan: CollectorScan, context: ScanContext): Observed {
  const leaks = new Map<string, SeenLeak>();
  const confirmedLeaks = new Set<string>();
  for (const suspect of scan.suspects) {
    const id = leakIdentity(suspect.allocation);
    const seen = seenLeak(suspect.allocation, sinceOf(before.leaks.get(id), context));
    leaks.set(id, seen);
    if (isConfirmed(suspect, seen.since, context)) confirmedLeaks.add(id);
  }
  const emptyBlocks = new Map<string, SeenEmpty>();
  const confirmedEmpty = new Set<string>();
  for (const empty of scan.emptyBlocks) {
    const id = emptyIdentity(empty);
    const seen = seenEmpty(empty, sinceOf(before.emptyBlocks.get(id), context));
    emptyBlocks.set(id, seen);
    if (isOver(seen.since, context.leakGraceMs, context)) confirmedEmpty.add(id);
  }
  return { observations: { leaks, emptyBlocks }, confirmedLeaks, confirmedEmpty };
}

/** What makes an allocation the very same one. */
export function leakIdentity({ address, block, handle, sequenceNumber }: Allocation): string {
  return `${formatAddress(address)} ${formatCidr(block.cidr)} ${sequenceNumber} ${handle ?? ''}`;
}

/** The identity of a leak that was read from a file. */
export function seenLeakIdentity(seen: Omit<SeenLeak, 'since'>): string {
  return `${seen.address} ${seen.block} ${seen.sequenceNumber} ${seen.handle}`;
}

/** What makes an empty block the same one, untouched. */
export function emptyIdentity({ block, node }: EmptyBlock): string {
  return `${formatCidr(block.cidr)} ${block.revision ?? ''} ${node}`;
}

/** The identity of an empty block that was read from a file. */
export function seenEmptyIdentity({ block, revision, node }: Omit<SeenEmpty, 'since'>): string {
  return `${block} ${revision} ${node}`;
}

function seenLeak({ address, block, handle, sequenceNumber }: Allocation, since: number): SeenLeak {
  return {
    address: formatAddress(address),
    block: formatCidr(block.cidr),
    handle: handle ?? '',
    sequenceNumber,
    since,
  };
}

function seenEmpty({ block, node }: EmptyBlock, since: number): SeenEmpty {
  return { block: formatCidr(block.cidr), node, revision: block.revision ?? '', since };
}

/** A time in the future is one of a clock that was wrong, and proves nothing. */
function sinceOf(seen: { readonly since: number } | undefined, { now }: ScanContext): number {
  return seen === undefined || seen.since > now ? now : seen.since;
}

function isConfirmed({ graceMs }: Suspect, since: number, context: ScanContext): boolean {
  return graceMs === undefined || isOver(since, graceMs, context);
}

function isOver(since: number, graceMs: number, { now }: ScanContext): boolean {
  return graceMs > 0 && now - since > graceMs;
}

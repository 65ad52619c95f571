import { AddressSet } from '../../net/address-set.ts';
import { type Address, compareAddresses } from '../../net/address.ts';
import type { Cidr } from '../../net/cidr.ts';
import type { BlockRow } from '../model/block.ts';
import type { PoolRow } from '../model/pool.ts';
import type { ReservationRow } from '../model/reservation.ts';
import type { TrackedAllocation } from './allocation.ts';
import { PoolIndex } from './attribution.ts';
import {
  type BlockCounts,
  type PoolCounts,
  copyCounts,
  countBlockAddresses,
  emptyCounts,
  staleBlocks,
} from './counts.ts';
import { type Reference, ReferenceIndex } from './references.ts';
import { reservedSet } from './reserved-set.ts';
import { shareOut } from './share-out.ts';
import { TrackedBlock, TrackedBlocks, withoutInner } from './tracked-blocks.ts';

/** Counts of a pool as the tracker gives them out. */
export interface PoolSummary extends PoolCounts {
  /** Blocks of hosts that were not named as nodes; 0 until nodes are named. */
  readonly staleAffinity: number;
}

/** A block and its counts. */
export interface TrackedBlockCounts extends BlockCounts {
  readonly cidr: Cidr;
}

/** Stands for the blocks outside every pool where a read takes a pool's name. */
export const OUTSIDE_POOLS = Symbol('outside pools');

/** A pool's name, or {@link OUTSIDE_POOLS}. */
export type PoolName = string | typeof OUTSIDE_POOLS;

interface TrackedPool {
  readonly row: PoolRow;
  readonly counts: PoolCounts;
}

/**
 * Keeps the counts of a cluster current while its rows change, so that a read is a look-up and a copy. Every change
 * may be repeated; order of changes never shows. Lists are in address order, and nothing that is returned is shared.
 * Source: Calico libcalico-go lib/ipam/accounting tracker.go.
 */
export class UsageTracker {
  readonly #pools = new Map<string, TrackedPool>();
  readonly #outside = emptyCounts();
  readonly #blocks = new TrackedBlocks();
  readonly #reservations = new Map<string, ReservationRow>();
  readonly #references = new ReferenceIndex();
  #reserved = AddressSet.empty;
  #index = new PoolIndex<PoolRow>([]);
  #nodes: Set<string> | undefined;

  /** Adds a block or replaces the one of the same prefix; a soft-deleted one only removes it. */
  setBlock(row: BlockRow): void {
    if (row.deleted) {
      this.removeBlock(row.cidr);
      return;
    }
    const block = new TrackedBlock(row);
    block.owner = this.#index.ownerOf(block.cidr);
    block.reserve(this.#reserved);
    this.#change([row.cidr], () => {
      this.#blocks.delete(row.cidr);
      this.#blocks.add(block);
    });
  }

  removeBlock(cidr: Cidr): void {
    if (this.#blocks.get(cidr)) this.#change([cidr], () => this.#blocks.delete(cidr));
  }

  /** Adds a pool or replaces the one of the same name; blocks move to whatever pool owns them then. */
  setPool(row: PoolRow): void {
    this.#changePool(row.key.name, row);
  }

  removePool(name: string): void {
    if (this.#pools.has(name)) this.#changePool(name, undefined);
  }

  setReservation(row: ReservationRow): void {
    this.#reservations.set(row.key.name, row);
    this.#reserve();
  }

  removeReservation(name: string): void {
    if (this.#reservations.delete(name)) this.#reserve();
  }

  /** Names nodes that exist. The first call, even without a name, starts the count of stale affinities. */
  addNodes(names: Iterable<string>): void {
    this.#nodes ??= new Set();
    for (const name of names) this.#nodes.add(name);
  }

  /** Takes a node's name back; nothing before the first {@link addNodes}. */
  removeNode(name: string): void {
    this.#nodes?.delete(name);
  }

  /** Adds references; they decide what is leaked and change no count. */
  addReferences(references: Iterable<Reference>): void {
    this.#references.add(references);
  }

  removeReferences(references: Iterable<Reference>): void {
    this.#references.remove(references);
  }

  /** Counts of a pool, undefined when there is none of that name. */
  summarize(pool: PoolName): PoolSummary | undefined {
    const counts = this.#countsOf(pool);
    if (!counts) return undefined;
    const nodes = this.#nodes;
    const staleAffinity = nodes ? staleBlocks(counts, (name) => nodes.has(name)) : 0;
    return { ...copyCounts(counts), staleAffinity };
  }

  /** Names of the pools, sorted. */
  poolNames(): readonly string[] {
    return [...this.#pools.keys()].sort();
  }

  /** Assigned allocations in the pool's blocks. */
  allocations(pool: PoolName): readonly TrackedAllocation[] {
    const assigned = this.#ownBlocks(pool).flatMap((block) =>
      block.allocations.filter(({ cooling }) => !cooling),
    );
    return assigned.sort((a, b) => compareAddresses(a.address, b.address));
  }

  /** Assigned allocations that no reference accounts for. */
  unreferenced(pool: PoolName): readonly TrackedAllocation[] {
    return this.allocations(pool).filter((allocation) => !this.#references.accountsFor(allocation));
  }

  /** Blocks of the pool with their counts. */
  blocks(pool: PoolName): readonly TrackedBlockCounts[] {
    return this.#ownBlocks(pool).map((block) => this.#blockCounts(block));
  }

  /** Counts of any tracked block. */
  block(cidr: Cidr): TrackedBlockCounts | undefined {
    const block = this.#blocks.get(cidr);
    return block && this.#blockCounts(block);
  }

  /** Name of the pool that owns a tracked block. */
  poolOf(cidr: Cidr): string | undefined {
    return this.#blocks.get(cidr)?.owner?.key.name;
  }

  /** Whether the pool lost against an overlapping one; false for an unknown pool. */
  hasLostOverlap(pool: string): boolean {
    return this.#pools.get(pool)?.row.lostOverlap ?? false;
  }

  /** Whether any block, whoever owns it, lies in the prefix. */
  hasBlocksWithin(cidr: Cidr): boolean {
    return this.#blocks.hasWithin(cidr);
  }

  /** References to an address, sorted by referrer. */
  references(address: Address): readonly Reference[] {
    return this.#references.of(address);
  }

  /** Every reference, by address, then by referrer. */
  allReferences(): readonly Reference[] {
    return this.#references.all();
  }

  #countsOf(pool: PoolName): PoolCounts | undefined {
    return pool === OUTSIDE_POOLS ? this.#outside : this.#pools.get(pool)?.counts;
  }

  #ownBlocks(pool: PoolName): readonly TrackedBlock[] {
    if (pool === OUTSIDE_POOLS) return this.#blocks.all.filter(({ owner }) => owner === undefined);
    const row = this.#pools.get(pool)?.row;
    return row ? this.#blocks.within(row.cidr).filter(({ owner }) => owner === row) : [];
  }

  #blockCounts({ cidr, allocations }: TrackedBlock): TrackedBlockCounts {
    return { cidr, ...countBlockAddresses(cidr, allocations, this.#reserved) };
  }

  #changePool(name: string, row: PoolRow | undefined): void {
    const old = this.#pools.get(name)?.row;
    const regions = [old, row].flatMap((pool) => (pool ? [pool.cidr] : []));
    this.#change(regions, () => {
      if (row) this.#pools.set(name, { row, counts: this.#startCounts(row) });
      else this.#pools.delete(name);
      this.#index = new PoolIndex([...this.#pools.values()].map((pool) => pool.row));
      for (const cidr of withoutInner(regions)) {
        for (const block of this.#blocks.within(cidr))
          block.owner = this.#index.ownerOf(block.cidr);
      }
    });
  }

  #startCounts(row: PoolRow): PoolCounts {
    const counts = emptyCounts(row);
    counts.reserved = this.#reserved.sizeWithin(row.cidr);
    return counts;
  }

  /** Recounts what a change of the reservations touches, and nothing when no address came or went. */
  #reserve(): void {
    const reserved = reservedSet(this.#reservations.values());
    const changed = reserved.symmetricDifference(this.#reserved);
    this.#reserved = reserved;
    if (changed.isEmpty) return;
    for (const { row, counts } of this.#pools.values()) {
      if (changed.overlaps(row.cidr)) counts.reserved = reserved.sizeWithin(row.cidr);
    }
    const touched = this.#blocks.all.filter((block) => changed.overlaps(block.cidr));
    this.#change(
      touched.map((block) => block.cidr),
      () => {
        for (const block of touched) block.reserve(reserved);
      },
    );
  }

  /**
   * Makes a change that concerns blocks in the regions: their counts are taken out as they were put in, and put in
   * anew. A block that overlaps others is counted together with them, so a region grows to the widest block around it.
   */
  #change(regions: readonly Cidr[], change: () => void): void {
    const spans = withoutInner(regions.map((cidr) => this.#blocks.span(cidr)));
    const countSpans = (sign: 1 | -1) => {
      for (const span of spans) {
        shareOut(this.#blocks.within(span), sign, (owner) =>
          this.#countsOf(owner?.key.name ?? OUTSIDE_POOLS),
        );
      }
    };
    countSpans(-1);
    change();
    countSpans(1);
  }
}

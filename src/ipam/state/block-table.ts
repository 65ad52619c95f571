import { type Address, addressAt } from '../../net/address.ts';
import { type Cidr, compareCidrs } from '../../net/cidr.ts';
import type { AllocationKind } from '../accounting/kind.ts';
import { type BlockAttribute, type BlockRow, nodeOfAffinity } from '../model/block.ts';
import type { ResourceKey, Revision } from '../model/resource.ts';
import { isWellFormed, validateBlock } from '../validate-block.ts';
import { AllocationColumns, type KeptTexts } from './allocation-columns.ts';
import { AllocationView } from './allocation-view.ts';
import type { Allocation, Block } from './cluster-state.ts';
import type { StringTable } from './string-table.ts';

/** A block and where its allocations stand in the columns. */
class BlockRecord implements Block {
  index = -1;
  readonly key: ResourceKey;
  readonly revision: Revision | undefined;
  readonly cidr: Cidr;
  readonly affinity: string | undefined;
  readonly node: string | undefined;
  readonly createdAt: number | undefined;
  readonly defects: readonly string[];
  /** First position in the allocation columns. */
  readonly first: number;
  inUse = 0;
  cooling = 0;

  constructor(row: BlockRow, defects: readonly string[], first: number) {
    this.key = row.key;
    this.revision = row.revision;
    this.cidr = row.cidr;
    this.affinity = row.affinity;
    this.node = nodeOfAffinity(row.affinity);
    this.createdAt = row.createdAt;
    this.defects = defects;
    this.first = first;
  }
}

/** Blocks and their well-formed allocations; the views are made on demand. */
export class BlockTable {
  private readonly columns: AllocationColumns;
  private readonly records: BlockRecord[] = [];
  /** First position of each block in the columns, by the block's index once sorted. */
  private firsts: Int32Array = new Int32Array(0);

  constructor(strings: StringTable, kept: KeptTexts) {
    this.columns = new AllocationColumns(strings, kept);
  }

  /** Takes a block that is not soft-deleted; keeps nothing of the row but its key and prefix. */
  add(row: BlockRow): void {
    const { defects, size } = validateBlock(row);
    const record = new BlockRecord(row, defects, this.columns.length);
    const slots = Math.min(size, row.allocations.length);
    for (let ordinal = 0; ordinal < slots; ordinal++) {
      const index = row.allocations[ordinal];
      if (index === null || !isWellFormed(row, ordinal, size)) continue;
      const attribute = row.attributes[index as number] as BlockAttribute;
      this.columns.push(row, ordinal, attribute);
      record.inUse++;
      if (attribute.releasedAt !== undefined) record.cooling++;
    }
    this.records.push(record);
  }

  /** Blocks in their final order, each knowing its position. Call once, when all rows are in. */
  sorted(): readonly Block[] {
    this.records.sort((a, b) => compareCidrs(a.cidr, b.cidr) || (a.key.name < b.key.name ? -1 : 1));
    for (const [index, record] of this.records.entries()) record.index = index;
    this.firsts = Int32Array.from(this.records, ({ first }) => first);
    return this.records;
  }

  /** Positions of a block's allocations: from, to (exclusive). */
  range(block: Block): readonly [number, number] {
    const first = this.firsts[block.index] as number;
    return [first, first + block.inUse];
  }

  /** Position of the allocation at an ordinal of the block, or -1. */
  find(block: Block, ordinal: number): number {
    let low = this.firsts[block.index] as number;
    const end = low + block.inUse;
    let high = end;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.columns.ordinalAt(middle) < ordinal) low = middle + 1;
      else high = middle;
    }
    return low < end && this.columns.ordinalAt(low) === ordinal ? low : -1;
  }

  /** The view of one allocation. */
  view(block: Block, position: number): Allocation {
    return new AllocationView(this.columns, block, position);
  }

  /** Number of allocations, cooling included. */
  get allocationCount(): number {
    return this.columns.length;
  }

  addressAt(block: Block, position: number): Address {
    return addressAt(block.cidr.base, this.columns.ordinalAt(position));
  }

  kindAt(position: number): AllocationKind {
    return this.columns.kindAt(position);
  }

  isCooling(position: number): boolean {
    return this.columns.isCooling(position);
  }

  /** Number of the cut handle id in the string table, or -1. */
  handleNumber(position: number): number {
    return this.columns.handleNumber(position);
  }
}

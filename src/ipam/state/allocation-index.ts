import { compareAddresses } from '../../net/address.ts';
import { containsCidr } from '../../net/cidr.ts';
import type { BlockTable } from './block-table.ts';
import type { Allocation, Block } from './cluster-state.ts';
import type { StringTable } from './string-table.ts';

/** Lists of positions per handle: the first position per number of a cut handle id, then the next position; -1 for none. */
interface Chains {
  readonly first: Int32Array;
  readonly next: Int32Array;
}

/** Finds allocations in order of address and by handle. */
export class AllocationIndex {
  private readonly table: BlockTable;
  private readonly blocks: readonly Block[];
  private readonly strings: StringTable;
  /** Block of each position, as its index. */
  private readonly blockOf: Int32Array;
  /** Made when a handle is first asked for, which many commands never do. */
  private chainsOfHandles: Chains | undefined;
  /** Positions by address; undefined while blocks do not overlap and block order is address order. */
  private readonly order: Int32Array | undefined;

  constructor(table: BlockTable, blocks: readonly Block[], strings: StringTable) {
    this.table = table;
    this.blocks = blocks;
    this.strings = strings;
    this.blockOf = new Int32Array(table.allocationCount);
    for (const block of blocks) {
      const [from, to] = table.range(block);
      this.blockOf.fill(block.index, from, to);
    }
    this.order = hasOverlap(blocks) ? this.sortedPositions() : undefined;
  }

  private sortedPositions(): Int32Array {
    const order = Int32Array.from(
      { length: this.table.allocationCount },
      (_, position) => position,
    );
    const address = (position: number) => this.table.addressAt(this.blockAt(position), position);
    return order.sort(
      (a, b) =>
        compareAddresses(address(a), address(b)) ||
        (this.blockOf[a] as number) - (this.blockOf[b] as number),
    );
  }

  private get chains(): Chains {
    return (this.chainsOfHandles ??= this.chainHandles());
  }

  /** Goes backwards, so that each chain comes out in order of address. */
  private chainHandles(): Chains {
    const first = new Int32Array(this.strings.size).fill(-1);
    const next = new Int32Array(this.table.allocationCount).fill(-1);
    const positions = [...this.positions()];
    for (let at = positions.length - 1; at >= 0; at--) {
      const position = positions[at] as number;
      const handle = this.table.handleNumber(position);
      if (handle < 0) continue;
      next[position] = first[handle] as number;
      first[handle] = position;
    }
    return { first, next };
  }

  private blockAt(position: number): Block {
    return this.blocks[this.blockOf[position] as number] as Block;
  }

  private *positions(): Generator<number> {
    if (this.order) {
      yield* this.order;
      return;
    }
    for (const block of this.blocks) {
      const [from, to] = this.table.range(block);
      for (let position = from; position < to; position++) yield position;
    }
  }

  /** All, by address, then in block order. */
  *all(): Generator<Allocation> {
    if (this.order) {
      for (const position of this.order) yield this.table.view(this.blockAt(position), position);
      return;
    }
    // Not one generator in another: every rule goes through all of them.
    for (const block of this.blocks) {
      const [from, to] = this.table.range(block);
      for (let position = from; position < to; position++) yield this.table.view(block, position);
    }
  }

  /** Those of one block, by ordinal. */
  *in(block: Block): Generator<Allocation> {
    const [from, to] = this.table.range(block);
    for (let position = from; position < to; position++) yield this.table.view(block, position);
  }

  /** Those of one handle, given the number of its cut id, by address. */
  ofHandle(handleNumber: number): readonly Allocation[] {
    const found: Allocation[] = [];
    const { first, next } = this.chains;
    let position = handleNumber < 0 ? -1 : (first[handleNumber] ?? -1);
    while (position >= 0) {
      found.push(this.table.view(this.blockAt(position), position));
      position = next[position] as number;
    }
    return found;
  }

  /** Whether any of one handle, given the number of its cut id, is assigned and not cooling. */
  isAssigned(handleNumber: number): boolean {
    const { first, next } = this.chains;
    let position = handleNumber < 0 ? -1 : (first[handleNumber] ?? -1);
    while (position >= 0 && this.table.isCooling(position)) position = next[position] as number;
    return position >= 0;
  }

  /** Distinct cut handle ids but those of Windows-reserved addresses, sorted. */
  handleIds(): readonly string[] {
    const ids: string[] = [];
    const { first } = this.chains;
    for (let handle = 0; handle < first.length; handle++) {
      const position = first[handle] as number;
      if (position >= 0 && this.table.kindAt(position) !== 'WindowsReserved')
        ids.push(this.strings.text(handle));
    }
    return ids.sort();
  }
}

/** Whether any two blocks share addresses; they are sorted, so a wider one stands before those inside it. */
function hasOverlap(blocks: readonly Block[]): boolean {
  let widest: Block | undefined;
  for (const block of blocks) {
    if (widest && containsCidr(widest.cidr, block.cidr)) return true;
    widest = block;
  }
  return false;
}

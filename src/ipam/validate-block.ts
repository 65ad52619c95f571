import { cidrSize } from '../net/cidr.ts';
import type { BlockRow } from './model/block.ts';

/** Blocks beyond this many addresses are damaged by their size alone: no list of slots can be that long. */
const LARGEST_BLOCK = 1n << 20n;

/** How many ordinals a defect names before it only counts them. */
const NAMED_ORDINALS = 8;

/** What is structurally wrong with a block, and which of its ordinals are soundly allocated. */
export interface BlockValidation {
  /** All defects as sentence parts, in a fixed order; empty for a sound block. */
  readonly defects: readonly string[];
  /** Number of addresses, or 0 when it is beyond every real block. */
  readonly size: number;
}

/**
 * Whether the slot is well-formed: it points to an attribute that exists and lies inside the block.
 * Anything else that is not null is malformed and not allocated.
 */
export function isWellFormed(block: BlockRow, ordinal: number, size: number): boolean {
  const index = block.allocations[ordinal];
  return (
    typeof index === 'number' && index >= 0 && index < block.attributes.length && ordinal < size
  );
}

/**
 * Checks the structural rules of a block and lists every defect.
 * Source: the consistency rules of Calico's libcalico-go lib/ipam block; upstream's own check stops at the first.
 */
export function validateBlock(block: BlockRow): BlockValidation {
  const exact = cidrSize(block.cidr);
  const size = exact > LARGEST_BLOCK ? 0 : Number(exact);
  const defects = [...block.misreadings];
  if (BigInt(block.allocations.length) !== exact) {
    defects.push(`it records ${block.allocations.length} slots for ${exact} addresses`);
  }
  const slots = new SlotScan(block, size);
  defects.push(...slots.defects());
  return { defects, size };
}

/** One pass over the slots and the free queue of a block. */
class SlotScan {
  private readonly wild: number[] = [];
  private readonly dangling: number[] = [];
  private readonly unreferenced: number[] = [];
  private readonly outside: number[] = [];
  private readonly repeated: number[] = [];
  private readonly both: number[] = [];
  private readonly neither: number[] = [];
  private unreadableFree = 0;

  constructor(block: BlockRow, size: number) {
    this.scanAllocations(block);
    this.scanFree(block, size);
  }

  private scanAllocations({ allocations, attributes }: BlockRow): void {
    const referenced = new Uint8Array(attributes.length);
    // Every address of a cluster passes here, most of them in code that has not been optimised.
    for (let ordinal = 0; ordinal < allocations.length; ordinal++) {
      const index = allocations[ordinal] as number | null;
      if (index === null) continue;
      if (!Number.isInteger(index)) this.wild.push(ordinal);
      else if (index < 0 || index >= attributes.length) this.dangling.push(ordinal);
      else referenced[index] = 1;
    }
    for (const [index, seen] of referenced.entries()) if (!seen) this.unreferenced.push(index);
  }

  private scanFree({ allocations, unallocated }: BlockRow, size: number): void {
    const slots = Math.min(size, allocations.length);
    const free = new Uint8Array(slots);
    for (const ordinal of unallocated) {
      if (!Number.isInteger(ordinal)) this.unreadableFree++;
      else if (ordinal < 0 || ordinal >= size) this.outside.push(ordinal);
      else if (ordinal < slots && free[ordinal]) this.repeated.push(ordinal);
      else if (ordinal < slots) free[ordinal] = 1;
    }
    this.compare(allocations, free);
  }

  private compare(allocations: BlockRow['allocations'], free: Uint8Array): void {
    for (let ordinal = 0; ordinal < free.length; ordinal++) {
      const allocated = allocations[ordinal] !== null;
      if (allocated && free[ordinal]) this.both.push(ordinal);
      else if (!allocated && !free[ordinal]) this.neither.push(ordinal);
    }
  }

  defects(): string[] {
    return [
      named(
        this.wild,
        'slot',
        'of the allocations',
        'holds no whole number',
        'hold no whole numbers',
      ),
      named(
        this.dangling,
        'slot',
        '',
        'points to an attribute that does not exist',
        'point to attributes that do not exist',
      ),
      named(this.unreferenced, 'attribute', '', 'belongs to no slot', 'belong to no slot'),
      this.unreadableFree
        ? `the free list has ${this.unreadableFree} entries that are no whole number`
        : '',
      named(this.outside, 'free ordinal', '', 'lies outside the block', 'lie outside the block'),
      named(
        this.repeated,
        'ordinal',
        '',
        'stands more than once in the free list',
        'stand more than once in the free list',
      ),
      named(this.both, 'ordinal', '', 'is both allocated and free', 'are both allocated and free'),
      named(
        this.neither,
        'ordinal',
        '',
        'is neither allocated nor free',
        'are neither allocated nor free',
      ),
    ].filter((text) => text !== '');
  }
}

/** `ordinal 3 is …`, `ordinals 3, 5 and 40 more are …`, or nothing. */
function named(
  ...[numbers, noun, where, one, many]: [readonly number[], string, string, string, string]
): string {
  if (numbers.length === 0) return '';
  const place = where ? ` ${where}` : '';
  if (numbers.length === 1) return `${noun} ${numbers[0]}${place} ${one}`;
  const shown = numbers.slice(0, NAMED_ORDINALS).join(', ');
  const more =
    numbers.length > NAMED_ORDINALS ? ` and ${numbers.length - NAMED_ORDINALS} more` : '';
  return `${noun}s ${shown}${more}${place} ${many}`;
}

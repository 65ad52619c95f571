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
  defects.push(...new SlotScan(block, size).defects());
  return { defects, size };
}

/** What can be wrong with the slots and the free list, in the order in which it is told, and how it is. */
const SENTENCES = {
  wild: saying('slot', {
    one: 'of the allocations holds no whole number',
    many: 'of the allocations hold no whole numbers',
  }),
  dangling: saying('slot', {
    one: 'points to an attribute that does not exist',
    many: 'point to attributes that do not exist',
  }),
  unreferenced: saying('attribute', { one: 'belongs to no slot', many: 'belong to no slot' }),
  unreadable: ({ length }: readonly number[]) =>
    length === 1
      ? 'the free list has 1 entry that is no whole number'
      : `the free list has ${length} entries that are no whole numbers`,
  outside: saying('free ordinal', {
    one: 'lies outside the block',
    many: 'lie outside the block',
  }),
  repeated: saying('ordinal', {
    one: 'stands more than once in the free list',
    many: 'stand more than once in the free list',
  }),
  both: saying('ordinal', {
    one: 'is both allocated and free',
    many: 'are both allocated and free',
  }),
  neither: saying('ordinal', {
    one: 'is neither allocated nor free',
    many: 'are neither allocated nor free',
  }),
};

type Problem = keyof typeof SENTENCES;

const PROBLEMS = Object.keys(SENTENCES) as Problem[];
const NO_DEFECTS: readonly string[] = [];

/**
 * One pass over the slots and the free list of a block. Every address of a cluster passes here, most of them in code that has
 * not been optimised, so there is no iterator and, for a sound block, no list.
 */
class SlotScan {
  private found: Map<Problem, number[]> | undefined;

  constructor(block: BlockRow, size: number) {
    this.scanAllocations(block);
    this.scanFree(block, size);
  }

  private scanAllocations({ allocations, attributes }: BlockRow): void {
    const referenced = new Uint8Array(attributes.length);
    for (let ordinal = 0; ordinal < allocations.length; ordinal++) {
      const index = allocations[ordinal] as number | null;
      if (index === null) continue;
      if (!Number.isInteger(index)) this.note('wild', ordinal);
      else if (index < 0 || index >= attributes.length) this.note('dangling', ordinal);
      else referenced[index] = 1;
    }
    for (let index = 0; index < referenced.length; index++)
      if (!referenced[index]) this.note('unreferenced', index);
  }

  private scanFree({ allocations, unallocated }: BlockRow, size: number): void {
    const slots = Math.min(size, allocations.length);
    const free = new Uint8Array(slots);
    for (let position = 0; position < unallocated.length; position++) {
      const ordinal = unallocated[position] as number;
      if (!Number.isInteger(ordinal)) this.note('unreadable', position);
      else if (ordinal < 0 || ordinal >= size) this.note('outside', ordinal);
      else if (ordinal < slots && free[ordinal]) this.note('repeated', ordinal);
      else if (ordinal < slots) free[ordinal] = 1;
    }
    this.compare(allocations, free);
  }

  private compare(allocations: BlockRow['allocations'], free: Uint8Array): void {
    for (let ordinal = 0; ordinal < free.length; ordinal++) {
      const allocated = allocations[ordinal] !== null;
      if (allocated && free[ordinal]) this.note('both', ordinal);
      else if (!allocated && !free[ordinal]) this.note('neither', ordinal);
    }
  }

  private note(problem: Problem, number: number): void {
    this.found ??= new Map();
    const numbers = this.found.get(problem);
    if (numbers) numbers.push(number);
    else this.found.set(problem, [number]);
  }

  defects(): readonly string[] {
    const { found } = this;
    if (found === undefined) return NO_DEFECTS;
    return PROBLEMS.flatMap((problem) => {
      const numbers = found.get(problem);
      return numbers ? [SENTENCES[problem](numbers)] : [];
    });
  }
}

/** Says `ordinal 3 is …`, or `ordinals 3, 5 and 40 more are …`. */
function saying(
  noun: string,
  { one, many }: { readonly one: string; readonly many: string },
): (numbers: readonly number[]) => string {
  return (numbers) => {
    if (numbers.length === 1) return `${noun} ${numbers[0]} ${one}`;
    const shown = numbers.slice(0, NAMED_ORDINALS).join(', ');
    const more =
      numbers.length > NAMED_ORDINALS ? ` and ${numbers.length - NAMED_ORDINALS} more` : '';
    return `${noun}s ${shown}${more} ${many}`;
  };
}

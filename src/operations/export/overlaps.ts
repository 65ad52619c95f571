import type { Refusal } from '../../ipam/migration/refusal.ts';
import { shownName } from '../../ipam/migration/refusal.ts';
import { type Cidr, cidrsOverlap, compareCidrs } from '../../net/cidr.ts';

/** A block that is carried. */
export interface PlacedBlock {
  readonly name: string;
  readonly cidr: Cidr;
}

/** Each block that shares addresses with an earlier one; an import takes no such file. */
export function overlapsAmong(blocks: readonly PlacedBlock[]): readonly Refusal[] {
  const refusals: Refusal[] = [];
  let outer: PlacedBlock | undefined;
  // Two prefixes overlap only if one contains the other, which then stands right before all that it contains.
  for (const block of blocks.toSorted((a, b) => compareCidrs(a.cidr, b.cidr))) {
    if (outer === undefined || !cidrsOverlap(outer.cidr, block.cidr)) {
      outer = block;
      continue;
    }
    refusals.push({
      code: 'overlapping-blocks',
      subject: `IPAMBlock ${shownName(block.name)}`,
      reason: `shares addresses with block ${shownName(outer.name)}`,
    });
  }
  return refusals;
}

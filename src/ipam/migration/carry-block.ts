import { formatCidr } from '../../net/cidr.ts';
import type { BlockRow } from '../model/block.ts';
import { blockEntryName, cidrToName } from '../model/names.ts';
import type { CarriedRow, CarryRules } from './carry-row.ts';
import { healBlock } from './heal-block.ts';
import { leaveOutOfBlock } from './leave-out.ts';
import { mapBlock } from './map-block.ts';
import { cutHandleId } from './node-names.ts';

/** What became of a block. */
export interface CarriedBlock {
  /** Undefined when it goes with the node that is left out. */
  readonly row: CarriedRow | undefined;
  readonly freedAddresses: number;
  /** Whether it stays without its owner, who is left out. */
  readonly isDisowned: boolean;
}

/** A block in the form of today and under the names of Kubernetes; notes what handles lose with it. */
export function carryBlock(row: BlockRow, { names, lowered, tally }: CarryRules): CarriedBlock {
  const cidr = formatCidr(row.cidr);
  const { value, freedHandles, freedAddresses, isDisowned } = leaveOutOfBlock(
    healBlock(row.object ?? {}, row, tally),
    names,
  );
  if (value === undefined) {
    lowered.dropBlock(cidr);
    return { row: undefined, freedAddresses, isDisowned };
  }
  for (const handle of freedHandles) lowered.free(cutHandleId(handle), cidr);
  return {
    row: {
      entryName: blockEntryName(row.cidr),
      objectName: cidrToName(row.cidr),
      value: mapBlock(value, names),
    },
    freedAddresses,
    isDisowned,
  };
}

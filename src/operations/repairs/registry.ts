import { affinityOfMissingNode } from './affinity-of-missing-node.ts';
import { affinityWithoutBlock } from './affinity-without-block.ts';
import { blockWithoutAffinity } from './block-without-affinity.ts';
import { conflictingAffinity } from './conflicting-affinity.ts';
import { cooldownExpired } from './cooldown-expired.ts';
import { handleCountMismatch } from './handle-count-mismatch.ts';
import { missingHandle } from './missing-handle.ts';
import { missingHostLabel } from './missing-host-label.ts';
import { orphanHandle } from './orphan-handle.ts';
import type { Repair } from './repair.ts';
import { softDeletedObject } from './soft-deleted-object.ts';
import { stuckAffinity } from './stuck-affinity.ts';
import { unownedEmptyBlock } from './unowned-empty-block.ts';

/** Every repair, in the order in which findings about one block or handle are remedied. */
export const REPAIRS: readonly Repair[] = [
  softDeletedObject,
  handleCountMismatch,
  missingHandle,
  orphanHandle,
  conflictingAffinity,
  missingHostLabel,
  stuckAffinity,
  blockWithoutAffinity,
  affinityOfMissingNode,
  affinityWithoutBlock,
  unownedEmptyBlock,
  cooldownExpired,
];

/** The repair of a code; undefined for a finding that only another command, or nobody but a person, can remedy. */
export function repairOf(code: string): Repair | undefined {
  return REPAIRS.find((repair) => repair.code === code);
}

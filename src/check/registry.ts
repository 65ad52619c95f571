import { addressConflict } from './rules/address-conflict.ts';
import { addressOutsidePools } from './rules/address-outside-pools.ts';
import { affinityOfMissingNode } from './rules/affinity-of-missing-node.ts';
import { affinityWithoutBlock } from './rules/affinity-without-block.ts';
import { blockOutsidePools } from './rules/block-outside-pools.ts';
import { blockOverlap } from './rules/block-overlap.ts';
import { blockSizeMismatch } from './rules/block-size-mismatch.ts';
import { blockWithoutAffinity } from './rules/block-without-affinity.ts';
import { configurationConflict } from './rules/configuration-conflict.ts';
import { conflictingAffinity } from './rules/conflicting-affinity.ts';
import { cooldownExpired } from './rules/cooldown-expired.ts';
import { disallowedUse } from './rules/disallowed-use.ts';
import { handleCountMismatch } from './rules/handle-count-mismatch.ts';
import { invalidBlock } from './rules/invalid-block.ts';
import { leakedAddress } from './rules/leaked-address.ts';
import { malformedHandleId } from './rules/malformed-handle-id.ts';
import { missingHandle } from './rules/missing-handle.ts';
import { missingHostLabel } from './rules/missing-host-label.ts';
import { nodeAttributeMismatch } from './rules/node-attribute-mismatch.ts';
import { orphanHandle } from './rules/orphan-handle.ts';
import { overlappingPools } from './rules/overlapping-pools.ts';
import { releaseTimeInFuture } from './rules/release-time-in-future.ts';
import { reservedAddressInUse } from './rules/reserved-address-in-use.ts';
import { softDeletedObject } from './rules/soft-deleted-object.ts';
import { staleEndpoint } from './rules/stale-endpoint.ts';
import { stuckAffinity } from './rules/stuck-affinity.ts';
import { tunnelAddressBorrowed } from './rules/tunnel-address-borrowed.ts';
import { unallocatedAddress } from './rules/unallocated-address.ts';
import { unknownAllocationType } from './rules/unknown-allocation-type.ts';
import { unownedEmptyBlock } from './rules/unowned-empty-block.ts';
import { unreadableObject } from './rules/unreadable-object.ts';
import type { Rule } from './rule.ts';

/** Every check rule, in the order of the output. Codes never change meaning; a retired one stays and yields nothing. */
export const RULES: readonly Rule[] = [
  leakedAddress,
  unallocatedAddress,
  addressOutsidePools,
  addressConflict,
  orphanHandle,
  missingHandle,
  handleCountMismatch,
  invalidBlock,
  unreadableObject,
  blockOverlap,
  blockSizeMismatch,
  blockOutsidePools,
  unownedEmptyBlock,
  affinityOfMissingNode,
  affinityWithoutBlock,
  blockWithoutAffinity,
  conflictingAffinity,
  stuckAffinity,
  nodeAttributeMismatch,
  tunnelAddressBorrowed,
  staleEndpoint,
  unknownAllocationType,
  softDeletedObject,
  overlappingPools,
  disallowedUse,
  reservedAddressInUse,
  configurationConflict,
  missingHostLabel,
  malformedHandleId,
  releaseTimeInFuture,
  cooldownExpired,
];

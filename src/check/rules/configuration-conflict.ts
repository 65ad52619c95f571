import type { IpamConfigRow } from '../../ipam/model/ipam-config.ts';
import { rule } from '../rule.ts';

/** Which cross-field rule is broken. */
type Conflict = 'block-limit-without-strict-affinity' | 'no-new-blocks-without-strict-affinity';

type ConflictFacts = {
  readonly conflict: Conflict;
  readonly strictAffinity: boolean;
  readonly autoAllocateBlocks: boolean;
  readonly maxBlocksPerHost: number;
};

/** An IPAM configuration whose fields contradict each other. */
export const configurationConflict = rule<ConflictFacts>({
  code: 'configuration-conflict',
  severity: 'error',
  needs: ['IPAMConfig'],
  title: 'A contradiction in the IPAM configuration',
  why: 'Without strict affinity a node that has no free address borrows one from a block of another node. A limit of blocks per host, or no new blocks at all, then does not limit what a node uses; the commands of Calico refuse to set such a pair, but a manifest can.',
  remedy:
    'Turn strict affinity on with `ipamctl ipam configure --strictaffinity=true`, or take back the other field.',
  *evaluate({ config }) {
    if (config === undefined || config.strictAffinity) return;
    for (const conflict of conflictsOf(config)) {
      const { strictAffinity, autoAllocateBlocks, maxBlocksPerHost } = config;
      yield {
        subject: { kind: 'IPAMConfig', name: config.key.name },
        facts: { conflict, strictAffinity, autoAllocateBlocks, maxBlocksPerHost },
      };
    }
  },
  reason: ({ conflict, maxBlocksPerHost }) =>
    conflict === 'block-limit-without-strict-affinity'
      ? `The configuration limits a host to ${maxBlocksPerHost} ${maxBlocksPerHost === 1 ? 'block' : 'blocks'}, but strict affinity is off, so hosts at the limit borrow from others.`
      : 'The configuration turns both strict affinity and the allocation of new blocks off, so hosts can only borrow from others.',
  remedyFor: ({ conflict }) =>
    conflict === 'block-limit-without-strict-affinity'
      ? 'Turn strict affinity on with `ipamctl ipam configure --strictaffinity=true`, or take the limit away with `ipamctl ipam configure --max-blocks-per-host=0`.'
      : 'Turn strict affinity on with `ipamctl ipam configure --strictaffinity=true`, or let hosts have blocks again with `ipamctl ipam configure --auto-allocate-blocks=true`.',
});

/**
 * Cross-field rules that a configuration without strict affinity breaks.
 * Source: Calico libcalico-go lib/ipam SetIPAMConfig.
 */
function conflictsOf({ autoAllocateBlocks, maxBlocksPerHost }: IpamConfigRow): readonly Conflict[] {
  const conflicts: Conflict[] = [];
  if (maxBlocksPerHost > 0) conflicts.push('block-limit-without-strict-affinity');
  if (!autoAllocateBlocks) conflicts.push('no-new-blocks-without-strict-affinity');
  return conflicts;
}

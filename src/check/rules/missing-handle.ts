import type { ClusterState } from '../../ipam/state/cluster-state.ts';
import { formatAddress } from '../../net/address.ts';
import { formatCidr } from '../../net/cidr.ts';
import type { RuleFinding } from '../finding.ts';
import { mayHaveUnreadableRow } from '../claims.ts';
import { blockReferencesOf, distinct, handleReferences } from '../rests-on.ts';
import { rule } from '../rule.ts';
import { LOOK_AGAIN, listed, quoted } from '../wording.ts';

type MissingFacts = {
  readonly handle: string;
  /** Addresses that name it, in order. */
  readonly addresses: readonly string[];
  /** Blocks of those addresses. */
  readonly blocks: readonly string[];
};

/** A handle that allocations name and that does not exist. */
export const missingHandle = rule<MissingFacts>({
  code: 'missing-handle',
  severity: 'error',
  needs: ['IPAMBlock', 'IPAMHandle'],
  title: 'An allocation names a handle that does not exist',
  why: 'Calico finds the addresses of a workload through its handle. Without the row it releases nothing when the workload goes away, and the addresses leak.',
  remedy:
    'Create the row from the blocks with `ipamctl ipam repair --only missing-handle`. It is no reason to release an address that is in use.',
  *evaluate(state) {
    for (const handleId of unknownHandleIds(state)) {
      if (mayHaveUnreadableRow(state, handleId)) continue;
      yield findingOf(state, handleId);
    }
  },
  reason: ({ handle, addresses }) =>
    `${addresses.length === 1 ? 'Allocation' : 'Allocations'} ${listed(addresses)} ${
      addresses.length === 1 ? 'names' : 'name'
    } handle ${quoted(handle)}, which has no row, so Calico will not find ${
      addresses.length === 1 ? 'it' : 'them'
    } to release.`,
  remedyFor: () =>
    `Create the row with \`ipamctl ipam repair --only missing-handle\`; leave the addresses as they are. ${LOOK_AGAIN}`,
  restsOn: ({ facts }, state) => {
    const blocks = state
      .allocationsOf(facts.handle)
      .flatMap(({ block }) => blockReferencesOf(state, block.cidr));
    return distinct([...handleReferences(state, facts.handle), ...blocks]);
  },
});

/** Ids that assigned addresses name and no row has, sorted. */
function unknownHandleIds(state: ClusterState): readonly string[] {
  const unknown = new Set<string>();
  for (const { cooling, kind, handleId } of state.allocations()) {
    if (cooling || kind === 'WindowsReserved' || handleId === undefined) continue;
    if (!state.hasHandle(handleId)) unknown.add(handleId);
  }
  return [...unknown].sort();
}

function findingOf(state: ClusterState, handleId: string): RuleFinding<MissingFacts> {
  const allocations = state.allocationsOf(handleId).filter(({ cooling }) => !cooling);
  return {
    subject: {
      kind: 'IPAMHandle',
      name: state.keys.handle(handleId).name,
      handle: handleId,
      address:
        allocations.length === 1 && allocations[0]
          ? formatAddress(allocations[0].address)
          : undefined,
      node: allocations[0]?.node,
    },
    facts: {
      handle: handleId,
      addresses: allocations.map(({ address }) => formatAddress(address)),
      blocks: [...new Set(allocations.map(({ block }) => formatCidr(block.cidr)))],
    },
  };
}

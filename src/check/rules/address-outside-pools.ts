import { PoolIndex } from '../../ipam/accounting/attribution.ts';
import type { ResourceKind } from '../../ipam/model/resource.ts';
import type { ClusterState } from '../../ipam/state/cluster-state.ts';
import { formatAddress } from '../../net/address.ts';
import { accountableCarriers, assignedAt, notLoaded } from '../evidence.ts';
import { type CarrierFact, carrierFact } from '../facts.ts';
import { addressReferences } from '../rests-on.ts';
import { rule } from '../rule.ts';
import { carriersText } from '../wording.ts';

type OutsideFacts = {
  readonly address: string;
  readonly carriers: readonly CarrierFact[];
  /** A disabled pool around the address. */
  readonly disabledPool?: string | undefined;
};

/** A workload that uses an address of which no enabled pool knows. */
export const addressOutsidePools = rule<OutsideFacts>({
  code: 'address-outside-pools',
  severity: 'warning',
  needs: ['IPPool', 'IPAMBlock'],
  title: 'In use outside every enabled pool',
  why: 'A live workload carries an address that lies in no enabled pool and that no block has allocated. That is normal beside another network plugin; otherwise the pool was disabled or deleted too early, and Calico no longer looks after the address.',
  remedy:
    'Nothing, when another plugin gives these addresses. Otherwise recreate the workload so that it gets an address of an enabled pool.',
  missingFor: missingWorkloads,
  *evaluate(state) {
    const enabled = new PoolIndex(state.pools.filter((pool) => !pool.disabled));
    const all = new PoolIndex(state.pools);
    for (const address of state.carriedAddresses()) {
      if (enabled.poolsOf(address).length > 0 || assignedAt(state, address).length > 0) continue;
      const carriers = accountableCarriers(state, address).filter(({ use }) => use === 'Workload');
      if (carriers.length === 0) continue;
      const text = formatAddress(address);
      const node = carriers.length === 1 ? carriers[0]?.node : undefined;
      yield {
        subject: { kind: 'Address', name: text, address: text, node },
        facts: {
          address: text,
          carriers: carriers.map(carrierFact),
          disabledPool: all
            .poolsOf(address)
            .map(({ key }) => key.name)
            .sort()[0],
        },
      };
    }
  },
  reason: ({ address, carriers, disabledPool }) =>
    `${address} is carried by ${carriersText(carriers)}, but it is not allocated and lies ${
      disabledPool === undefined ? 'in no pool' : `in disabled pool ${disabledPool} only`
    }.`,
  remedyFor: ({ disabledPool }) =>
    disabledPool === undefined
      ? 'Nothing needs to be done if another network plugin gave the address; otherwise recreate the pod so that it gets an address of an enabled pool.'
      : `Recreate the pod so that it gets an address of an enabled pool, and keep pool ${disabledPool} until nothing uses it any more.`,
  // Where no pool has the address there is no block that could have been missed.
  restsOn: ({ facts }, state) =>
    facts.disabledPool === undefined ? [] : addressReferences(state, facts.address),
});

function missingWorkloads(state: ClusterState): readonly ResourceKind[] {
  return notLoaded(state, ['Pod']);
}

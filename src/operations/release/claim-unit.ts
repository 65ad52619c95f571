import { type BlockOwner, isHost, ownerOfAffinity } from '../../ipam/block-owner.ts';
import type { ResourceKey } from '../../ipam/model/resource.ts';
import type { PlanItem } from '../../ipam/plan.ts';
import { selects } from '../../ipam/selector/evaluate.ts';
import { attributeBlock } from '../../ipam/accounting/attribution.ts';
import type { Block, ClusterState } from '../../ipam/state/cluster-state.ts';
import { formatCidr } from '../../net/cidr.ts';
import type { AddressUnit } from './release-plan.ts';

/** A block that becomes empty and that its pool does not give to its node any more. */
export interface ClaimUnit {
  readonly item: PlanItem;
  readonly owner: BlockOwner;
  readonly block: ResourceKey;
  readonly affinity: ResourceKey | undefined;
}

/**
 * Blocks that the release empties and whose node the pool does not select any more: they are given up, as Calico does
 * after a release. With a cooldown nothing is empty at once.
 * Source: Calico libcalico-go lib/ipam, check of the node selector after a release.
 */
export function deselectedClaims(
  state: ClusterState,
  units: readonly AddressUnit[],
  cooldownSeconds: number,
): readonly ClaimUnit[] {
  if (cooldownSeconds > 0) return [];
  const released = Map.groupBy(units, ({ block }) => block.name);
  return [...released].flatMap(([name, own]) => {
    const block = state.blocks.find(({ key }) => key.name === name);
    return block && isEmptied(state, block, own.length) ? claimOf(state, block) : [];
  });
}

function isEmptied(state: ClusterState, block: Block, released: number): boolean {
  let others = 0;
  for (const { kind, cooling } of state.allocationsIn(block))
    if (cooling || kind !== 'WindowsReserved') others++;
  return others === released;
}

function claimOf(state: ClusterState, block: Block): readonly ClaimUnit[] {
  const owner = ownerOfAffinity(block.affinity);
  if (!owner || !isHost(owner) || !isDeselected(state, block, owner.host)) return [];
  const row = state
    .affinitiesOf(block.cidr)
    .find(({ type, host }) => type === owner.type && host === owner.host);
  if (!row) return [];
  const cidr = formatCidr(block.cidr);
  return [
    {
      item: {
        action: 'delete-block',
        subject: { kind: 'IPAMBlock', name: block.key.name, cidr, node: owner.host },
        precondition: 'empty, and still of this node',
        reason: `its pool does not select node ${owner.host} any more, and nothing is left in it`,
      },
      owner,
      block: block.key,
      affinity: row.key,
    },
  ];
}

function isDeselected(state: ClusterState, block: Block, host: string): boolean {
  const node = state.node(host);
  const pool = attributeBlock(
    state.pools.filter(({ disabled }) => !disabled),
    block.cidr,
  );
  return (
    node !== undefined && pool !== undefined && selects(pool.nodeSelector, node.labels) === false
  );
}

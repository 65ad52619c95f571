import type { PoolRow } from '../../ipam/model/pool.ts';
import { cidrsOverlap, compareCidrs, formatCidr } from '../../net/cidr.ts';
import { rule } from '../rule.ts';

type PoolFact = {
  readonly name: string;
  readonly cidr: string;
  readonly disabled: boolean;
  /** Calico marked it as the one that lost, and takes nothing from it. */
  readonly lost: boolean;
};

type OverlapFacts = {
  /** Both pools by address, the wider one first where they begin together. */
  readonly pools: readonly PoolFact[];
  /** What they share: the narrower of the two. */
  readonly shared: string;
};

/** Two pools that share addresses. */
export const overlappingPools = rule<OverlapFacts>({
  code: 'overlapping-pools',
  severity: 'warning',
  needs: ['IPPool'],
  title: 'Two pools share addresses',
  why: 'Blocks of the shared range belong to the narrower pool, whatever pool they were cut from, so selectors, limits and counts of the other one are not what they seem.',
  remedy:
    'Keep one pool of the range: move the workloads to it, then disable and delete the other one.',
  *evaluate(state) {
    const pools = [...state.pools].sort((a, b) => compareCidrs(a.cidr, b.cidr));
    for (const [position, pool] of pools.entries()) {
      for (let next = position + 1; next < pools.length; next++) {
        const other = pools[next] as PoolRow;
        // In this order what a prefix overlaps stands right behind it.
        if (!cidrsOverlap(pool.cidr, other.cidr)) break;
        yield {
          subject: { kind: 'IPPool', name: pool.key.name, cidr: formatCidr(pool.cidr) },
          facts: { pools: [pool, other].map(poolFact), shared: formatCidr(other.cidr) },
        };
      }
    }
  },
  reason: ({ pools, shared }) =>
    `Pools ${pools.map((pool) => `${pool.name} (${pool.cidr}${stateOf(pool)})`).join(' and ')} share the addresses of ${shared}.`,
  remedyFor: ({ pools }) => {
    const lost = pools.find((pool) => pool.lost) ?? pools.find((pool) => pool.disabled);
    return lost === undefined
      ? 'Keep one of the two: disable the other one, recreate the pods that use it, then delete it.'
      : `Delete pool ${lost.name} once \`ipamctl ipam show --pool ${lost.name}\` shows no address of it in use.`;
  },
});

function poolFact({ key, cidr, disabled, lostOverlap }: PoolRow): PoolFact {
  return { name: key.name, cidr: formatCidr(cidr), disabled, lost: lostOverlap };
}

function stateOf(pool: PoolFact): string {
  if (pool.lost) return ', refused by Calico for the overlap';
  return pool.disabled ? ', disabled' : '';
}

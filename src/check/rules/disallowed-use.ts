import { PoolIndex } from '../../ipam/accounting/attribution.ts';
import type { PoolRow } from '../../ipam/model/pool.ts';
import { formatAddress } from '../../net/address.ts';
import { type OwnerFact, allocationSubject, ownerFact } from '../facts.ts';
import { rule } from '../rule.ts';
import { listed } from '../wording.ts';

type UseFacts = OwnerFact & {
  readonly address: string;
  readonly pool: string;
  readonly allowedUses: readonly string[];
};

/** Uses that a pool can allow or forbid; reserved slots and unknown types are no uses. */
const USES: ReadonlySet<string> = new Set(['Workload', 'Tunnel', 'LoadBalancer']);

/** An address that serves a use which its pool does not allow. */
export const disallowedUse = rule<UseFacts>({
  code: 'disallowed-use',
  severity: 'warning',
  needs: ['IPAMBlock', 'IPPool'],
  title: 'An address serves a use that its pool does not allow',
  why: "The pool's `allowedUses` was narrowed after the address was given out, or somebody asked for the address by name. It goes on working, but the pool is not used as it was meant to be.",
  remedy:
    'Allow the use in the pool (`allowedUses`), or recreate what carries the address so that it gets one of a pool that is meant for it.',
  *evaluate(state) {
    const pools = new PoolIndex(state.pools);
    const poolOfBlock = new Map<number, PoolRow | undefined>(
      state.blocks.map((block) => [block.index, pools.ownerOf(block.cidr)]),
    );
    for (const allocation of state.allocations()) {
      const pool = poolOfBlock.get(allocation.block.index);
      if (pool === undefined || allocation.cooling) continue;
      const { kind } = allocation;
      if (!USES.has(kind) || pool.allowedUses.includes(kind)) continue;
      yield {
        subject: allocationSubject(allocation),
        facts: {
          address: formatAddress(allocation.address),
          pool: pool.key.name,
          allowedUses: pool.allowedUses,
          ...ownerFact(allocation),
        },
      };
    }
  },
  reason: ({ address, use, pool, allowedUses }) =>
    `${address} serves use ${use}, but pool ${pool}, from which it comes, allows ${
      allowedUses.length > 0 ? `${listed(allowedUses)} only` : 'no use'
    }.`,
  remedyFor: ({ use, pool }) =>
    `Add ${use} to allowedUses of pool ${pool} if that is meant; otherwise recreate what carries the address, so that it gets one of another pool.`,
});

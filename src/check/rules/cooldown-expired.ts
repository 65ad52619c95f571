import { DEFAULT_IPAM_CONFIG } from '../../ipam/model/ipam-config.ts';
import { formatAddress } from '../../net/address.ts';
import { formatCidr } from '../../net/cidr.ts';
import { formatTime } from '../../support/time.ts';
import { coolingAllocations, coolingSubject, durationText } from '../cooling.ts';
import { rule } from '../rule.ts';

type ExpiredFacts = {
  readonly address: string;
  readonly block: string;
  /** RFC 3339. */
  readonly releasedAt: string;
  readonly coolingMs: number;
  readonly cooldownSeconds: number;
};

/** A cooling address that should have been returned by now. */
export const cooldownExpired = rule<ExpiredFacts>({
  code: 'cooldown-expired',
  severity: 'info',
  needs: ['IPAMBlock', 'IPAMConfig'],
  title: 'A cooldown is over, but the address was not returned',
  why: 'A released address is kept back for the configured cooldown and returned when somebody next writes its block. In a quiet block that may take long, and the address counts as in use until then.',
  remedy:
    'Nothing at once: the next assignment in the block, or the collector, returns it. `ipamctl ipam repair --only cooldown-expired` does it now.',
  *evaluate(state, { now }) {
    const { ipCooldownSeconds: cooldownSeconds } = state.config ?? DEFAULT_IPAM_CONFIG;
    for (const { allocation, releasedAt } of coolingAllocations(state)) {
      const coolingMs = now - releasedAt;
      if (coolingMs <= cooldownSeconds * 1000) continue;
      yield {
        subject: coolingSubject(allocation),
        facts: {
          address: formatAddress(allocation.address),
          block: formatCidr(allocation.block.cidr),
          releasedAt: formatTime(releasedAt),
          coolingMs,
          cooldownSeconds,
        },
      };
    }
  },
  reason: ({ address, releasedAt, coolingMs, cooldownSeconds }) =>
    `${address} was released at ${releasedAt}, ${durationText(coolingMs)} ago, and is still cooling down, although ${cooldownSeconds} seconds are configured.`,
  remedyFor: ({ block }) =>
    `Nothing needs to be done: the next assignment in block ${block} returns it. \`ipamctl ipam repair --only cooldown-expired\` does it now.`,
});

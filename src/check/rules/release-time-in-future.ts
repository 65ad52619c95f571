import { formatAddress } from '../../net/address.ts';
import { formatCidr } from '../../net/cidr.ts';
import { formatTime } from '../../support/time.ts';
import { coolingAllocations, coolingSubject, durationText } from '../cooling.ts';
import { rule } from '../rule.ts';

type FutureFacts = {
  readonly address: string;
  readonly block: string;
  /** RFC 3339. */
  readonly releasedAt: string;
  readonly aheadMs: number;
};

/** A cooling address whose release lies ahead. */
export const releaseTimeInFuture = rule<FutureFacts>({
  code: 'release-time-in-future',
  severity: 'warning',
  needs: ['IPAMBlock'],
  title: 'A release time lies in the future',
  why: 'The clock of whoever released the address was ahead, or the clock here is behind. The cooldown is counted from that time, so the address stays out of use for longer than configured.',
  remedy:
    'Set the clocks of the nodes right. The address returns by itself when the cooldown after that time is over.',
  *evaluate(state, { now }) {
    for (const { allocation, releasedAt } of coolingAllocations(state)) {
      if (releasedAt <= now) continue;
      yield {
        subject: coolingSubject(allocation),
        facts: {
          address: formatAddress(allocation.address),
          block: formatCidr(allocation.block.cidr),
          releasedAt: formatTime(releasedAt),
          aheadMs: releasedAt - now,
        },
      };
    }
  },
  reason: ({ address, releasedAt, aheadMs }) =>
    `${address} is cooling down since ${releasedAt}, which is ${durationText(aheadMs)} ahead of the clock here.`,
  remedyFor: () =>
    'Compare the clock of this machine with those of the nodes and set the wrong one right; the address returns by itself once its cooldown after that time is over.',
});

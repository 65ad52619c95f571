import type { Allocation, ClusterState } from '../ipam/state/cluster-state.ts';
import { compareAddresses, formatAddress } from '../net/address.ts';
import { formatCidr } from '../net/cidr.ts';
import type { FindingSubject } from './finding.ts';

/** A cooling allocation with its release time. */
export interface CoolingAllocation {
  readonly allocation: Allocation;
  /** Milliseconds since 1970. */
  readonly releasedAt: number;
}

/** Cooling allocations by address. Blocks without any cost nothing. */
export function coolingAllocations(state: ClusterState): readonly CoolingAllocation[] {
  const found: CoolingAllocation[] = [];
  for (const block of state.blocks) {
    if (block.cooling === 0) continue;
    for (const allocation of state.allocationsIn(block)) {
      const { cooling, releasedAt } = allocation;
      if (cooling && releasedAt !== undefined) found.push({ allocation, releasedAt });
    }
  }
  return found.sort((a, b) => compareAddresses(a.allocation.address, b.allocation.address));
}

/** Subject of a finding about a cooling address, which has neither handle nor node any more. */
export function coolingSubject(allocation: Allocation): FindingSubject {
  const address = formatAddress(allocation.address);
  return { kind: 'Address', name: address, address, cidr: formatCidr(allocation.block.cidr) };
}

/** A length of time in words, rounded down: `45 seconds`, `3 hours`, `2 days`. */
export function durationText(milliseconds: number): string {
  const units = [
    ['day', 86_400_000],
    ['hour', 3_600_000],
    ['minute', 60_000],
  ] as const;
  for (const [unit, length] of units) {
    // Below two units the next smaller one says more.
    if (milliseconds >= 2 * length) return `${Math.floor(milliseconds / length)} ${unit}s`;
  }
  const seconds = Math.floor(milliseconds / 1000);
  return `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
}

import { mayHaveUnreadableRow } from './claims.ts';
import { existingMachine } from './report.ts';
import type { ClusterState } from '../ipam/state/cluster-state.ts';
import type { Address } from '../net/address.ts';
import type { Finding } from './finding.ts';

/** Counts of a check. `problems`, `warnings` and `notes` count findings by severity. */
export interface CheckCounts {
  readonly pools: number;
  readonly blocks: number;
  /** Assigned and cooling addresses together. */
  readonly allocations: number;
  readonly cooling: number;
  /** Distinct addresses that something alive shows, by what shows them. */
  readonly inUse: {
    readonly tunnel: number;
    readonly workload: number;
    readonly service: number;
    readonly virtualMachine: number;
  };
  readonly handles: { readonly matched: number; readonly orphan: number; readonly missing: number };
  readonly problems: number;
  readonly warnings: number;
  readonly notes: number;
  /** Only codes that occur. */
  readonly byCode: Readonly<Record<string, number>>;
}

/** Counts what was looked at and what was found. Each address counts once, however many blocks hold it. */
export function summarize(state: ClusterState, findings: readonly Finding[]): CheckCounts {
  const bySeverity = (severity: string) =>
    findings.filter((finding) => finding.severity === severity).length;
  return {
    pools: state.pools.length,
    blocks: state.blocks.length,
    ...countAllocations(state),
    inUse: countCarried(state),
    handles: countHandles(state),
    problems: bySeverity('error'),
    warnings: bySeverity('warning'),
    notes: bySeverity('info'),
    byCode: countCodes(findings),
  };
}

function countAllocations(state: ClusterState): { allocations: number; cooling: number } {
  let [allocations, cooling] = [0, 0];
  let before: Address | undefined;
  let isCooling = false;
  for (const allocation of state.allocations()) {
    const isRepeated = allocation.address === before;
    if (!isRepeated) {
      before = allocation.address;
      isCooling = false;
      allocations++;
    }
    if (allocation.cooling && !isCooling) cooling++;
    isCooling ||= allocation.cooling;
  }
  return { allocations, cooling };
}

/** Distinct addresses that carriers show, each once per use. */
function countCarried(state: ClusterState): CheckCounts['inUse'] {
  const counts = { Tunnel: 0, Workload: 0, LoadBalancer: 0 };
  for (const address of state.carriedAddresses()) {
    const carriers = state.carriersOf(address);
    carriers.forEach(({ use }, at) => {
      const first = carriers.findIndex((carrier) => carrier.managed && carrier.use === use);
      if (first === at) counts[use]++;
    });
  }
  return {
    tunnel: counts.Tunnel,
    workload: counts.Workload,
    service: counts.LoadBalancer,
    virtualMachine: countMachineAddresses(state),
  };
}

function countMachineAddresses(state: ClusterState): number {
  const addresses = new Set<Address>();
  for (const allocation of state.allocations()) {
    if (!allocation.cooling && existingMachine(state, allocation) !== undefined)
      addresses.add(allocation.address);
  }
  return addresses.size;
}

/** Handle ids that have a row and an allocation, only a row, only an allocation; one whose row cannot be read is none of these. */
function countHandles(state: ClusterState): CheckCounts['handles'] {
  const rows = new Set<string>();
  for (const handle of state.handles()) rows.add(handle.handleId);
  let [matched, missing] = [0, 0];
  for (const id of state.referredHandleIds()) {
    if (rows.has(id)) matched++;
    else if (!mayHaveUnreadableRow(state, id)) missing++;
  }
  return {
    matched,
    orphan: rows.size - matched,
    missing: state.isLoaded('IPAMHandle') ? missing : 0,
  };
}

function countCodes(findings: readonly Finding[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { code } of findings) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

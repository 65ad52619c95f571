import { carrierLabel } from '../ipam/accounting/carrier-label.ts';
import {
  type JudgementContext,
  type Judgement,
  judgeAllocation,
} from '../ipam/accounting/liveness.ts';
import { machineOf } from '../ipam/accounting/ownership.ts';
import { shownUid } from '../ipam/model/uid.ts';
import type { Allocation, ClusterState } from '../ipam/state/cluster-state.ts';
import { formatAddress } from '../net/address.ts';
import { formatCidr } from '../net/cidr.ts';
import type { Finding } from './finding.ts';

/** One allocation, with calicoctl's keys; `block` is ours. */
export interface ReportAllocation {
  readonly ip: string;
  readonly handle?: string | undefined;
  readonly sequenceNumber: bigint;
  readonly pod?: string | undefined;
  readonly namespace?: string | undefined;
  readonly node?: string | undefined;
  readonly type?: string | undefined;
  readonly creationTimestamp?: string | undefined;
  /** False for what a release may take and for cooling addresses only. */
  readonly inUse: boolean;
  readonly borrowed?: true | undefined;
  readonly coolingDown?: true | undefined;
  readonly owners: readonly string[] | null;
  readonly block: string;
}

/** One handle that a release may take, with calicoctl's capital keys. */
export interface ReportHandle {
  readonly ID: string;
  readonly UID: string | null;
  readonly Revision: string;
}

/** The report file of `ipam check -o`: every key of calicoctl's, and ours. */
export interface CheckReport {
  readonly version: string;
  readonly clusterGUID: string;
  readonly datastoreLocked: boolean;
  readonly clusterInformationRevision: string;
  readonly clusterType: string;
  readonly allocations: Readonly<Record<string, readonly ReportAllocation[]>>;
  readonly leakedHandles?: readonly ReportHandle[] | undefined;
  /** Version of what ipamctl adds to the report. */
  readonly schemaVersion: 1;
  readonly tool: { readonly name: 'ipamctl'; readonly version: string };
  /** RFC 3339. */
  readonly checkedAt: string;
  readonly findings: readonly Finding[];
}

/** What the report needs beside the state. */
export interface ReportContext extends JudgementContext {
  readonly tool: { readonly name: 'ipamctl'; readonly version: string };
  readonly checkedAt: string;
  readonly findings: readonly Finding[];
  /** API group in use; the older one shows UIDs in another form. */
  readonly apiGroup: string | undefined;
}

/**
 * Makes the report that `ipam release --from-report` reads, ours and calicoctl's. Its `version` is the cluster's, since
 * calicoctl accepts reports of its own version only.
 */
export function makeReport(state: ClusterState, context: ReportContext): CheckReport {
  const information = state.clusterInformation;
  const leakedHandles = leakedHandlesOf(state, context);
  return {
    version: information?.calicoVersion || context.tool.version,
    clusterGUID: information?.clusterGUID ?? '',
    datastoreLocked: information?.datastoreReady === false,
    clusterInformationRevision: information?.revision ?? '',
    clusterType: information?.clusterType ?? '',
    allocations: allocationsOf(state, context),
    leakedHandles: leakedHandles.length > 0 ? leakedHandles : undefined,
    schemaVersion: 1,
    tool: context.tool,
    checkedAt: context.checkedAt,
    findings: context.findings,
  };
}

/** Every allocation in the form of the report, by address. */
export function* reportAllocations(
  state: ClusterState,
  context: JudgementContext & { readonly findings: readonly Finding[] },
): Generator<ReportAllocation> {
  const takeable = releasableAddresses(context.findings);
  for (const allocation of state.allocations())
    yield reportAllocation(state, allocation, { ...context, takeable });
}

/** Keys in the order of their text, as calicoctl writes them. */
function allocationsOf(
  state: ClusterState,
  context: ReportContext,
): Record<string, ReportAllocation[]> {
  const byAddress = new Map<string, ReportAllocation[]>();
  for (const allocation of reportAllocations(state, context)) {
    const same = byAddress.get(allocation.ip);
    if (same) same.push(allocation);
    else byAddress.set(allocation.ip, [allocation]);
  }
  return Object.fromEntries([...byAddress].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Address and block of each leak that stood the check: what was not confirmed or is kept is never offered. */
function releasableAddresses(findings: readonly Finding[]): ReadonlySet<string> {
  return new Set(
    findings
      .filter(({ code, releasable }) => code === 'leaked-address' && releasable)
      .map(({ subject }) => `${subject.address} ${subject.cidr}`),
  );
}

function reportAllocation(
  state: ClusterState,
  allocation: Allocation,
  context: JudgementContext & { readonly takeable: ReadonlySet<string> },
): ReportAllocation {
  const { cooling } = allocation;
  const ip = formatAddress(allocation.address);
  const block = formatCidr(allocation.block.cidr);
  const owners = ownersOf(state, allocation, judgeAllocation(state, allocation, context));
  const isWindows = allocation.kind === 'WindowsReserved' && !cooling;
  return {
    ip,
    handle: cooling || isWindows ? undefined : allocation.handle || undefined,
    sequenceNumber: allocation.sequenceNumber,
    pod: allocation.pod,
    namespace: allocation.namespace,
    node: allocation.node,
    type: allocation.type,
    creationTimestamp: allocation.timestamp,
    inUse: !cooling && !context.takeable.has(`${ip} ${block}`),
    borrowed: allocation.borrowed || undefined,
    coolingDown: cooling || undefined,
    owners: owners.length > 0 ? owners : null,
    block,
  };
}

/** Who holds the allocation, and where nothing alive shows it, why it counts as in use all the same. */
function ownersOf(
  state: ClusterState,
  allocation: Allocation,
  judgement: Judgement,
): readonly string[] {
  const labels = judgement.carriers.map(carrierLabel);
  if (allocation.cooling) return labels;
  if (judgement.why === 'windows-reserved') labels.push('Reserved for Windows');
  if (judgement.why === 'unknown-type') labels.push(`UnknownType(${allocation.type})`);
  const machine = existingMachine(state, allocation);
  if (machine) labels.push(`VirtualMachine(${machine})`);
  if (judgement.why === 'pod-starting')
    labels.push(`Workload(${allocation.namespace}/${allocation.pod})`);
  return labels;
}

/** `namespace/name` of the existing machine that an allocation belongs to. */
export function existingMachine(state: ClusterState, allocation: Allocation): string | undefined {
  const { namespace, name } = machineOf(state, allocation) ?? {};
  if (namespace === undefined || name === undefined) return undefined;
  return state.hasMachine(namespace, name) ? `${namespace}/${name}` : undefined;
}

function leakedHandlesOf(state: ClusterState, context: ReportContext): readonly ReportHandle[] {
  const names = new Set(
    context.findings
      .filter(({ code, releasable }) => code === 'orphan-handle' && releasable)
      .map(({ subject }) => subject.name),
  );
  if (names.size === 0) return [];
  const handles: ReportHandle[] = [];
  for (const handle of state.handles()) {
    if (!names.has(handle.key.name)) continue;
    handles.push({
      ID: handle.id,
      UID: uidOf(handle.uid, context.apiGroup),
      Revision: handle.revision ?? '',
    });
  }
  return handles;
}

function uidOf(uid: string | undefined, apiGroup: string | undefined): string | null {
  if (uid === undefined) return null;
  return apiGroup?.startsWith('crd.') ? shownUid(uid) : uid;
}

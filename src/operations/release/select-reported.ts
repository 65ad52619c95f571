import { intersectReports } from '../../check/report-intersection.ts';
import type { ReadReport, ReportedAddress } from '../../check/read-report.ts';
import { durationText } from '../../check/cooling.ts';
import { comparableHandleId } from '../../ipam/handle-id.ts';
import { handleName } from '../../ipam/model/names.ts';
import type { PlanItem } from '../../ipam/plan.ts';
import { type Row, isReadable } from '../../ipam/model/row.ts';
import type { Allocation, ClusterState } from '../../ipam/state/cluster-state.ts';
import { formatAddress } from '../../net/address.ts';
import { cidrsEqual, containsAddress, formatCidr } from '../../net/cidr.ts';
import { formatTime } from '../../support/time.ts';
import type { OperationContext } from '../context.ts';
import type { ReportUse } from '../documents/plan-document.ts';
import { assertBlocksLoaded, assertSameCluster } from '../guards.ts';
import type { Look } from '../look.ts';
import { lookAfterReports } from './look-after-reports.ts';
import { type ReleasePolicy, ReleasePlanner } from './release-plan.ts';
import type { ReleaseSelection } from './release-selection.ts';
import { selectReportedHandles } from './select-reported-handles.ts';

/** It was asked for by a report, so leaving it alone is a refusal, unless it is merely young. */
const POLICY: ReleasePolicy = {
  isForced: false,
  alive: 'refusal',
  young: 'harmless',
  unjudged: 'refusal',
};

/**
 * Chooses what all reports offer and a fresh look agrees to.
 * @throws {@link PreconditionError} for a report of another cluster, or of one that it does not name.
 */
export async function selectReported(
  context: OperationContext,
  reports: readonly ReadReport[],
  options: { readonly minAgeMs: number },
): Promise<ReleaseSelection> {
  const offered = intersectReports(reports);
  const isWanted = wantedRows(
    offered.addresses,
    offered.handles.map(({ id }) => id),
  );
  const { look, earlier } = await lookAfterReports(
    context,
    { reports, hasHandles: offered.handles.length > 0 },
    isWanted,
  );
  assertBlocksLoaded(look.state);
  for (const report of reports)
    assertSameCluster(look.state, report.clusterGUID, `report ${report.name}`);
  const judgement = { now: look.now, minAgeMs: options.minAgeMs };
  const { units, items } = planAddresses(look, offered.addresses, judgement);
  const handles = selectReportedHandles({ offered: offered.handles, look, earlier }, judgement);
  const uses = reports.map((report) => useOf(report, look.now));
  return {
    look,
    units,
    handles: handles.units,
    items: [...items, ...handles.items],
    reports: uses,
    notes: uses.map(noteOf),
  };
}

function wantedRows(
  addresses: readonly ReportedAddress[],
  handleIds: readonly string[],
): (row: Row) => boolean {
  const handles = new Set<string>();
  for (const id of [...addresses.flatMap(({ handle }) => handle ?? []), ...handleIds]) {
    const comparable = comparableHandleId(id);
    handles.add(comparable).add(handleName(comparable)).add(id);
  }
  const blocks = new Set(
    addresses.flatMap(({ block }) => (block === undefined ? [] : formatCidr(block))),
  );
  const unknown = addresses.filter(({ block }) => block === undefined);
  return (row) => {
    if (row.kind === 'IPAMHandle') return handles.has(row.key.name);
    if (row.kind !== 'IPAMBlock' || !isReadable(row)) return false;
    return (
      blocks.has(formatCidr(row.cidr)) ||
      unknown.some(({ address }) => containsAddress(row.cidr, address))
    );
  };
}

function planAddresses(
  { state }: Look,
  offered: readonly ReportedAddress[],
  judgement: { readonly now: number; readonly minAgeMs: number },
): Pick<ReleaseSelection, 'units' | 'items'> {
  const found = offered.map((entry) => ({ entry, allocation: findSame(state, entry) }));
  const keys = new Set(found.flatMap(({ allocation }) => (allocation ? slotKey(allocation) : [])));
  const isOffered = (allocation: Allocation): boolean => keys.has(slotKey(allocation));
  const planner = new ReleasePlanner(state, judgement, { ...POLICY, isOffered });
  const absent: PlanItem[] = [];
  for (const { entry, allocation } of found) {
    if (allocation) planner.consider(allocation);
    else absent.push(...keepChanged(state, entry, planner));
  }
  return { units: planner.units, items: [...planner.items, ...absent] };
}

/** The allocation that the report means, if it is still the same. */
function findSame(state: ClusterState, entry: ReportedAddress): Allocation | undefined {
  return atPlaceOf(state, entry).find(
    ({ cooling, handle, sequenceNumber }) =>
      !cooling &&
      sequenceNumber === entry.sequenceNumber &&
      comparableHandleId(handle ?? '') === comparableHandleId(entry.handle ?? ''),
  );
}

function atPlaceOf(
  state: ClusterState,
  { address, block }: ReportedAddress,
): readonly Allocation[] {
  return state
    .allocationsAt(address)
    .filter((allocation) => block === undefined || cidrsEqual(allocation.block.cidr, block));
}

/** What the report means is not there any more: gone, cooling, or given out again. */
function keepChanged(
  state: ClusterState,
  entry: ReportedAddress,
  planner: ReleasePlanner,
): readonly PlanItem[] {
  const now = atPlaceOf(state, entry);
  const taken = now.find(({ cooling }) => !cooling) ?? now[0];
  if (taken === undefined) return [goneItem(entry)];
  if (taken.cooling)
    planner.keep(taken, 'already', 'it was released since the report, and is cooling');
  else planner.keep(taken, 'refusal', 'it has changed hands since the report');
  return [];
}

function goneItem({ address, block, handle }: ReportedAddress): PlanItem {
  const name = formatAddress(address);
  const cidr = block && formatCidr(block);
  return {
    action: 'release-address',
    subject: { kind: 'Address', name, address: name, cidr, handle },
    precondition: '',
    reason: 'it was released since the report',
    kept: 'already',
  };
}

function slotKey({ block, ordinal }: Allocation): string {
  return `${block.index} ${ordinal}`;
}

function useOf({ name, checkedAt }: ReadReport, now: number): ReportUse {
  if (checkedAt === undefined) return { file: name };
  return {
    file: name,
    checkedAt: formatTime(checkedAt),
    ageSeconds: Math.floor((now - checkedAt) / 1000),
  };
}

function noteOf({ file, checkedAt, ageSeconds }: ReportUse): string {
  if (checkedAt === undefined || ageSeconds === undefined)
    return `Report ${file} does not say when it was made.`;
  return `Report ${file} was made at ${checkedAt}, ${durationText(Math.max(0, ageSeconds) * 1000)} ago.`;
}

import { NotFoundError } from '../../errors/not-found-error.ts';
import { comparableHandleId } from '../../ipam/handle-id.ts';
import type { Row } from '../../ipam/model/row.ts';
import { isReadable } from '../../ipam/model/row.ts';
import type { Allocation, ClusterState } from '../../ipam/state/cluster-state.ts';
import { type Address, formatAddress } from '../../net/address.ts';
import { type Cidr, cidrsEqual, containsAddress, formatCidr } from '../../net/cidr.ts';
import { listed, qualified } from '../../check/wording.ts';
import type { OperationContext } from '../context.ts';
import { assertBlocksLoaded } from '../guards.ts';
import { takeLook } from '../look.ts';
import { type AddressUnit, type ReleasePolicy, ReleasePlanner } from './release-plan.ts';
import type { ReleaseSelection } from './release-selection.ts';
import { selectHandleRows } from './select-handle-rows.ts';

/** How one thing is chosen by name. */
export interface NamedOptions {
  readonly minAgeMs: number;
  readonly isForced: boolean;
}

/** It was asked for by name, so leaving it alone is a refusal. */
const POLICY: Omit<ReleasePolicy, 'isForced'> = {
  alive: 'refusal',
  young: 'refusal',
  unjudged: 'refusal',
};

/**
 * Chooses one address.
 * @throws {@link NotFoundError} when it is not allocated (in that block).
 */
export async function selectAddress(
  context: OperationContext,
  { address, block }: { readonly address: Address; readonly block?: Cidr | undefined },
  options: NamedOptions,
): Promise<ReleaseSelection> {
  const look = await takeLook(context, (row) => mayHold(row, address));
  assertBlocksLoaded(look.state);
  const all = look.state
    .allocationsAt(address)
    .filter((allocation) => block === undefined || cidrsEqual(allocation.block.cidr, block));
  if (all.length === 0) throw notAllocated(address, block);
  const assigned = all.filter(({ cooling }) => !cooling);
  const planner = new ReleasePlanner(
    look.state,
    { now: look.now, minAgeMs: options.minAgeMs },
    { ...POLICY, ...options },
  );
  if (assigned.length > 1)
    for (const allocation of assigned) planner.keep(allocation, 'refusal', ambiguous(assigned));
  else
    for (const allocation of assigned.length === 1 ? assigned : all) planner.consider(allocation);
  return selectionOf(look, planner);
}

/**
 * Chooses the addresses that were made for a pod.
 * @throws {@link NotFoundError} when there are none.
 */
export async function selectPod(
  context: OperationContext,
  pod: { readonly namespace: string; readonly name: string },
  options: NamedOptions,
): Promise<ReleaseSelection> {
  const look = await takeLook(context);
  assertBlocksLoaded(look.state);
  const name = qualified(pod.namespace, pod.name);
  return chosen(
    {
      look,
      allocations: [...look.state.allocations()].filter((allocation) => isOfPod(allocation, pod)),
    },
    options,
    new NotFoundError(`no address is allocated to pod ${name}`, { details: { pod: name } }),
  );
}

/**
 * Chooses the addresses of a handle, or its row when it has none.
 * @throws {@link NotFoundError} when there is neither.
 */
export async function selectHandle(
  context: OperationContext,
  handle: string,
  options: NamedOptions,
): Promise<ReleaseSelection> {
  const handleId = comparableHandleId(handle);
  const look = await takeLook(
    context,
    (row) =>
      row.kind === 'IPAMHandle' && isReadable(row) && comparableHandleId(row.id) === handleId,
  );
  assertBlocksLoaded(look.state);
  const allocations = assignedTo(look.state, handleId);
  if (allocations.length === 0)
    return selectHandleRows(context, { handleId, first: look }, options);
  return chosen({ look, allocations }, options, new NotFoundError(`there is no handle ${handle}`));
}

function chosen(
  {
    look,
    allocations,
  }: { readonly look: ReleaseSelection['look']; readonly allocations: readonly Allocation[] },
  options: NamedOptions,
  absent: NotFoundError,
): ReleaseSelection {
  if (allocations.length === 0) throw absent;
  const planner = new ReleasePlanner(
    look.state,
    { now: look.now, minAgeMs: options.minAgeMs },
    { ...POLICY, ...options },
  );
  for (const allocation of allocations) planner.consider(allocation);
  return selectionOf(look, planner);
}

function selectionOf(look: ReleaseSelection['look'], planner: ReleasePlanner): ReleaseSelection {
  const { units, items } = planner;
  return { look, units, handles: [], items, notes: leftBehindNotes(look.state, units) };
}

/** What is forced is taken alone: which addresses its handle goes on holding, handle by handle. */
function leftBehindNotes(state: ClusterState, units: readonly AddressUnit[]): readonly string[] {
  const going = new Set(units.map(({ cidr, ordinal }) => `${formatCidr(cidr)} ${ordinal}`));
  const handleIds = new Set(units.flatMap(({ handleId }) => handleId ?? []));
  return [...handleIds].flatMap((handleId) => {
    const staying = assignedTo(state, handleId).filter(
      ({ block, ordinal }) => !going.has(`${formatCidr(block.cidr)} ${ordinal}`),
    );
    if (staying.length === 0) return [];
    const addresses = listed(staying.map(({ address }) => formatAddress(address)));
    return `Handle ${handleId} goes on holding ${addresses}: --force takes what was named, and nothing else.`;
  });
}

function assignedTo(state: ClusterState, handleId: string): readonly Allocation[] {
  return state.allocationsOf(handleId).filter(({ cooling }) => !cooling);
}

function mayHold(row: Row, address: Address): boolean {
  return row.kind === 'IPAMBlock' && isReadable(row) && containsAddress(row.cidr, address);
}

function isOfPod(
  allocation: Allocation,
  { namespace, name }: { namespace: string; name: string },
): boolean {
  return !allocation.cooling && allocation.pod === name && allocation.namespace === namespace;
}

function notAllocated(address: Address, block: Cidr | undefined): NotFoundError {
  const place = block === undefined ? '' : ` in block ${formatCidr(block)}`;
  return new NotFoundError(`${formatAddress(address)} is not allocated${place}`, {
    details: { address: formatAddress(address) },
  });
}

function ambiguous(allocations: readonly Allocation[]): string {
  const blocks = allocations.map(({ block }) => formatCidr(block.cidr));
  return `it is allocated in ${listed(blocks)}; say with --block which of them is meant`;
}

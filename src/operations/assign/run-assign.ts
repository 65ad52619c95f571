import type { WritableDatastore } from '../../datastore/datastore.ts';
import type { AutoAssignResult } from '../../engine/auto-assign.ts';
import { IpamEngine } from '../../engine/ipam-engine.ts';
import type { FamilyAssignment } from '../../engine/partial-result.ts';
import { EngineError, isEngineError } from '../../errors/engine-error.ts';
import { EXIT_STATUSES } from '../../errors/exit-status.ts';
import { comparableHandleId } from '../../ipam/handle-id.ts';
import type { PlanItem } from '../../ipam/plan.ts';
import type { Address } from '../../net/address.ts';
import type { OperationContext } from '../context.ts';
import type { AssignRequest } from './assign-request.ts';
import type { AddressKept } from './held-address.ts';
import { itemOf, shortfallOf } from './assign-items.ts';

/** How an item of an assignment ended. */
export type AssignEnd =
  | { readonly item: PlanItem; readonly as: PlanItem }
  | { readonly item: PlanItem; readonly kept: AddressKept }
  | { readonly item: PlanItem; readonly error: unknown };

/** The engine on a datastore, with the ports of the operation. */
export function engineOn(
  datastore: WritableDatastore,
  { clock, signal }: OperationContext,
): IpamEngine {
  return new IpamEngine({ datastore, clock: { now: () => clock.now() }, signal });
}

/** Assigns the address that was asked for by name. */
export async function assignGiven(
  engine: IpamEngine,
  request: AssignRequest & { readonly address: Address },
  item: PlanItem,
): Promise<AssignEnd> {
  const { address, host, handle, use, stored } = request;
  try {
    await engine.assignAddress({ address, host, handle, use, attributes: stored });
    return { item, as: item };
  } catch (error) {
    if (isEngineError(error, 'exists'))
      return { item, kept: await keptAfterRace(engine, request, error) };
    if (isRefusal(error)) return { item, kept: { end: 'refusal', reason: error.message } };
    return { item, error };
  }
}

/** Somebody was faster; if it was for the same handle, the wanted state is there. */
async function keptAfterRace(
  engine: IpamEngine,
  { address, handle }: { readonly address: Address; readonly handle: string },
  thrown: EngineError,
): Promise<AddressKept> {
  try {
    const holder = (await engine.assignmentOf(address)).handle;
    if (holder !== undefined && comparableHandleId(holder) === comparableHandleId(handle))
      return { end: 'already', reason: 'this handle has it already' };
    return {
      end: 'refusal',
      reason: `it is assigned already, to ${holder === undefined ? 'no handle' : `handle ${holder}`}`,
    };
  } catch {
    return { end: 'refusal', reason: thrown.message };
  }
}

/** Assigns free addresses; what the engine could not give is an end of its own. */
export async function assignFree(
  engine: IpamEngine,
  request: AssignRequest,
  items: readonly PlanItem[],
): Promise<readonly AssignEnd[]> {
  const wanted = { count: request.count, pools: request.chosenPools.map(({ cidr }) => cidr) };
  const { host, use, handle, stored, family } = request;
  const result = await engine.autoAssign({
    ...{ host, use, handle, attributes: stored },
    ...(family === 4 ? { v4: wanted } : { v6: wanted }),
  });
  const got = assignmentIn(result, request);
  return items.map((item, i) => {
    const address = got?.addresses[i];
    if (address) return { item, as: itemOf(item, request, address) };
    return missingEnd(item, result.error ?? shortfallOf(got, request));
  });
}

function missingEnd(item: PlanItem, error: unknown): AssignEnd {
  return isRefusal(error)
    ? { item, kept: { end: 'refusal', reason: error.message } }
    : { item, error };
}

function assignmentIn(
  { v4, v6 }: AutoAssignResult,
  { family }: AssignRequest,
): FamilyAssignment | undefined {
  return family === 4 ? v4 : v6;
}

function isRefusal(error: unknown): error is EngineError {
  return error instanceof EngineError && error.status === EXIT_STATUSES.refused.status;
}

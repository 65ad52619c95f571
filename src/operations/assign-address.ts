import type { WritableDatastore } from '../datastore/datastore.ts';
import { assertStorableHandle } from '../engine/storable-handle.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { PlanItem } from '../ipam/plan.ts';
import type { ClusterState } from '../ipam/state/cluster-state.ts';
import type { Address } from '../net/address.ts';
import { givenItem, openItems } from './assign/assign-items.ts';
import type { AssignOptions } from './assign/assign-options.ts';
import { type AssignRequest, assignRequest } from './assign/assign-request.ts';
import { keptAddress } from './assign/held-address.ts';
import { type AssignEnd, assignFree, assignGiven, engineOn } from './assign/run-assign.ts';
import { ScratchDatastore } from './assign/scratch-datastore.ts';
import type { OperationContext } from './context.ts';
import { assertVersion } from './guards.ts';
import type { ItemLedger } from './item-ledger.ts';
import { loadClusterState } from './load-cluster-state.ts';
import { type Mutation, mutationOf } from './mutation.ts';

/** Kinds that decide over an assignment. */
const KINDS = [
  'ClusterInformation',
  'IPAMConfig',
  'IPPool',
  'IPReservation',
  'IPAMBlock',
  'Node',
] as const;

/** The engine lists them to look for a free address; who may not is told together with all else. */
const CLAIMS_OF_NODES = 'BlockAffinity' as const;

/**
 * Plans the assignment of one given address, or of some free ones, through the engine. A given address that the handle has
 * already is left as it is; one that somebody else holds is refused.
 * @throws {@link UsageError}, {@link NotFoundError}, {@link PreconditionError} when the request cannot be served.
 */
export async function planAssign(
  context: OperationContext,
  options: AssignOptions,
): Promise<Mutation> {
  const kinds = options.address === undefined ? [...KINDS, CLAIMS_OF_NODES] : KINDS;
  const state = await loadClusterState(context, { kinds });
  assertVersion(state, options.isMismatchAllowed);
  assertHandle(context, options.handle);
  const request = assignRequest(state, options, context.clock.now());
  const planned = plannedItems(context, state, request);
  const items = options.isRehearsed ? await rehearse(context, request, planned) : planned;
  return mutationOf({
    context,
    state,
    command: 'ipam assign',
    items,
    notes: notesOf(state, request, items),
    notesIfApplied: request.isRehearsed ? [] : [handleNote(request)],
    run: async ({ ledger }) => {
      const due = items.filter(({ kept }) => kept === undefined);
      const datastore = context.datastore as WritableDatastore;
      for (const end of await assign(context, { datastore, request, items: due }))
        takeDown(ledger, end);
    },
  });
}

function plannedItems(
  context: OperationContext,
  state: ClusterState,
  request: AssignRequest,
): readonly PlanItem[] {
  const { address } = request;
  if (address === undefined) return openItems(request);
  const kept = keptAddress(state, { address, handle: request.handle }, context.clock.now());
  return [givenItem(state, { ...request, address }, kept)];
}

/** A request on one datastore, real or not. */
interface Assigning {
  readonly datastore: WritableDatastore;
  readonly request: AssignRequest;
  readonly items: readonly PlanItem[];
}

async function assign(
  context: OperationContext,
  { datastore, request, items }: Assigning,
): Promise<readonly AssignEnd[]> {
  const engine = engineOn(datastore, context);
  const { address } = request;
  if (address === undefined) return assignFree(engine, request, items);
  const given: AssignRequest & { readonly address: Address } = { ...request, address };
  return Promise.all(items.map((item) => assignGiven(engine, given, item)));
}

/** Lets the engine do it on paper: which addresses it would take as things stand, and what it would refuse. */
async function rehearse(
  context: OperationContext,
  request: AssignRequest,
  items: readonly PlanItem[],
): Promise<readonly PlanItem[]> {
  const { datastore } = context;
  const due = items.filter(({ kept }) => kept === undefined);
  if (due.length === 0 || !isKeyed(datastore)) return items;
  const ends = await assign(context, {
    datastore: new ScratchDatastore(datastore),
    request,
    items: due,
  });
  const rehearsed = new Map(ends.map((end) => [end.item, rehearsedItem(end)]));
  return items.map((item) => rehearsed.get(item) ?? item);
}

function rehearsedItem(end: AssignEnd): PlanItem {
  if ('as' in end) return end.as;
  if ('kept' in end) {
    return { ...end.item, precondition: '', reason: end.kept.reason, kept: end.kept.end };
  }
  const reason = end.error instanceof Error ? end.error.message : String(end.error);
  return { ...end.item, precondition: '', reason, kept: 'unjudged' };
}

function takeDown(ledger: ItemLedger, end: AssignEnd): void {
  if ('as' in end) ledger.applied(end.item, end.as);
  else if ('kept' in end) ledger.kept(end.item, end.kept.end, end.kept.reason);
  else ledger.failed(end.item, end.error);
}

/** A source that is read only has no names for rows, and nothing to rehearse. */
function isKeyed(datastore: OperationContext['datastore']): datastore is WritableDatastore {
  return 'keys' in datastore;
}

/** @throws {@link UsageError} when no row can have the name of the handle. */
function assertHandle({ datastore }: OperationContext, handle: string): void {
  if (!isKeyed(datastore)) return;
  try {
    assertStorableHandle(datastore.keys, handle);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`--handle: ${reason}`, { cause: error });
  }
}

/** A rehearsal that was given no handle has made one up, and the next run makes up another: only what was done has one. */
function handleNote({ handle }: AssignRequest): string {
  return `Handle: ${handle}. What it holds is released by \`ipamctl ipam release --handle ${handle}\`, in the first five minutes with --min-age 0s.`;
}

/** Whether nothing alive could ever carry it, and no type keeps rules from judging that. */
function isOwnerless(use: AssignRequest['use'], stored: AssignRequest['stored']): boolean {
  if (use === 'Tunnel') return false;
  if (use === 'LoadBalancer') return stored['service'] === undefined;
  const { type, namespace, pod, 'vmi-name': machine } = stored;
  return !type && (namespace === undefined || (pod === undefined && machine === undefined));
}

function notesOf(
  state: ClusterState,
  { use, stored }: AssignRequest,
  items: readonly PlanItem[],
): readonly string[] {
  // Of what is refused as a whole nothing is left that these could be about.
  if (items.every(({ kept }) => kept === 'refusal')) return [];
  const notes: string[] = [];
  if (isOwnerless(use, stored)) {
    notes.push(
      'No attribute names a pod or Service that would carry it, so what is assigned counts as leaked after five minutes, and the next clean-up (ipam release --leaked, ipam gc) takes it. To keep it, give it a type of its own, --attr type=NAME, or the pod, --attr namespace=NAME --attr pod=NAME.',
    );
  }
  if (use === 'Tunnel' && stored['type'] === undefined) {
    notes.push(
      'No attribute says which tunnel the address is for, so it counts as one of a workload; set it with --attr type=NAME.',
    );
  }
  if (state.clusterInformation?.datastoreReady === false) {
    notes.push('The datastore is locked: what is assigned now may be missing after a migration.');
  }
  return notes;
}

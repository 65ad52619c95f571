/** Plan and outcome of every command that changes the cluster where it stands. */
import type { WritableDatastore } from '../../src/datastore/datastore.ts';
import type { ResourceKind } from '../../src/ipam/model/resource.ts';
import { isReadable } from '../../src/ipam/model/row.ts';
import { parseAddress } from '../../src/net/address.ts';
import type { AssignOptions } from '../../src/operations/assign/assign-options.ts';
import { planAssign } from '../../src/operations/assign-address.ts';
import { GarbageCollector } from '../../src/operations/collect-garbage.ts';
import { planConfigure } from '../../src/operations/configure-ipam.ts';
import type { OperationContext } from '../../src/operations/context.ts';
import { planLock } from '../../src/operations/lock-datastore.ts';
import { planRelease } from '../../src/operations/release-addresses.ts';
import type { ReleaseSelector } from '../../src/operations/release/release-options.ts';
import { planRename } from '../../src/operations/rename-nodes.ts';
import { planRepair } from '../../src/operations/repair-findings.ts';
import { planRestore } from '../../src/operations/restore-recorded.ts';
import { planSplit } from '../../src/operations/split-pool.ts';
import { planUnlock } from '../../src/operations/unlock-datastore.ts';
import { type DrawnView, mutated } from './drawn-view.ts';
import { UndoMemory } from './undo-memory.ts';

const ANYWHERE = { isMismatchAllowed: true };
const AGED = { minAgeMs: 300_000, ...ANYWHERE };
const GRACE_MS = 900_000;

/** Opens the cluster anew, as it was. */
export type OpenCluster = () => Promise<
  OperationContext & { readonly datastore: WritableDatastore }
>;

/** Texts of all commands that change a cluster, each on a cluster of its own, but for those that go on with another's. */
export async function drawnChanges(open: OpenCluster): Promise<readonly DrawnView[]> {
  const parts = [
    await drawnReleases(open),
    await drawnRepair(await open()),
    await drawnCollection(await open()),
    await drawnAssignments(await open()),
    await drawnSettings(await open()),
    await drawnSplit(await open()),
    await drawnRename(await open()),
  ];
  return parts.flat();
}

/** Everything that is leaked, put back again and put back once more; and one address by its name. */
async function drawnReleases(open: OpenCluster): Promise<readonly DrawnView[]> {
  const context = await open();
  const undo = new UndoMemory();
  const release = (selector: ReleaseSelector, isForced = false) =>
    planRelease(context, { ...AGED, selector, isForced });
  const restore = (): ReturnType<typeof planRestore> =>
    planRestore(context, { recorded: undo.read(), name: 'undo.jsonl', ...ANYWHERE });
  const leaked = await mutated('ipam release', () => release({ by: 'leaked' }), undo);
  const restored = undo.text === '' ? [] : await restoredTwice(restore);
  const address = parseAddress('198.18.0.1');
  if (address === undefined) return [...leaked, ...restored];
  const named: ReleaseSelector = { by: 'address', address, block: undefined };
  return [
    ...leaked,
    ...restored,
    ...(await mutated('ipam release', () => release(named))),
    ...(await mutated('ipam release', () => release(named, true))),
  ];
}

async function restoredTwice(
  restore: () => ReturnType<typeof planRestore>,
): Promise<readonly DrawnView[]> {
  const first = await mutated('ipam restore', restore, new UndoMemory());
  return [...first, ...(await mutated('ipam restore', restore))];
}

async function drawnRepair(context: OperationContext): Promise<readonly DrawnView[]> {
  return mutated('ipam repair', () => planRepair(context, { ...AGED, only: [], reports: [] }));
}

/** The round that sees, and the one that has seen for long enough. */
async function drawnCollection(context: OperationContext): Promise<readonly DrawnView[]> {
  const collector = new GarbageCollector(context, { ...AGED, leakGraceMs: GRACE_MS });
  const round = async (waitedMs: number): Promise<readonly DrawnView[]> =>
    mutated('ipam gc', async () => (await collector.round(waitedMs)).mutation);
  return [...(await round(0)), ...(await round(GRACE_MS + 1))];
}

/** More addresses than there may be, and one that may be held. */
async function drawnAssignments(context: OperationContext): Promise<readonly DrawnView[]> {
  const host = (await firstName(context, 'Node')) ?? 'a-node-that-nobody-has-heard-of';
  const options: AssignOptions = {
    address: undefined,
    count: 30,
    family: undefined,
    host,
    use: 'Workload',
    handle: 'a-handle-with-a-rather-long-name-for-a-terminal',
    attributes: { note: 'maintenance' },
    pools: [],
    isRehearsed: true,
    isHandleNew: false,
    ...ANYWHERE,
  };
  const given = { ...options, address: parseAddress('198.18.0.1') };
  return [
    ...(await mutated('ipam assign', () => planAssign(context, options))),
    ...(await mutated('ipam assign', () => planAssign(context, given))),
    ...(await mutated('ipam assign', () => planAssign(context, { ...options, host: 'nobody' }))),
  ];
}

async function drawnSettings(context: OperationContext): Promise<readonly DrawnView[]> {
  const who = { by: 'administrator@a-host-with-a-long-name.example.com', newGuid: '0'.repeat(32) };
  const reason = 'the nodes of the second hall move to another rack, see the ticket of last week';
  const changes = { strictAffinity: true, maxBlocksPerHost: 3, ipCooldownSeconds: 600 };
  const lock = () => planLock(context, { ...who, reason, ...ANYWHERE });
  const unlock = () => planUnlock(context, { isForced: false, ...ANYWHERE });
  const parts = [
    await mutated('ipam configure', () => planConfigure(context, { changes, ...ANYWHERE })),
    await mutated('ipam configure', () =>
      planConfigure(context, { changes: undefined, ...ANYWHERE }),
    ),
    await mutated('datastore migrate lock', lock),
    await mutated('datastore migrate lock', lock),
    await mutated('datastore migrate unlock', unlock),
    await mutated('datastore migrate unlock', unlock),
  ];
  return parts.flat();
}

/** As it is, by force, and back. */
async function drawnSplit(context: OperationContext): Promise<readonly DrawnView[]> {
  const name = (await firstName(context, 'IPPool')) ?? 'no-such-pool';
  const split = (facts: { readonly isForced: boolean; readonly isUndo: boolean }) => () =>
    planSplit(context, { number: 32, name, ...facts, ...ANYWHERE });
  return [
    ...(await mutated('ipam split', split({ isForced: false, isUndo: false }))),
    ...(await mutated('ipam split', split({ isForced: true, isUndo: false }))),
    ...(await mutated('ipam split', split({ isForced: true, isUndo: true }))),
  ];
}

/** Gives the first node that IPAM knows a long name. */
async function drawnRename(context: OperationContext): Promise<readonly DrawnView[]> {
  const owner = (await firstHost(context)) ?? 'a-node-that-nobody-has-heard-of';
  const to = `${owner.toLowerCase()}.second-hall.data-centre.example.com`;
  return mutated('datastore migrate rename-node', () =>
    planRename(context, { names: new Map([[owner, to]]), ...ANYWHERE }),
  );
}

async function firstName(
  { datastore }: OperationContext,
  kind: ResourceKind,
): Promise<string | undefined> {
  const { rows } = await datastore.list(kind);
  for await (const [row] of rows) if (row && isReadable(row)) return row.key.name;
  return undefined;
}

async function firstHost({ datastore }: OperationContext): Promise<string | undefined> {
  const { rows } = await datastore.list('BlockAffinity');
  for await (const batch of rows)
    for (const row of batch)
      if (isReadable(row) && row.kind === 'BlockAffinity' && row.type === 'host') return row.host;
  return undefined;
}

/** Texts of what carries data from one datastore to another, and of what is left unfinished. */
import { UnavailableError } from '../../src/errors/unavailable-error.ts';
import { UsageError } from '../../src/errors/usage-error.ts';
import { showMigrationStatus } from '../../src/operations/show-migration-status.ts';
import { snapshotDatastore } from '../../src/operations/snapshot-datastore.ts';
import { planExport } from '../../src/operations/export-datastore.ts';
import { planUnlock } from '../../src/operations/unlock-datastore.ts';
import { asked, drawnError, type DrawnView, mutated } from './drawn-view.ts';
import {
  affinityEntry,
  blockEntry,
  contextOver,
  type Entry,
  etcdSource,
  handleEntry,
  LOCKED,
  nodeEntry,
  TextOutput,
} from './export-world.ts';
import { importText, importWorld, planText } from './import-world.ts';
import { brokenSide, sideOf } from './migration-sides.ts';
import { aBlock, anObject, fileText, PLAIN_FILE } from './migration-text.ts';
import { MemoryTarget } from './snapshot-target.ts';
import { contextOf } from './scripted-datastore.ts';
import {
  aBlockObject,
  aClusterObject,
  aPoolObject,
  CutDatastore,
  GROUPS,
  runSplit,
  splitWorld,
} from './split-world.ts';
import { UndoMemory } from './undo-memory.ts';

/** Nodes, blocks or objects that are more than a screen holds. */
const MANY = 60;
const LONG = 'second-hall.data-centre.example.com';

/** What a side says that does not answer. */
const SILENT = new UnavailableError(
  'etcd at https://etcd-0.second-hall.data-centre.example.com:2379 does not answer',
  { hint: 'is it running, and does no firewall keep this host from it?' },
);

/** Exports, imports, snapshots and the state of both sides, done, planned, refused and cut short. */
export async function drawnMigrations(): Promise<readonly DrawnView[]> {
  const parts = [
    await drawnExport(carried()),
    await drawnExport([...carried(), ...refused()]),
    await drawnImport(),
    await drawnSnapshots(),
    await drawnUnfinished(),
    drawnMisuse(),
  ];
  return parts.flat();
}

/** Many nodes under another name, each with a block, a claim and a tunnel. */
function carried(): readonly Entry[] {
  const all = Array.from({ length: MANY }, (_, at): readonly Entry[] => {
    const cidr = `10.9.${at}.0/30`;
    const node = `node-${at}`;
    const handle = `vxlan-tunnel-addr-${node}`;
    return [
      nodeEntry(node, `${node}.${LONG}`),
      blockEntry(cidr, `host:${node}`, [
        { handle_id: handle, secondary: { node, type: 'vxlanTunnelAddress' } },
      ]),
      affinityEntry(`host/${node}`, cidr, 'confirmed'),
      handleEntry(handle, { [cidr]: 1 }),
    ];
  });
  return [LOCKED, nodeEntry('bare-metal-without-kubernetes'), ...all.flat()];
}

/** What Kubernetes has no names for. */
function refused(): readonly Entry[] {
  return Array.from({ length: MANY }, (_, at) =>
    handleEntry(`k8s_pod_${at}`, { '10.9.0.0/30': 1 }),
  );
}

async function drawnExport(entries: readonly Entry[]): Promise<readonly DrawnView[]> {
  const command = 'datastore migrate export';
  const context = contextOver(etcdSource(entries));
  const plan = (...skipNodes: readonly string[]): ReturnType<typeof planExport> =>
    planExport(context, { skipNodes, isMismatchAllowed: true });
  const bare = 'bare-metal-without-kubernetes';
  const parts = [
    await asked(command, 'migrationExportView', async () => (await plan()).plan),
    await asked(command, 'migrationExportView', async () => (await plan(bare)).plan),
    await asked(command, 'migrationExportView', async () =>
      (await plan(bare)).write(
        new TextOutput('/var/backups/calico/etcd-of-the-second-hall.calico'),
      ),
    ),
    await asked(command, 'migrationExportView', async () => (await plan('nobody')).plan),
  ];
  return parts.flat();
}

/** Into an empty cluster, once more, and into one that differs. */
async function drawnImport(): Promise<readonly DrawnView[]> {
  const command = 'datastore migrate import';
  const sets = Array.from({ length: MANY }, (_, at) => anObject(`set-${at}`, { nets: [] }));
  const parts = { ...PLAIN_FILE, objects: { ...PLAIN_FILE.objects, GlobalNetworkSet: sets } };
  const text = fileText(parts);
  const world = importWorld(GROUPS[0]);
  const differing = importWorld(GROUPS[1]);
  const other = aBlock('198.18.0.0-28', 'host:node-b', { 2: 'k8s-pod-network.zz' });
  await importText(differing, { text: fileText({ ...PLAIN_FILE, blocks: [other] }) });
  const damaged = aBlock('198.18.0.0-28', null, {}, { allocations: [null] });
  const all = [
    await mutated(command, () => planText(world, { text }), new UndoMemory()),
    await mutated(command, () => planText(world, { text })),
    await mutated(command, () => planText(differing, { text })),
    await mutated(command, () =>
      planText(world, { text: fileText({ ...PLAIN_FILE, blocks: [damaged] }) }),
    ),
    await mutated(command, () => planText(world, { text: '{"kind": ' })),
  ];
  return all.flat();
}

async function drawnSnapshots(): Promise<readonly DrawnView[]> {
  const context = contextOver(etcdSource(carried()));
  const key = new Uint8Array(32);
  const redactions = [undefined, 'names', 'all'] as const;
  const all = redactions.map((level) =>
    asked('datastore snapshot', 'datastoreSnapshotView', () =>
      snapshotDatastore(context, new MemoryTarget(), {
        isDryRun: false,
        redaction: level && { level, key },
      }),
    ),
  );
  return (await Promise.all(all)).flat();
}

/** The state after a split that was killed, and what an unlock says to it. */
async function drawnUnfinished(): Promise<readonly DrawnView[]> {
  const world = splitWorld(GROUPS[0], [
    aClusterObject(),
    aPoolObject(),
    aBlockObject('10.9.0.0/28'),
  ]);
  await runSplit(new CutDatastore(world, 4)).catch(() => undefined);
  const context = contextOf(world);
  const { signal } = context;
  const other = contextOver(etcdSource(carried()));
  const unlock = (isForced: boolean) => () =>
    planUnlock(context, { isForced, other, isMismatchAllowed: true });
  return [
    ...(await asked('datastore migrate status', 'migrationStatusView', () =>
      showMigrationStatus([sideOf(context), sideOf(other), brokenSide('etcd', SILENT)], signal),
    )),
    ...(await mutated('datastore migrate unlock', unlock(false))),
    ...(await mutated('datastore migrate unlock', unlock(true))),
  ];
}

/** What the command line itself refuses. */
function drawnMisuse(): readonly DrawnView[] {
  return drawnError(
    'ipam configure',
    new UsageError('nothing to configure was given:\n  a line of its own\n    and one below it', {
      hint: 'use one of --strictaffinity, --auto-allocate-blocks, --max-blocks-per-host, --kubevirt-ip-persistence, --ip-cooldown-seconds and --reset',
    }),
  );
}

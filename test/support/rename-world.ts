/** Clusters in memory whose nodes are renamed, in each form of storage, and runs of the command in process. */
import { expect } from 'chai';
import type { WritableDatastore, WritableRow } from '../../src/datastore/datastore.ts';
import { MemoryDatastore } from '../../src/datastore/memory/memory-datastore.ts';
import type { NameMap } from '../../src/ipam/rename/legs.ts';
import type { BlockAttribute } from '../../src/ipam/model/block.ts';
import { RESOURCE_KINDS } from '../../src/ipam/model/resource.ts';
import { isReadable, type Row } from '../../src/ipam/model/row.ts';
import type { OperationContext } from '../../src/operations/context.ts';
import type { OutcomeDocument } from '../../src/operations/documents/outcome-document.ts';
import type { Mutation } from '../../src/operations/mutation.ts';
import type { Outcome } from '../../src/operations/outcome.ts';
import { planRename } from '../../src/operations/rename-nodes.ts';
import { planRestore } from '../../src/operations/restore-recorded.ts';
import { slotText } from '../../src/operations/undo/same-row.ts';
import type { UndoHistory, UndoSink } from '../../src/operations/undo/undo-log.ts';
import { formatCidr } from '../../src/net/cidr.ts';
import type { JsonObject } from '../../src/support/json.ts';
import { aBlock, aHandle, anAffinity, podSlot, withRows } from './builders.ts';
import { contextOf } from './scripted-datastore.ts';
import { aClusterInformation } from './settings-builders.ts';

/** Forms in which a datastore keeps rows. */
export const FLAVORS = ['crd', 'v3', 'etcd'] as const;

/** One of {@link FLAVORS}. */
export type Flavor = (typeof FLAVORS)[number];

const GROUPS = { crd: 'crd.projectcalico.org/v1', v3: 'projectcalico.org/v3', etcd: undefined };

/** A tunnel's slot of a node: `tunnel('alder', 'ipip')`. */
export function tunnel(
  node: string,
  prefix: 'ipip' | 'vxlan' | 'vxlan-v6' | 'wireguard' | 'wireguard-v6' = 'vxlan',
): BlockAttribute {
  const type = prefix.replace('-v6', 'V6');
  return {
    handle: `${prefix}-tunnel-addr-${node}`,
    owner: { node, type: `${type}TunnelAddress` },
  };
}

/** A node with two blocks, one of them IPv6, all five tunnels, a pod that migrates, and an address in the block of `other`. */
export function nodeRows(node: string, at: number, other = 'elm'): readonly Row[] {
  const block = `10.0.${at}.0/28`;
  const six = `fd00:0:${at}::/124`;
  const strange = `10.1.${at}.0/28`;
  const borrowed = podSlot(`shop/far-${at}`, node);
  return [
    ...withRows(
      aBlock(
        block,
        {
          0: tunnel(node, 'ipip'),
          1: tunnel(node, 'vxlan'),
          2: tunnel(node, 'wireguard'),
          3: podSlot(`shop/cart-${at}`, node),
          4: podSlot(`shop/moving-${at}`, other, {
            alternateOwner: { namespace: 'shop', pod: `moving-${at}`, node },
          }),
          5: { owner: {}, releasedAt: Date.UTC(2026, 10, 29, 11, 59) },
        },
        { affinity: `host:${node}` },
      ),
    ),
    anAffinity(node, block),
    ...withRows(
      aBlock(
        six,
        { 3: tunnel(node, 'vxlan-v6'), 4: tunnel(node, 'wireguard-v6') },
        {
          affinity: `host:${node}`,
        },
      ),
    ),
    anAffinity(node, six),
    ...withRows(aBlock(strange, { 7: borrowed }, { affinity: `host:${other}` })),
    anAffinity(other, strange),
  ].filter(
    (row, index, rows) =>
      rows.findIndex((one) => one.kind === row.kind && one.key.name === row.key.name) === index,
  );
}

/** The ClusterInformation; unlocked unless said otherwise. */
export function aCluster(isLocked = false): Row {
  return aClusterInformation({ datastoreReady: !isLocked });
}

/** A block that only its handle row and affinity make whole. */
export { aBlock, aHandle, anAffinity, podSlot, withRows };

/** A cluster of these rows in memory, with these nodes. */
export async function renameWorld(
  flavor: Flavor,
  rows: readonly Row[],
  nodes: readonly string[] = [],
): Promise<MemoryDatastore> {
  const world = new MemoryDatastore(
    { datastore: 'memory', apiGroup: GROUPS[flavor] },
    { flavor, now: () => Date.UTC(2026, 10, 1) },
  );
  for (const kind of RESOURCE_KINDS) world.declare(kind);
  for (const row of rows) await world.create(keyed(row, world) as WritableRow);
  for (const name of nodes) putNode(world, flavor, name);
  return world;
}

/** The row under the name that it has in this datastore. */
function keyed(row: Row, { keys }: WritableDatastore): Row {
  const fresh = { ...row, revision: undefined, uid: undefined, createdAt: undefined };
  if (!isReadable(fresh)) return fresh;
  switch (fresh.kind) {
    case 'IPAMBlock':
      return { ...fresh, key: keys.block(fresh.cidr) };
    case 'BlockAffinity':
      return { ...fresh, key: keys.affinity(fresh, fresh.cidr) };
    case 'IPAMHandle':
      return { ...fresh, key: keys.handle(fresh.id) };
    default:
      return fresh;
  }
}

function putNode(world: MemoryDatastore, flavor: Flavor, name: string): void {
  const metadata = { name, annotations: {}, uid: `uid-${name}`, resourceVersion: '1' };
  if (flavor === 'etcd')
    world.putEntry(`/calico/resources/v3/projectcalico.org/nodes/${name}`, {
      apiVersion: 'projectcalico.org/v3',
      kind: 'Node',
      metadata,
      spec: { orchRefs: [{ nodeName: name, orchestrator: 'k8s' }] },
    });
  else world.put('Node', { apiVersion: 'v1', kind: 'Node', metadata, spec: {} });
}

/** Another datastore of the same content. */
export function copyOf(world: MemoryDatastore, flavor: Flavor): MemoryDatastore {
  const copy = new MemoryDatastore(world.describe(), { flavor, now: () => Date.UTC(2026, 10, 1) });
  for (const kind of RESOURCE_KINDS) copy.declare(kind);
  for (const { kind, path, value } of world.storedObjects()) {
    if (path === undefined) copy.put(kind, value as JsonObject);
    else copy.putEntry(path, value);
  }
  return copy;
}

/** What the rows say, without revisions, uids, times and sequence numbers, by kind and name; marks and locks included. */
export async function claimsOf(world: WritableDatastore): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const kind of ['IPAMBlock', 'BlockAffinity', 'IPAMHandle', 'ClusterInformation'] as const) {
    const { rows } = await world.list(kind, { keep: () => true });
    for await (const batch of rows)
      for (const row of batch) found[`${kind} ${row.key.name}`] = contentOf(row);
  }
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function contentOf(row: Row): unknown {
  if (!isReadable(row)) return row.unreadable;
  switch (row.kind) {
    case 'IPAMBlock':
      return {
        affinity: row.affinity,
        slots: row.allocations.map((_, ordinal) => slotText(row, ordinal) ?? null),
        numbers: [...row.sequenceNumbers],
        free: [...row.unallocated].sort((a, b) => a - b),
        extra: extrasOf(row.object),
      };
    case 'BlockAffinity':
      return [row.type, row.host, formatCidr(row.cidr), row.state, row.labelled];
    case 'IPAMHandle':
      return [row.id, row.counts.map(({ text, count }) => `${text}: ${count}`).sort()];
    case 'ClusterInformation':
      return [row.datastoreReady, (row.object?.['metadata'] as JsonObject)['annotations'] ?? {}];
    default:
      return row.kind;
  }
}

/** Members that ipamctl does not know, which have to survive. */
function extrasOf(object: JsonObject | undefined): unknown {
  const holder = (object?.['spec'] ?? object ?? {}) as JsonObject;
  const records = holder['attributes'];
  return Array.isArray(records)
    ? records.map((record) => (record as JsonObject)['later'] ?? null)
    : [];
}

/** Names of a map: `names({ a: 'b' })`. */
export function names(pairs: Readonly<Record<string, string>>): NameMap {
  return new Map(Object.entries(pairs));
}

/** Plans the command in process. */
export function plannedRename(
  world: WritableDatastore,
  pairs: Readonly<Record<string, string>>,
  {
    history,
    ...more
  }: Partial<OperationContext> & { readonly history?: UndoHistory | undefined } = {},
): Promise<Mutation> {
  return planRename(contextOf(world, more), {
    names: names(pairs),
    isMismatchAllowed: false,
    history,
  });
}

/** Runs the command in process. */
export async function runRename(
  world: WritableDatastore,
  pairs: Readonly<Record<string, string>>,
  undo?: UndoSink,
): Promise<Outcome<OutcomeDocument>> {
  return (await plannedRename(world, pairs)).apply(undo);
}

/** Takes a renaming back by its undo file. */
export async function runRestore(
  world: WritableDatastore,
  recorded: UndoHistory,
  undo?: UndoSink,
): Promise<Outcome<OutcomeDocument>> {
  const mutation = await planRestore(contextOf(world), {
    recorded,
    name: 'undo.jsonl',
    isMismatchAllowed: false,
  });
  return mutation.apply(undo);
}

/** Waits for a refusal, exit status 6, whose message holds a text. */
export async function expectRefusal(planned: Promise<unknown>, text: string): Promise<void> {
  const error = await planned.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(error, text).to.be.instanceOf(Error);
  expect(error).to.include({ code: 'REFUSED', status: 6 });
  expect((error as Error).message).to.contain(text);
}

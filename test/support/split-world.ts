/** A locked cluster with a pool to split, in either API group, and datastores that stop after so many writes. */
import { MemoryDatastore } from '../../src/datastore/memory/memory-datastore.ts';
import type { Row } from '../../src/ipam/model/row.ts';
import type {
  Datastore,
  Listing,
  ListOptions,
  RowVersion,
  WritableDatastore,
  WritableRow,
} from '../../src/datastore/datastore.ts';
import type { ResourceKey, ResourceKind, Revision } from '../../src/ipam/model/resource.ts';
import type { Mutation } from '../../src/operations/mutation.ts';
import type { Outcome } from '../../src/operations/outcome.ts';
import type { OutcomeDocument } from '../../src/operations/documents/outcome-document.ts';
import type { UndoSink } from '../../src/operations/undo/undo-log.ts';
import { planSplit } from '../../src/operations/split-pool.ts';
import { splitRequestFrom } from '../../src/operations/split/split-options.ts';
import type { SplitOptions } from '../../src/operations/split/split-options.ts';
import type { JsonObject, JsonValue } from '../../src/support/json.ts';
import { type CalicoVersion, inGroup } from './seed-cluster.ts';
import { contextOf } from './scripted-datastore.ts';

/** Both groups, each with whether its clients keep a copy of the metadata. */
export const GROUPS = [
  { version: 'crd.projectcalico.org/v1', flavor: 'crd' },
  { version: 'projectcalico.org/v3', flavor: 'v3' },
] as const satisfies readonly { version: CalicoVersion; flavor: 'crd' | 'v3' }[];

/** One of {@link GROUPS}. */
export type Group = (typeof GROUPS)[number];

const OLDER = 'crd.projectcalico.org/v1';

/** The pool `main`, 10.9.0.0/22 unless said otherwise. */
export function aPoolObject(
  spec: JsonObject = {},
  { name = 'main', ...metadata }: JsonObject = {},
): JsonObject {
  return {
    apiVersion: OLDER,
    kind: 'IPPool',
    metadata: { name, ...metadata },
    spec: {
      cidr: '10.9.0.0/22',
      blockSize: 28,
      ipipMode: 'Never',
      vxlanMode: 'CrossSubnet',
      natOutgoing: true,
      nodeSelector: 'all()',
      allowedUses: ['Workload', 'Tunnel'],
      assignmentMode: 'Automatic',
      ...spec,
    },
  };
}

/** The ClusterInformation; locked unless said otherwise. */
export function aClusterObject(spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  return {
    apiVersion: OLDER,
    kind: 'ClusterInformation',
    metadata: { name: 'default', ...metadata },
    spec: {
      clusterGUID: '5d0c3c1e8f0b4b6fa9e2d7c6b5a49382',
      clusterType: 'k8s,kdd',
      calicoVersion: 'v3.33.0',
      datastoreReady: false,
      ...spec,
    },
  };
}

/** An empty block of a node. */
export function aBlockObject(cidr: string, node = 'node-a'): JsonObject {
  const [base = '', length = ''] = cidr.split('/');
  const size = 2 ** (32 - Number(length));
  return {
    apiVersion: OLDER,
    kind: 'IPAMBlock',
    metadata: { name: `${base.replaceAll('.', '-')}-${length}` },
    spec: {
      cidr,
      affinity: `host:${node}`,
      allocations: Array.from({ length: size }, () => null),
      unallocated: Array.from({ length: size }, (_, at) => at),
      attributes: [],
      strictAffinity: false,
      deleted: false,
    },
  };
}

/** What the user set on the pool, partly in the copy of the older group's clients. */
export function userMetadata({ flavor }: Group): JsonObject {
  const labels = { team: 'blue' };
  if (flavor === 'v3')
    return {
      labels,
      annotations: { note: 'ours' },
      finalizers: ['projectcalico.org/ippool-finalizer'],
    };
  return {
    labels,
    annotations: {
      'projectcalico.org/metadata':
        '{"creationTimestamp":"2026-11-01T00:00:00Z","labels":{"tier":"gold"},"annotations":{"note":"ours"}}',
    },
  };
}

/** A cluster of these objects in memory. */
export function splitWorld(group: Group, objects: readonly JsonObject[]): MemoryDatastore {
  const world = new MemoryDatastore(
    { datastore: 'memory', apiGroup: group.version },
    { flavor: group.flavor },
  );
  for (const kind of ['ClusterInformation', 'IPPool', 'IPAMBlock', 'IPAMConfig'] as const)
    world.declare(kind);
  for (const object of objects) {
    const { kind } = object;
    world.put(kind as ResourceKind, inGroup(object, group.version));
  }
  return world;
}

/** Everything that is stored, without what the server sets, by kind and name. */
export function contentOf(world: MemoryDatastore): Record<string, JsonValue> {
  const entries = world.storedObjects().map(({ kind, value }): [string, JsonValue] => {
    const { name } = (value as { metadata: { name: string } }).metadata;
    return [`${kind} ${name}`, withoutServerTexts(value as JsonObject)];
  });
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

const SERVER_TEXTS = ['uid', 'resourceVersion', 'generation', 'creationTimestamp', 'managedFields'];

/** An object without what the server sets. */
export function withoutServerTexts(object: JsonObject): JsonObject {
  const metadata = Object.entries(object['metadata'] as JsonObject);
  const kept = metadata.filter(([name]) => !SERVER_TEXTS.includes(name));
  return { ...object, metadata: Object.fromEntries(kept) };
}

/** Hands writes on until so many have been done; the next one ends the run, before or after it took effect. */
export class CutDatastore implements WritableDatastore {
  writes = 0;
  readonly capabilities;
  readonly keys;
  readonly #inner: WritableDatastore;
  readonly #most: number;
  readonly #isAnswerLost: boolean;

  constructor(inner: WritableDatastore, most: number, { isAnswerLost = false } = {}) {
    this.#inner = inner;
    this.#most = most;
    this.#isAnswerLost = isAnswerLost;
    this.capabilities = inner.capabilities;
    this.keys = inner.keys;
  }

  describe(): ReturnType<Datastore['describe']> {
    return this.#inner.describe();
  }

  get(kind: ResourceKind, key: ResourceKey): Promise<Row | undefined> {
    return this.#inner.get(kind, key);
  }

  list(kind: ResourceKind, options?: ListOptions): Promise<Listing> {
    return this.#inner.list(kind, options);
  }

  create<R extends WritableRow>(row: R): Promise<R> {
    return this.#counted(() => this.#inner.create(row));
  }

  update<R extends WritableRow>(row: R): Promise<R> {
    return this.#counted(() => this.#inner.update(row));
  }

  remove(row: RowVersion): Promise<void> {
    return this.#counted(() => this.#inner.remove(row));
  }

  compareRevisions(a: Revision, b: Revision): number | undefined {
    return this.#inner.compareRevisions(a, b);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  async #counted<T>(write: () => Promise<T>): Promise<T> {
    if (this.writes === this.#most) throw new Error('killed');
    this.writes++;
    const result = await write();
    if (this.#isAnswerLost && this.writes === this.#most) throw new Error('killed');
    return result;
  }
}

/** Runs `ipam split` in process. */
export async function runSplit(
  world: WritableDatastore,
  number = 8,
  { undo, ...more }: Partial<SplitOptions> & { readonly undo?: UndoSink } = {},
): Promise<Outcome<OutcomeDocument>> {
  return (await planned(world, number, more)).apply(undo);
}

/** Plans `ipam split` in process; pool `main` unless another one is named. */
export function planned(
  world: Datastore,
  number = 8,
  more: Partial<SplitOptions> = {},
): Promise<Mutation> {
  const request = splitRequestFrom(String(number), { name: 'main' });
  return planSplit(contextOf(world), {
    ...request,
    isUndo: false,
    isForced: false,
    isMismatchAllowed: false,
    ...more,
  });
}

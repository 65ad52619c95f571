/** Sources of an export in memory, and exports into memory. */
import { createHash } from 'node:crypto';
import type { Datastore, DatastoreCapabilities } from '../../src/datastore/datastore.ts';
import { MemoryDatastore } from '../../src/datastore/memory/memory-datastore.ts';
import { type MigrationFile, parseMigrationFile } from '../../src/datastore/migration-file.ts';
import { OBJECT_KINDS } from '../../src/datastore/object-store.ts';
import { readDocuments } from '../../src/datastore/snapshot/documents.ts';
import type { Revision } from '../../src/ipam/model/resource.ts';
import type { OperationContext } from '../../src/operations/context.ts';
import type { MigrationExportDocument } from '../../src/operations/documents/migration-export-document.ts';
import type { ExportOptions, MigrationOutput } from '../../src/operations/export/export-options.ts';
import { planExport } from '../../src/operations/export-datastore.ts';
import type { Outcome } from '../../src/operations/outcome.ts';
import { type JsonObject, type JsonValue, parseJson } from '../../src/support/json.ts';
import { NOW } from './builders.ts';

/** A key of etcd with its value; a text stands for itself, be it JSON or not. */
export interface Entry {
  readonly key: string;
  readonly value: JsonValue;
}

const RESOURCES = '/calico/resources/v3/projectcalico.org/';

/** ClusterInformation of a locked cluster. */
export const LOCKED: Entry = {
  key: `${RESOURCES}clusterinformations/default`,
  value: {
    kind: 'ClusterInformation',
    apiVersion: 'projectcalico.org/v3',
    metadata: { name: 'default', uid: 'u-1', creationTimestamp: '2026-08-31T12:00:00Z' },
    spec: { clusterGUID: 'guid-1', calicoVersion: 'v3.33.0', datastoreReady: false },
  },
};

/** A node of Calico; without a second name it is none of Kubernetes. */
export function nodeEntry(name: string, ...kubernetesNames: readonly string[]): Entry {
  return objectEntry('nodes', 'Node', name, {
    orchRefs: kubernetesNames.map((nodeName) => ({ nodeName, orchestrator: 'k8s' })),
  });
}

/** A whole object; the name of a namespaced one begins with the namespace. */
export function objectEntry(
  ...[plural, kind, path, spec, metadata = {}]: [string, string, string, JsonObject, JsonObject?]
): Entry {
  const [name = '', namespace] = path.split('/').reverse();
  return {
    key: `${RESOURCES}${plural}/${path}`,
    value: {
      kind,
      apiVersion: 'projectcalico.org/v3',
      metadata: { name, ...(namespace === undefined ? {} : { namespace }), ...metadata },
      spec,
    },
  };
}

/** A block of four addresses whose slots are taken by these attributes. */
export function blockEntry(
  cidr: string,
  affinity: string | null,
  attributes: readonly JsonObject[] = [],
): Entry {
  const slots = [0, 1, 2, 3];
  return {
    key: `/calico/ipam/v2/assignment/ipv${cidr.includes(':') ? 6 : 4}/block/${cidr.replace('/', '-')}`,
    value: {
      cidr,
      affinity,
      allocations: slots.map((slot) => (slot < attributes.length ? slot : null)),
      unallocated: slots.slice(attributes.length),
      attributes: [...attributes],
      sequenceNumber: 1795942800000000121n,
      sequenceNumberForAllocation: Object.fromEntries(
        attributes.map((_attribute, slot) => [String(slot), 1795942800000000100n + BigInt(slot)]),
      ),
      deleted: false,
    },
  };
}

/** The claim of a block. */
export function affinityEntry(owner: string, cidr: string, value: JsonValue = CONFIRMED): Entry {
  const family = cidr.includes(':') ? 6 : 4;
  return {
    key: `/calico/ipam/v2/${owner}/ipv${family}/block/${cidr.replace('/', '-')}`,
    value,
  };
}

const CONFIRMED = { state: 'confirmed', deleted: false };

/** A handle with its counts. */
export function handleEntry(id: string, block: Readonly<Record<string, number>>): Entry {
  return { key: `/calico/ipam/v2/handle/${id}`, value: { block, deleted: false } };
}

/** What an export does when it is not the usual. */
export interface SourceOptions {
  /** Live sources have to be locked, and fix the revision. */
  readonly isLive?: boolean | undefined;
  /** Kinds that the source does not hold. */
  readonly absent?: ReadonlySet<string> | undefined;
}

/** A source in the form of etcd. */
export function etcdSource(
  entries: readonly Entry[],
  options: SourceOptions = {},
): MemoryDatastore {
  const { isLive = false, absent = new Set() } = options;
  const memory = isLive
    ? new PinnedMemory({ datastore: 'etcd', server: 'https://127.0.0.1:2379' }, { flavor: 'etcd' })
    : new MemoryDatastore({ datastore: 'memory' }, { flavor: 'etcd' });
  const rows = [
    'ClusterInformation',
    'IPAMBlock',
    'IPAMHandle',
    'BlockAffinity',
    'IPAMConfig',
  ] as const;
  for (const kind of [...rows, ...OBJECT_KINDS]) if (!absent.has(kind)) memory.declare(kind);
  for (const { key, value } of entries)
    memory.putEntry(key, typeof value === 'string' ? parsed(value) : value);
  return memory;
}

/** Memory that behaves as a live datastore whose every read is at revision 4711. */
class PinnedMemory extends MemoryDatastore {
  override readonly capabilities: DatastoreCapabilities = { live: true, writable: true };

  pin(): Promise<{ datastore: Datastore; revision: Revision }> {
    return Promise.resolve({ datastore: this, revision: '4711' as Revision });
  }
}

/** Ports of an operation over a datastore. */
export function contextOver(datastore: Datastore): OperationContext {
  return {
    datastore,
    clock: { now: () => NOW, sleep: () => Promise.resolve() },
    progress: { step: () => undefined, warn: () => undefined },
    signal: new AbortController().signal,
    toolVersion: '0.0.0-test',
  };
}

/** An output that keeps the text. */
export class TextOutput implements MigrationOutput {
  readonly file: string;
  text: string | undefined;
  largestPiece = 0;

  constructor(file = 'out.calico') {
    this.file = file;
  }

  newHash() {
    return createHash('sha256');
  }

  async write(content: AsyncIterable<string>): Promise<'whole'> {
    const pieces: string[] = [];
    for await (const piece of content) {
      pieces.push(piece);
      this.largestPiece = Math.max(this.largestPiece, piece.length);
    }
    this.text = pieces.join('');
    return 'whole';
  }
}

/** An export that was run, and what it wrote. */
export interface Exported extends Outcome<MigrationExportDocument> {
  readonly text: string | undefined;
}

/** Runs an export into memory. */
export async function exported(
  source: readonly Entry[] | Datastore,
  { skipNodes = [], isMismatchAllowed = true }: Partial<ExportOptions> = {},
): Promise<Exported> {
  const datastore = isEntries(source) ? etcdSource([LOCKED, ...source]) : source;
  const output = new TextOutput();
  const migration = await planExport(contextOver(datastore), { skipNodes, isMismatchAllowed });
  return { ...(await migration.write(output)), text: output.text };
}

/** The file that an export wrote, as our own parser reads it. */
export function fileOf({ text, error }: Exported): MigrationFile {
  if (text === undefined) throw error ?? new Error('nothing was written');
  return readMigration(text);
}

/** Takes a migration file apart. */
export function readMigration(text: string): MigrationFile {
  return parseMigrationFile(text, (part) =>
    [...readDocuments(part, 'test')].map(({ value }) => value),
  );
}

/** Values of the third part by key. */
export function entriesOf(exportedFile: Exported): ReadonlyMap<string, JsonObject> {
  return new Map(
    fileOf(exportedFile).entries.map(({ path, value }) => [path, value as JsonObject]),
  );
}

function isEntries(source: readonly Entry[] | Datastore): source is readonly Entry[] {
  return Array.isArray(source);
}

function parsed(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

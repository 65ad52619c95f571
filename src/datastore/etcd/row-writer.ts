import { InternalError } from '../../errors/internal-error.ts';
import { UnsupportedError } from '../../errors/unsupported-error.ts';
import {
  type JsonObject,
  keyText,
  type ResourceKey,
  type ResourceKind,
} from '../../ipam/model/resource.ts';
import { isReadable, type Row } from '../../ipam/model/row.ts';
import { encodeRow } from '../codec/encode.ts';
import { entryPathOf } from '../codec/entry-path.ts';
import { entryText } from '../codec/entry-text.ts';
import { isObject } from '../codec/fields.ts';
import type { RowVersion, WritableRow } from '../datastore.ts';
import { conflict, notFound } from '../row-errors.ts';
import { revisionText, rowOfEntry, storedValue, wholeRowOf } from './entry-row.ts';
import { EntryWriter } from './entry-writer.ts';
import type { EtcdClient, EtcdEntry } from './etcd-client.ts';
import { newResource, storedResource } from './resource-value.ts';
import type { Stamps } from './stamps.ts';

type Signal = AbortSignal | undefined;

/** Kinds that are whole resources in etcd; the others are values of IPAM. */
const RESOURCES: ReadonlySet<ResourceKind> = new Set<ResourceKind>([
  'IPPool',
  'ClusterInformation',
]);

/** How often the mark of a host is looked at again because somebody else wrote it. */
const FORGET_ATTEMPTS = 3;

/** Writes rows, each under the mod revision that was read and in Calico's own spelling. */
export class EtcdRowWriter {
  readonly #client: EtcdClient;
  readonly #stamps: Stamps;
  readonly #entries: EntryWriter;

  constructor(client: EtcdClient, stamps: Stamps) {
    this.#client = client;
    this.#stamps = stamps;
    this.#entries = new EntryWriter(client);
  }

  /** @throws {@link AlreadyExistsError} */
  async create<R extends WritableRow>(row: R, signal: Signal): Promise<R> {
    const path = pathOf(row);
    const encoded = encodeRow({ ...row, uid: undefined, revision: undefined }, 'etcd');
    const value = RESOURCES.has(row.kind) ? newResource(encoded, this.#stamps) : encoded;
    const text = entryText(value);
    const written = rowToWrite(row, path, text);
    const revision = await this.#entries.create({ name: row, path, text, signal }, isLeftover);
    return { ...written, revision: revisionText(revision) };
  }

  /** @throws {@link ConflictError} @throws {@link NotFoundError} */
  async update<R extends WritableRow>(row: R, signal: Signal): Promise<R> {
    const path = pathOf(row);
    const modRevision = revisionOf(row);
    const object = row.object ?? (await this.#read(row, { path, modRevision, signal }));
    const encoded = encodeRow({ ...row, object, uid: undefined, revision: undefined }, 'etcd');
    const text = entryText(RESOURCES.has(row.kind) ? storedResource(encoded) : encoded);
    const written = rowToWrite(row, path, text);
    const revision = await this.#entries.replace({ name: row, path, text, modRevision, signal });
    return { ...written, revision: revisionText(revision) };
  }

  /** @throws {@link ConflictError} @throws {@link NotFoundError} */
  remove(row: RowVersion, signal: Signal): Promise<void> {
    const modRevision = revisionOf(row);
    return this.#entries.remove({ name: row, path: pathOf(row), modRevision, signal });
  }

  /** Removes the mark of a host, as it is at the moment. */
  async forgetHost(path: string, name: ResourceKey, signal: Signal): Promise<void> {
    for (let attempt = 1; attempt <= FORGET_ATTEMPTS; attempt++) {
      const [entry] = (await this.#client.get(path, { signal })).entries;
      if (entry === undefined) return;
      const { modRevision } = entry;
      const answer = await this.#client.remove(path, { modRevision, signal });
      if (answer.done || answer.current === undefined) return;
    }
    throw conflict({ kind: 'Node', key: name });
  }

  /** What is stored, for a row that comes without it. */
  async #read(
    row: WritableRow,
    { path, modRevision, signal }: { path: string; modRevision: bigint; signal: Signal },
  ): Promise<JsonObject | undefined> {
    const [entry] = (await this.#client.get(path, { signal })).entries;
    if (entry === undefined) throw notFound(row);
    if (entry.modRevision !== modRevision) throw conflict(row);
    const value = storedValue(entry);
    return isObject(value) ? value : undefined;
  }
}

function pathOf({ kind, key }: { kind: ResourceKind; key: ResourceKey }): string {
  const path = entryPathOf(kind, key);
  if (path === undefined) throw new UnsupportedError(`etcd does not keep rows of kind ${kind}`);
  return path;
}

function revisionOf({ kind, key, revision }: WritableRow | RowVersion): bigint {
  if (revision === undefined)
    throw new InternalError(`${kind} ${keyText(key)} was to be written without its revision`);
  if (!/^\d+$/.test(revision))
    throw new InternalError(`${kind} ${keyText(key)} has revision ${revision}, none of etcd's`);
  return BigInt(revision);
}

/** What stands in the way of a create only because nobody finished removing it. */
function isLeftover(entry: EtcdEntry): boolean {
  const row = rowOfEntry(entry, storedValue(entry));
  return row !== undefined && 'deleted' in row && row.deleted;
}

/**
 * The row that this text would be, checked before anything is written.
 * @throws {@link InternalError} when nobody could read it.
 */
function rowToWrite<R extends WritableRow>(written: R, path: string, text: string): R {
  const entry = { key: path, value: text, modRevision: 0n, createRevision: 0n };
  const row: Row | undefined = wholeRowOf(entry);
  if (row !== undefined && isReadable(row)) return row as R; // The codec reads a kind as the row of that kind.
  const problem = row === undefined ? 'its key is none' : row.unreadable;
  throw new InternalError(
    `${written.kind} ${keyText(written.key)} would not be readable: ${problem}`,
  );
}

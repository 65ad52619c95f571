import type { ResourceKey, ResourceKind, Revision } from '../../ipam/model/resource.ts';
import { ENTRY_KEYS } from '../../ipam/model/row-keys.ts';
import type { Row } from '../../ipam/model/row.ts';
import { entryFoldersOf, hostPathOf, storedPathOf } from '../codec/entry-path.ts';
import { CallSignals } from '../call-signals.ts';
import type {
  Datastore,
  DatastoreCapabilities,
  Listing,
  ListOptions,
  SourceDescription,
} from '../datastore.ts';
import { beginPages } from './entry-pages.ts';
import { revisionText, rowOfEntry, storedValue, wholeRowOf, withStored } from './entry-row.ts';
import type { EtcdClient, EtcdEntry } from './etcd-client.ts';
import { EtcdObjects } from './etcd-objects.ts';
import type { Stamps } from './stamps.ts';

/** What reading needs. */
export interface ReaderParts {
  readonly client: EtcdClient;
  /** Entries of a page; the client's own number when absent. */
  readonly pageSize?: number | undefined;
  /** Ends everything that the connection does. */
  readonly signal?: AbortSignal | undefined;
  /** Every read is as of this revision; the newest when absent. */
  readonly revision?: bigint | undefined;
  readonly stamps: Stamps;
}

const DECIMAL = /^\d+$/;

/** Reads rows out of etcd, at the newest revision or at a given one. */
export class EtcdReader implements Datastore {
  readonly capabilities: DatastoreCapabilities;
  readonly keys = ENTRY_KEYS;
  readonly objects: EtcdObjects;
  readonly #parts: ReaderParts;
  readonly #signals: CallSignals;

  constructor(parts: ReaderParts) {
    this.#parts = parts;
    this.#signals = new CallSignals(parts.signal);
    // What is read at one revision does not change.
    this.capabilities = { live: parts.revision === undefined, writable: false };
    this.objects = new EtcdObjects({
      ...parts,
      signalOf: (signal) => this.signalOf(signal),
    });
  }

  describe(): SourceDescription {
    return { datastore: 'etcd', server: this.#parts.client.displayEndpoints };
  }

  async get(
    kind: ResourceKind,
    key: ResourceKey,
    options: { signal?: AbortSignal | undefined } = {},
  ): Promise<Row | undefined> {
    const signal = this.signalOf(options.signal);
    const path = storedPathOf(kind, key);
    if (path === undefined) return undefined;
    const { client, revision } = this.#parts;
    const { entries } = await client.get(path, { revision, signal });
    const [entry] = entries;
    return entry && wholeRowOf(entry);
  }

  async list(kind: ResourceKind, options: ListOptions = {}): Promise<Listing> {
    const signal = this.signalOf(options.signal);
    const places = entryFoldersOf(kind);
    if (places === undefined) return { absent: 'not-loaded', rows: nothing() };
    const { revision, pages } = await beginPages({ ...this.#parts, places, signal });
    return { revision: revisionText(revision), rows: rowsOf(kind, pages, options) };
  }

  async knowsHost(
    host: string,
    options: { signal?: AbortSignal | undefined } = {},
  ): Promise<boolean> {
    const signal = this.signalOf(options.signal);
    const { client, revision } = this.#parts;
    const { entries } = await client.get(hostPathOf(host), { revision, signal });
    return entries.length > 0;
  }

  compareRevisions(a: Revision, b: Revision): number | undefined {
    if (!DECIMAL.test(a) || !DECIMAL.test(b)) return undefined;
    const [first, second] = [BigInt(a), BigInt(b)];
    return first < second ? -1 : Number(first > second);
  }

  /** Closes what was read from; the client belongs to whoever opened it. */
  close(): Promise<void> {
    this.#signals.close();
    return Promise.resolve();
  }

  /** The signal of a call together with that of the connection. */
  signalOf(signal: AbortSignal | undefined): AbortSignal | undefined {
    return this.#signals.of(signal);
  }
}

async function* rowsOf(
  kind: ResourceKind,
  pages: AsyncIterable<readonly EtcdEntry[]>,
  { keep }: ListOptions,
): AsyncGenerator<readonly Row[]> {
  for await (const page of pages) {
    const batch: Row[] = [];
    for (const entry of page) {
      const value = storedValue(entry);
      const row = rowOfEntry(entry, value);
      if (row?.kind !== kind) continue;
      batch.push(keep?.(row) === true ? withStored(row, entry, value) : row);
    }
    yield batch;
  }
}

async function* nothing(): AsyncGenerator<readonly Row[]> {
  // A kind that is not in etcd has no rows.
}

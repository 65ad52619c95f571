/** A writable datastore of decoded rows, for tests of operations that write. */
import type {
  DatastoreCapabilities,
  Listing,
  RowVersion,
  SourceDescription,
  WritableDatastore,
  WritableRow,
} from '../../src/datastore/datastore.ts';
import { OBJECT_KEYS } from '../../src/ipam/model/row-keys.ts';
import { AlreadyExistsError } from '../../src/errors/already-exists-error.ts';
import { ConflictError } from '../../src/errors/conflict-error.ts';
import { NotFoundError } from '../../src/errors/not-found-error.ts';
import {
  type ResourceKey,
  type ResourceKind,
  type Revision,
  keyText,
} from '../../src/ipam/model/resource.ts';
import type { Row } from '../../src/ipam/model/row.ts';
import { KUBERNETES_KINDS } from './builders.ts';

/** A request that is about to be served; what it throws is the answer. */
export interface SeenRequest {
  readonly verb: 'get' | 'list' | 'create' | 'update' | 'remove';
  readonly kind: ResourceKind;
  readonly name: string;
  /** How many of this verb and kind there were, this one included. */
  readonly nth: number;
}

/** How the datastore behaves. */
export interface RowDatastoreOptions {
  readonly live?: boolean | undefined;
  readonly writable?: boolean | undefined;
  /** Kinds that the source does not know. */
  readonly without?: readonly ResourceKind[] | undefined;
  /** Sees each request first: it may change rows, or throw. */
  readonly onRequest?: ((request: SeenRequest, datastore: RowDatastore) => void) | undefined;
}

/** Keeps rows as they are; revisions count up, and every write is conditional. */
export class RowDatastore implements WritableDatastore {
  readonly capabilities: DatastoreCapabilities;
  readonly keys = OBJECT_KEYS;
  /** Requests in order, such as `update IPAMBlock 10-0-0-0-26`. */
  readonly requests: string[] = [];
  private readonly rows = new Map<string, Row>();
  private readonly counts = new Map<string, number>();
  private readonly options: RowDatastoreOptions;
  private revision = 5000;

  constructor(rows: readonly Row[], options: RowDatastoreOptions = {}) {
    this.options = options;
    this.capabilities = { live: options.live ?? false, writable: options.writable ?? true };
    for (const row of rows) this.put(row);
  }

  /** A datastore of the same rows, with their revisions. */
  copy(options: RowDatastoreOptions = {}): RowDatastore {
    const copy = new RowDatastore([], { ...this.options, onRequest: undefined, ...options });
    for (const [slot, row] of this.rows) copy.rows.set(slot, row);
    copy.revision = this.revision;
    return copy;
  }

  /** Stores a row under a new revision, as another client would. */
  put(row: Row): void {
    this.rows.set(slotOf(row.kind, row.key), { ...row, revision: this.next() });
  }

  /** Takes a row away, as another client would. */
  drop(kind: ResourceKind, name: string): void {
    this.rows.delete(slotOf(kind, { name }));
  }

  /** Rows of a kind, by name. */
  all<K extends ResourceKind>(kind: K): readonly Extract<Row, { kind: K }>[] {
    const found = [...this.rows.values()].filter((row) => row.kind === kind) as Extract<
      Row,
      { kind: K }
    >[];
    return found.sort((a, b) => (keyText(a.key) < keyText(b.key) ? -1 : 1));
  }

  /** Writes of all sorts. */
  get writes(): readonly string[] {
    return this.requests.filter((request) => /^(create|update|remove) /.test(request));
  }

  describe(): SourceDescription {
    return { datastore: 'memory', apiGroup: 'crd.projectcalico.org/v1' };
  }

  async get(kind: ResourceKind, key: ResourceKey): Promise<Row | undefined> {
    this.note('get', kind, key);
    return Promise.resolve(this.rows.get(slotOf(kind, key)));
  }

  async list(kind: ResourceKind): Promise<Listing> {
    this.note('list', kind, { name: '' });
    const isKnown =
      KUBERNETES_KINDS.includes(kind) && this.options.without?.includes(kind) !== true;
    const rows = this.all(kind);
    const batches = (async function* () {
      yield rows as readonly Row[];
    })();
    return Promise.resolve({ absent: isKnown ? undefined : 'not-loaded', rows: batches });
  }

  async create<R extends WritableRow>(row: R): Promise<R> {
    this.note('create', row.kind, row.key);
    if (this.rows.has(slotOf(row.kind, row.key))) throw new AlreadyExistsError('it is there');
    return Promise.resolve(this.store(row));
  }

  async update<R extends WritableRow>(row: R): Promise<R> {
    this.note('update', row.kind, row.key);
    this.assertUnchanged(row as RowVersion);
    return Promise.resolve(this.store(row));
  }

  async remove(row: RowVersion): Promise<void> {
    this.note('remove', row.kind, row.key);
    this.assertUnchanged(row);
    this.rows.delete(slotOf(row.kind, row.key));
    return Promise.resolve();
  }

  compareRevisions(a: Revision, b: Revision): number {
    return Number(a) - Number(b);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private store<R extends WritableRow>(row: R): R {
    const stored = {
      ...row,
      revision: this.next(),
      ...(row.kind === 'BlockAffinity' ? { labelled: true } : {}),
    };
    this.rows.set(slotOf(row.kind, row.key), stored);
    return stored;
  }

  private assertUnchanged(row: RowVersion): void {
    const stored = this.rows.get(slotOf(row.kind, row.key));
    if (stored === undefined) throw new NotFoundError(`${row.kind} ${row.key.name} is gone`);
    if (stored.revision !== row.revision)
      throw new ConflictError(`${row.kind} ${row.key.name} has changed`);
  }

  private next(): Revision {
    return String(++this.revision) as Revision;
  }

  private note(verb: SeenRequest['verb'], kind: ResourceKind, key: ResourceKey): void {
    this.requests.push(key.name === '' ? `${verb} ${kind}` : `${verb} ${kind} ${keyText(key)}`);
    const nth = (this.counts.get(`${verb} ${kind}`) ?? 0) + 1;
    this.counts.set(`${verb} ${kind}`, nth);
    this.options.onRequest?.({ verb, kind, name: key.name, nth }, this);
  }
}

function slotOf(kind: ResourceKind, key: ResourceKey): string {
  return `${kind} ${keyText(key)}`;
}

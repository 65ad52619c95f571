import { setImmediate } from 'node:timers/promises';
import type {
  Datastore,
  DatastoreCapabilities,
  ListOptions,
  Listing,
  RevisionOptions,
  SourceDescription,
} from '../../src/datastore/datastore.ts';
import {
  type ResourceKey,
  type ResourceKind,
  type Revision,
  keyText,
} from '../../src/ipam/model/resource.ts';
import { OBJECT_KEYS } from '../../src/ipam/model/row-keys.ts';
import type { Row } from '../../src/ipam/model/row.ts';
import type { OperationContext } from '../../src/operations/context.ts';
import { KUBERNETES_KINDS, NOW } from './builders.ts';

/** What a script may do at a request: change the rows, or throw. `nth` counts requests of this sort for the kind, from 1. */
export type Script = (request: {
  readonly verb: 'list' | 'get' | 'revisions';
  readonly kind: ResourceKind;
  readonly nth: number;
}) => void;

/** A live datastore of rows in memory whose state a script changes between requests. */
export class ScriptedDatastore implements Datastore {
  readonly capabilities: DatastoreCapabilities = { live: true, writable: false };
  readonly keys = OBJECT_KEYS;
  /** Requests in order, such as `list Pod` or `get IPAMBlock 10-0-0-0-26`. */
  readonly requests: string[] = [];
  protected rows: readonly Row[];
  private readonly counts = new Map<string, number>();
  private readonly script: Script;
  private revision = 1000;

  constructor(rows: readonly Row[], script: Script = () => undefined) {
    this.rows = rows;
    this.script = script;
  }

  /** Replaces all rows: what a cluster looks like from now on. */
  set(rows: readonly Row[]): void {
    this.rows = rows;
    this.revision++;
  }

  describe(): SourceDescription {
    return { datastore: 'kubernetes', context: 'test', apiGroup: 'crd.projectcalico.org/v1' };
  }

  async list(kind: ResourceKind, _options?: ListOptions): Promise<Listing> {
    this.note('list', kind);
    const rows = this.rows.filter((row) => row.kind === kind);
    const revision = String(this.revision) as Revision;
    await setImmediate();
    const absent = KUBERNETES_KINDS.includes(kind) ? undefined : 'not-loaded';
    return { absent, revision, rows: batches(rows) };
  }

  async get(kind: ResourceKind, key: ResourceKey): Promise<Row | undefined> {
    this.note('get', kind, key);
    const row = this.rows.find((row) => row.kind === kind && keyText(row.key) === keyText(key));
    await setImmediate();
    return row;
  }

  compareRevisions(a: Revision, b: Revision): number {
    return Number(a) - Number(b);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  protected note(verb: 'list' | 'get' | 'revisions', kind: ResourceKind, key?: ResourceKey): void {
    this.requests.push(key ? `${verb} ${kind} ${keyText(key)}` : `${verb} ${kind}`);
    const nth = (this.counts.get(`${verb} ${kind}`) ?? 0) + 1;
    this.counts.set(`${verb} ${kind}`, nth);
    this.script({ verb, kind, nth });
  }
}

/** One that can list revisions alone, as an API server does. */
export class RevisionListingDatastore extends ScriptedDatastore {
  async revisions(
    kind: ResourceKind,
    { isWanted }: RevisionOptions,
  ): Promise<ReadonlyMap<string, Revision>> {
    this.note('revisions', kind);
    await setImmediate();
    return new Map(
      this.rows
        .filter((row) => row.kind === kind && isWanted(row.key))
        .map(({ key, revision }) => [keyText(key), revision ?? ('' as Revision)]),
    );
  }
}

async function* batches(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  for (let at = 0; at < rows.length; at += 2) {
    await setImmediate();
    yield rows.slice(at, at + 2);
  }
}

/** Ports for an operation in a test: a fixed clock whose waits end at once, progress that is kept. */
export function contextOf(
  datastore: Datastore,
  more: Partial<OperationContext> = {},
): OperationContext {
  return {
    datastore,
    clock: { now: () => NOW, sleep: () => Promise.resolve() },
    progress: { step: () => undefined, warn: () => undefined },
    signal: new AbortController().signal,
    toolVersion: '0.0.0-test',
    ...more,
  };
}

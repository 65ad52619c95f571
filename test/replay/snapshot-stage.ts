import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { entryPathOf } from '../../src/datastore/codec/entry-path.ts';
import type { WritableDatastore } from '../../src/datastore/datastore.ts';
import { openSnapshot } from '../../src/datastore/snapshot/snapshot-datastore.ts';
import type { ResourceKind } from '../../src/ipam/model/resource.ts';
import type { Row } from '../../src/ipam/model/row.ts';
import type { JsonObject, JsonValue } from '../../src/support/json.ts';
import { entryText } from '../../src/datastore/codec/entry-text.ts';
import { nameOf } from './json-values.ts';
import { isRowEntry, kindOfPlural, rowPlurals } from './plurals.ts';
import { snapshotText } from './snapshot-file.ts';
import type { ObjectPlace, Stage, StageHouse } from './stage.ts';
import { testClock } from './test-clock.ts';
import type { TraceForm } from './trace.ts';

const HOSTS = '/calico/ipam/v2/host/';

/** Stages in files of a folder of their own. */
export async function openSnapshotHouse(): Promise<StageHouse> {
  const folder = await mkdtemp(join(tmpdir(), 'ipamctl-replay-'));
  let files = 0;
  return {
    open: async (form) => {
      const stage = new SnapshotStage(form, join(folder, `${++files}.snapshot`));
      await stage.rewrite(new Map());
      return stage;
    },
    close: () => rm(folder, { recursive: true }),
  };
}

/**
 * A file that is opened anew after each step of the set-up, and whose rows are read from what ipamctl has written to it.
 * What ipamctl does not write stays in memory.
 */
class SnapshotStage implements Stage {
  readonly form: TraceForm;
  readonly clock = testClock();
  readonly datastore: WritableDatastore;
  readonly #file: string;
  /** Pools, nodes, reservations, and entries that note hosts, by their place. */
  #around: Map<string, JsonValue> = new Map<string, JsonValue>();
  #opened: WritableDatastore | undefined;

  constructor(form: TraceForm, file: string) {
    this.form = form;
    this.#file = file;
    this.datastore = this.#current();
  }

  async readObject({ plural, name }: ObjectPlace): Promise<JsonObject | undefined> {
    return (await this.#contents()).get(`${plural}/${name}`) as JsonObject | undefined;
  }

  async writeObject(plural: string, object: JsonObject): Promise<void> {
    await this.#set(`${plural}/${nameOf(object)}`, withDefaults(plural, object));
  }

  async removeObject({ plural, name }: ObjectPlace): Promise<void> {
    await this.#set(`${plural}/${name}`, undefined);
  }

  async readEntry(key: string): Promise<string | undefined> {
    return (await this.#contents()).get(key) as string | undefined;
  }

  async writeEntry(key: string, value: string): Promise<void> {
    await this.#set(key, value);
  }

  async removeEntry(key: string): Promise<void> {
    await this.#set(key, undefined);
  }

  async rows(): Promise<ReadonlyMap<string, JsonValue>> {
    const around = [...this.#around].filter(([place]) => isRowEntry(place));
    return new Map([...around, ...(await this.#stored())]);
  }

  async close(): Promise<void> {
    await this.#opened?.close();
  }

  /** Makes the file hold this and nothing else. */
  async rewrite(contents: ReadonlyMap<string, JsonValue>): Promise<void> {
    await this.#opened?.close();
    await writeFile(this.#file, snapshotText(contents, this.form));
    this.#opened = await this.#open();
  }

  async #set(place: string, value: JsonValue | undefined): Promise<void> {
    const contents = new Map(await this.#contents());
    if (value === undefined) contents.delete(place);
    else contents.set(place, value);
    this.#around = new Map([...contents].filter(([one]) => !this.#isRow(one)));
    await this.rewrite(contents);
  }

  /** Whether ipamctl writes rows of this place. */
  #isRow(place: string): boolean {
    if (this.form !== 'etcd')
      return rowPlurals(this.form).some((plural) => place.startsWith(`${plural}/`));
    return place.startsWith('/calico/ipam/') && !/^\/calico\/ipam\/v2\/host\/[^/]+$/.test(place);
  }

  async #contents(): Promise<ReadonlyMap<string, JsonValue>> {
    return new Map([...this.#around, ...(await this.#stored())]);
  }

  /** The rows in the file, as somebody else would read them. */
  async #stored(): Promise<ReadonlyMap<string, JsonValue>> {
    const datastore = await this.#open();
    const rows = new Map<string, JsonValue>();
    for (const plural of rowPlurals(this.form)) {
      const kind = kindOfPlural(plural);
      for (const { key, object } of await allRows(datastore, kind)) {
        const place =
          this.form === 'etcd' ? (entryPathOf(kind, key) ?? '') : `${plural}/${key.name}`;
        rows.set(place, this.form === 'etcd' ? textOfEntry(object) : (object ?? {}));
      }
    }
    await datastore.close();
    return rows;
  }

  async #open(): Promise<WritableDatastore> {
    return openSnapshot(this.#file, { stdin: Readable.from([]), now: () => this.clock.now() });
  }

  /** The datastore that is open at the moment, under one identity. */
  #current(): WritableDatastore {
    const forgetHost = async (host: string): Promise<void> =>
      void this.#around.delete(`${HOSTS}${host}`);
    return new Proxy({} as WritableDatastore, {
      get: (_target, name): unknown => {
        if (name === 'forgetHost') return forgetHost;
        const value: unknown = this.#opened && Reflect.get(this.#opened, name, this.#opened);
        return typeof value === 'function' ? value.bind(this.#opened) : value;
      },
    });
  }
}

/** What the schemas of a server fill in where a scenario leaves it out. */
function withDefaults(plural: string, object: JsonObject): JsonObject {
  if (plural !== 'ipamblocks') return object;
  return { ...object, spec: { sequenceNumber: 0, ...(object['spec'] as JsonObject) } };
}

async function allRows(datastore: WritableDatastore, kind: ResourceKind): Promise<readonly Row[]> {
  const { rows } = await datastore.list(kind, { keep: () => true });
  const all: Row[] = [];
  for await (const batch of rows) all.push(...batch);
  return all;
}

/** An entry that is no object is an empty text. */
function textOfEntry(object: JsonObject | undefined): string {
  return object === undefined ? '' : entryText(object);
}

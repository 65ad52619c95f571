import { MemoryDatastore } from '../../src/datastore/memory/memory-datastore.ts';
import type { JsonObject, JsonValue } from '../../src/support/json.ts';
import { parseJson } from '../../src/support/json.ts';
import { entryText } from '../../src/datastore/codec/entry-text.ts';
import { memberOf, nameOf } from './json-values.ts';
import { isRowEntry, kindOfPlural, rowPlurals, versionOf } from './plurals.ts';
import type { ObjectPlace, Stage } from './stage.ts';
import { testClock } from './test-clock.ts';
import type { TraceForm } from './trace.ts';

const HOSTS = '/calico/ipam/v2/host/';

/** A stage in memory. */
export async function openMemoryStage(form: TraceForm): Promise<Stage> {
  return new MemoryStage(form);
}

/** Memory that also keeps the entries by which etcd notes hosts; no row of ipamctl is made from them. */
class StagedMemory extends MemoryDatastore {
  readonly hosts = new Map<string, string>();

  async forgetHost(host: string): Promise<void> {
    this.hosts.delete(`${HOSTS}${host}`);
  }
}

class MemoryStage implements Stage {
  readonly form: TraceForm;
  readonly clock = testClock();
  readonly datastore: StagedMemory;
  #revision = 0;

  constructor(form: TraceForm) {
    this.form = form;
    const apiGroup = form === 'etcd' ? undefined : versionOf('ipamblocks', form);
    this.datastore = new StagedMemory(
      { datastore: 'memory', apiGroup },
      { flavor: form, now: () => this.clock.now() },
    );
    for (const plural of [...rowPlurals(form), 'ippools', 'ipreservations', 'nodes']) {
      this.datastore.declare(kindOfPlural(plural));
    }
  }

  async readObject({ plural, name }: ObjectPlace): Promise<JsonObject | undefined> {
    const kind = kindOfPlural(plural);
    const found = this.datastore
      .storedObjects()
      .find((one) => one.kind === kind && nameOf(one.value as JsonObject) === name);
    return found?.value as JsonObject | undefined;
  }

  async writeObject(plural: string, object: JsonObject): Promise<void> {
    const metadata = memberOf(object, 'metadata');
    this.#revision++;
    const uid =
      metadata['uid'] ?? `00000000-0000-4000-9000-${String(this.#revision).padStart(12, '0')}`;
    const stamped = { ...metadata, uid, resourceVersion: `${1_000_000 + this.#revision}` };
    this.datastore.put(kindOfPlural(plural), {
      ...withDefaults(plural, object),
      metadata: stamped,
    });
  }

  async removeObject({ plural, name }: ObjectPlace): Promise<void> {
    this.datastore.drop(kindOfPlural(plural), name);
  }

  async readEntry(key: string): Promise<string | undefined> {
    const found = this.datastore.storedObjects().find(({ path }) => path === key);
    return found && storedText(found.value);
  }

  async writeEntry(key: string, value: string): Promise<void> {
    const kind = this.datastore.putEntry(key, value === '' ? '' : parseJson(value));
    if (kind !== undefined) return;
    if (!key.startsWith(HOSTS)) throw new Error(`${key} is no key that ipamctl reads`);
    this.datastore.hosts.set(key, value);
  }

  async removeEntry(key: string): Promise<void> {
    const found = this.datastore.storedObjects().find(({ path }) => path === key);
    if (found) this.datastore.drop(found.kind, key);
  }

  async rows(): Promise<ReadonlyMap<string, JsonValue>> {
    const plurals = new Map<string, string>(
      rowPlurals(this.form).map((plural) => [kindOfPlural(plural), plural]),
    );
    const rows = new Map<string, JsonValue>(this.datastore.hosts);
    for (const { kind, path, value } of this.datastore.storedObjects()) {
      const plural = plurals.get(kind);
      if (path !== undefined && isRowEntry(path)) rows.set(path, storedText(value));
      else if (path === undefined && plural !== undefined)
        rows.set(`${plural}/${nameOf(value as JsonObject)}`, value);
    }
    return rows;
  }

  async close(): Promise<void> {
    await this.datastore.close();
  }
}

function storedText(value: JsonValue): string {
  return typeof value === 'string' ? value : entryText(value);
}

/** What the schemas of a server fill in where a scenario leaves it out. */
function withDefaults(plural: string, object: JsonObject): JsonObject {
  if (plural !== 'ipamblocks') return object;
  return { ...object, spec: { sequenceNumber: 0, ...memberOf(object, 'spec') } };
}

import type { WritableDatastore } from '../../src/datastore/datastore.ts';
import { openEtcdDatastore } from '../../src/datastore/etcd/etcd-datastore.ts';
import type { JsonValue } from '../../src/support/json.ts';
import { startEtcd } from '../support/etcd-process.ts';
import { EtcdStore } from '../support/etcd-store.ts';
import { isRowEntry } from './plurals.ts';
import { realClock } from './real-clock.ts';
import type { OpenStage, Stage, StageHouse } from './stage.ts';

/** Starts a real etcd for stages; only traces of etcd have a place on it. */
export async function openEtcdHouse(): Promise<StageHouse> {
  const server = await startEtcd();
  return { open: etcdStages(server.endpoint), close: () => server.stop() };
}

/** Stages on one etcd, one at a time. */
export function etcdStages(endpoint: string): OpenStage {
  const store = new EtcdStore(endpoint);
  return async (form) => {
    if (form !== 'etcd') return undefined;
    await store.wipe();
    const endpoints = { value: endpoint, origin: 'replay' };
    return new EtcdStage(store, await openEtcdDatastore({ endpoints, env: {} }));
  };
}

class EtcdStage implements Stage {
  readonly form = 'etcd';
  readonly clock = realClock();
  readonly datastore: WritableDatastore;
  readonly #store: EtcdStore;

  constructor(store: EtcdStore, datastore: WritableDatastore) {
    this.#store = store;
    this.datastore = datastore;
  }

  async readEntry(key: string): Promise<string | undefined> {
    return (await this.#store.entries(key)).get(key);
  }

  async writeEntry(key: string, value: string): Promise<void> {
    await this.#store.put([[key, value]]);
  }

  async removeEntry(key: string): Promise<void> {
    await this.#store.remove(key);
  }

  async rows(): Promise<ReadonlyMap<string, JsonValue>> {
    const entries = await this.#store.entries();
    return new Map([...entries].filter(([key]) => isRowEntry(key)));
  }

  async readObject(): Promise<never> {
    return this.#noObjects();
  }

  async writeObject(): Promise<never> {
    return this.#noObjects();
  }

  async removeObject(): Promise<never> {
    return this.#noObjects();
  }

  async close(): Promise<void> {
    await this.datastore.close();
  }

  #noObjects(): never {
    throw new Error('etcd has entries only');
  }
}

import { openKubernetesDatastore } from '../../src/datastore/kubernetes/kubernetes-datastore.ts';
import type { WritableDatastore } from '../../src/datastore/datastore.ts';
import type { JsonObject, JsonValue } from '../../src/support/json.ts';
import { type ApiClient, demand } from '../support/api-client.ts';
import { startApiServer } from '../support/api-server-process.ts';
import { type CrdGroup, serveOnly } from '../support/crds.ts';
import { wipe } from '../support/wipe.ts';
import { memberOf, nameOf } from './json-values.ts';
import { rowPlurals, versionOf } from './plurals.ts';
import { realClock } from './real-clock.ts';
import type { ObjectPlace, Stage, StageHouse } from './stage.ts';
import type { TraceForm } from './trace.ts';

const MERGE = 'application/merge-patch+json';

/** A kube-apiserver on which scenarios run. */
export interface StageServer {
  readonly admin: ApiClient;
  kubeconfig(): string;
}

/** Starts a real kube-apiserver for stages; traces of etcd have no place on it. */
export async function openKubernetesHouse(): Promise<StageHouse> {
  const server = await startApiServer();
  return { open: kubernetesStages(server), close: () => server.stop() };
}

/** Stages on one server, one at a time. */
export function kubernetesStages(
  server: StageServer,
): (form: TraceForm) => Promise<Stage | undefined> {
  let served: TraceForm | undefined;
  return async (form) => {
    if (form === 'etcd') return undefined;
    await wipe(server.admin);
    const group: CrdGroup = form === 'crd' ? 'crd.projectcalico.org' : 'projectcalico.org';
    if (served !== form) await serveOnly(server.admin, [group]);
    served = form;
    const kubeconfig = { value: server.kubeconfig(), origin: 'replay' };
    return new KubernetesStage(
      form,
      server.admin,
      await openKubernetesDatastore({ kubeconfig, env: {} }),
    );
  };
}

class KubernetesStage implements Stage {
  readonly form: TraceForm;
  readonly clock = realClock();
  readonly datastore: WritableDatastore;
  readonly #admin: ApiClient;

  constructor(form: TraceForm, admin: ApiClient, datastore: WritableDatastore) {
    this.form = form;
    this.#admin = admin;
    this.datastore = datastore;
  }

  async readObject({ plural, name }: ObjectPlace): Promise<JsonObject | undefined> {
    const path = `${this.#collection(plural)}/${name}`;
    const { status, body } = await demand(this.#admin, { method: 'GET', path, tolerate: [404] });
    return status === 404 ? undefined : (body as JsonObject);
  }

  async writeObject(plural: string, object: JsonObject): Promise<void> {
    const collection = this.#collection(plural);
    const name = nameOf(object);
    const existing = await this.readObject({ plural, name });
    if (existing) {
      const { resourceVersion } = memberOf(existing, 'metadata');
      const metadata = { ...memberOf(object, 'metadata'), resourceVersion: resourceVersion ?? '' };
      await demand(this.#admin, {
        method: 'PUT',
        path: `${collection}/${name}`,
        body: { ...object, metadata },
      });
    } else {
      await demand(this.#admin, { method: 'POST', path: collection, body: object });
    }
    const { status } = object;
    if (status === undefined) return;
    const path = `${collection}/${name}/status`;
    await demand(this.#admin, { method: 'PATCH', path, body: { status }, type: MERGE });
  }

  async removeObject({ plural, name }: ObjectPlace): Promise<void> {
    await demand(this.#admin, { method: 'DELETE', path: `${this.#collection(plural)}/${name}` });
  }

  async rows(): Promise<ReadonlyMap<string, JsonValue>> {
    const rows = new Map<string, JsonValue>();
    for (const plural of rowPlurals(this.form)) {
      const { body } = await demand(this.#admin, { method: 'GET', path: this.#collection(plural) });
      for (const item of (body as JsonObject)['items'] as readonly JsonObject[]) {
        rows.set(`${plural}/${nameOf(item)}`, item);
      }
    }
    return rows;
  }

  async readEntry(): Promise<never> {
    return this.#noEntries();
  }

  async writeEntry(): Promise<never> {
    return this.#noEntries();
  }

  async removeEntry(): Promise<never> {
    return this.#noEntries();
  }

  async close(): Promise<void> {
    await this.datastore.close();
  }

  #collection(plural: string): string {
    const version = versionOf(plural, this.form);
    return version === 'v1' ? `/api/v1/${plural}` : `/apis/${version}/${plural}`;
  }

  #noEntries(): never {
    throw new Error('Kubernetes has no entries');
  }
}

import type { JsonObject } from '../../src/ipam/model/resource.ts';
import { type ApiClient, demand } from './api-client.ts';
import { resourcePath } from './crds.ts';
import { resourceOf } from './fake-api/resources.ts';

/** Requests in flight while seeding. */
const CONCURRENCY = 16;

/** The API groups of Calico, as an object's apiVersion names them. */
export type CalicoVersion = 'crd.projectcalico.org/v1' | 'projectcalico.org/v3';

/** Creates objects through the API: each by a create, its status by the subresource. */
export async function seedCluster(
  client: ApiClient,
  objects: readonly JsonObject[],
): Promise<void> {
  const queue = [...objects];
  const work = async (): Promise<void> => {
    for (let object = queue.shift(); object; object = queue.shift())
      await createObject(client, object);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
}

async function createObject(client: ApiClient, object: JsonObject): Promise<void> {
  const resource = resourceOf(object);
  const { namespace, name } = object['metadata'] as { namespace?: string; name: string };
  const collection = resourcePath(resource, namespace);
  await demand(client, { method: 'POST', path: collection, body: object });
  if (object['status'] === undefined) return;
  const path = `${collection}/${name}/status`;
  await demand(client, {
    method: 'PATCH',
    path,
    body: { status: object['status'] },
    type: 'application/merge-patch+json',
  });
}

/** An object of the older Calico group as the given group has it; others stay as they are. */
export function inGroup(object: JsonObject, version: CalicoVersion): JsonObject {
  const isCalico = object['apiVersion'] === 'crd.projectcalico.org/v1';
  if (!isCalico || version === 'crd.projectcalico.org/v1') return object;
  const { kind, spec } = object;
  const moved = {
    ...object,
    apiVersion: version,
    kind: kind === 'IPAMConfig' ? 'IPAMConfiguration' : (kind ?? ''),
  };
  // The newer group holds a truth value where the older one has a text.
  return kind === 'BlockAffinity'
    ? {
        ...moved,
        spec: { ...(spec as JsonObject), deleted: (spec as JsonObject)['deleted'] === 'true' },
      }
    : moved;
}

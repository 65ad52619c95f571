import type { JsonObject, JsonValue } from '../../src/support/json.ts';
import { demand, type ApiClient } from './api-client.ts';
import {
  carriedResources,
  CRD_GROUPS,
  customResources,
  resourcePath,
  type ApiResource,
} from './crds.ts';

/** Core kinds that the tests create. Namespaces stay: without a controller they would never be gone. */
export const CORE_RESOURCES: readonly ApiResource[] = [
  { apiVersion: 'v1', kind: 'Pod', plural: 'pods', namespaced: true, hasStatus: true },
  { apiVersion: 'v1', kind: 'Service', plural: 'services', namespaced: true, hasStatus: true },
  { apiVersion: 'v1', kind: 'Node', plural: 'nodes', namespaced: false, hasStatus: true },
];

const NOW = { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0 };
/** The API server's own Service; it would make it again. */
const OWN_SERVICE = { namespace: 'default', name: 'kubernetes' };

/** Every kind that tests create. */
const WIPED = [
  ...CORE_RESOURCES,
  ...CRD_GROUPS.flatMap(customResources),
  ...CRD_GROUPS.flatMap(carriedResources),
];

/**
 * Deletes every node, pod, service, object of Calico and machine, finalizers or not, and returns once they are gone.
 */
export async function wipe(client: ApiClient): Promise<void> {
  for (const resource of WIPED) await wipeKind(client, resource);
}

/** How often a collection is removed again that the server could not remove in time. */
const MOST_ATTEMPTS = 20;

interface Identity {
  readonly namespace: string | undefined;
  readonly name: string;
}

async function wipeKind(client: ApiClient, resource: ApiResource): Promise<void> {
  const places = new Set((await survivors(client, resource)).map((identity) => identity.namespace));
  for (const namespace of places)
    await wipePlace(client, resourcePath(resource, namespace), namespace);
  for (const identity of await survivors(client, resource)) {
    const path = `${resourcePath(resource, identity.namespace)}/${identity.name}`;
    const type = 'application/merge-patch+json';
    await demand(client, {
      method: 'PATCH',
      path,
      body: { metadata: { finalizers: null } },
      type,
      tolerate: [404],
    });
    await demand(client, { method: 'DELETE', path, body: NOW, tolerate: [404] });
  }
}

async function wipePlace(
  client: ApiClient,
  path: string,
  namespace: string | undefined,
): Promise<void> {
  const sparing = namespace === OWN_SERVICE.namespace && path.endsWith('/services');
  const selector = sparing ? `?fieldSelector=metadata.name!%3D${OWN_SERVICE.name}` : '';
  const order = { method: 'DELETE', path: `${path}${selector}`, body: NOW, tolerate: [504] };
  // Of a hundred thousand objects the server removes a part in the time that it allows itself.
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
    if ((await demand(client, order)).status !== 504) return;
  }
  throw new Error(`${order.path} does not become empty`);
}

/** What there is of a kind, our own objects only; nothing when the kind is not served. */
async function survivors(client: ApiClient, resource: ApiResource): Promise<Identity[]> {
  const { status, body } = await demand(client, {
    method: 'GET',
    path: resourcePath(resource),
    tolerate: [404],
  });
  if (status === 404) return [];
  const identities = ((body as JsonObject)['items'] as JsonValue[]).map(identityOf);
  if (resource.kind !== 'Service') return identities;
  return identities.filter(
    ({ namespace, name }) => namespace !== OWN_SERVICE.namespace || name !== OWN_SERVICE.name,
  );
}

function identityOf(item: JsonValue): Identity {
  const { namespace, name } = (item as { metadata: { namespace?: string; name: string } }).metadata;
  return { namespace, name };
}

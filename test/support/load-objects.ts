/** Puts the objects of a dump into a real API server, so that it can be judged live. */
import type { Datastore } from '../../src/datastore/datastore.ts';
import { openSnapshot } from '../../src/datastore/snapshot/snapshot-datastore.ts';
import { RESOURCE_KINDS, type ResourceKind } from '../../src/ipam/model/resource.ts';
import type { JsonObject, JsonValue } from '../../src/support/json.ts';
import { mapLimit } from '../../src/support/map-limit.ts';
import { ApiRefusal, demand, type ApiClient } from './api-client.ts';
import {
  customResources,
  resourcePath,
  serveOnly,
  type ApiResource,
  type CrdGroup,
} from './crds.ts';
import { serverObject, type ServerObject } from './server-object.ts';
import { CORE_RESOURCES, wipe } from './wipe.ts';

/** Requests in flight. */
const WIDTH = 16;
/** Kinds that a server need not have. */
const OPTIONAL: readonly ResourceKind[] = [
  'WorkloadEndpoint',
  'VirtualMachine',
  'VirtualMachineInstance',
];
const NEWER_GROUP = 'projectcalico.org/v3';

/** Something of the dump that the server cannot show. */
export interface Refused {
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly reason: string;
}

/** Objects of a dump, one copy of each, and the kinds about which it says nothing. */
export interface Dump {
  readonly objects: readonly JsonObject[];
  readonly absent: readonly ResourceKind[];
  /** Rows that are no Kubernetes objects, as in a migration file. */
  readonly foreign: readonly Refused[];
}

/** Reads whatever `--snapshot` opens. */
export async function readDump(path: string): Promise<Dump> {
  const datastore = await openSnapshot(path, { stdin: (async function* () {})() });
  const dump = {
    objects: [] as JsonObject[],
    absent: [] as ResourceKind[],
    foreign: [] as Refused[],
  };
  for (const kind of RESOURCE_KINDS) await readKind(datastore, kind, dump);
  return dump;
}

async function readKind(
  datastore: Datastore,
  kind: ResourceKind,
  dump: { objects: JsonObject[]; absent: ResourceKind[]; foreign: Refused[] },
): Promise<void> {
  const listing = await datastore.list(kind, { keep: () => true });
  if (listing.absent !== undefined) dump.absent.push(kind);
  for await (const batch of listing.rows) {
    for (const { key, object } of batch) {
      if (typeof object?.['apiVersion'] === 'string') dump.objects.push(object);
      else dump.foreign.push({ kind, ...key, reason: 'it is no Kubernetes object' });
    }
  }
}

/**
 * Replaces what a server holds by a dump: serves the dump's API group and no other, wipes, creates every object.
 * @returns what the server does not take, and the kinds that it shows as empty although the dump knows nothing of them.
 */
export async function loadDump(client: ApiClient, dump: Dump): Promise<Refused[]> {
  const calico: CrdGroup = isNewerGroup(dump) ? 'projectcalico.org' : 'crd.projectcalico.org';
  const hasMachines =
    !dump.absent.includes('VirtualMachine') || !dump.absent.includes('VirtualMachineInstance');
  const groups: CrdGroup[] = hasMachines ? [calico, 'kubevirt.io'] : [calico];
  await wipe(client);
  await serveOnly(client, groups);
  await createNamespaces(client, dump.objects);
  const resources = [...CORE_RESOURCES, ...groups.flatMap(customResources)];
  const answers = await mapLimit(dump.objects, { limit: WIDTH }, (object) =>
    loadObject(client, resources, object),
  );
  const unknown = dump.absent
    .filter((kind) => !OPTIONAL.includes(kind))
    .map((kind) => ({
      kind,
      reason: 'the dump does not hold this kind, which a server always knows',
    }));
  return [...dump.foreign, ...unknown, ...answers.filter((answer) => answer !== undefined)];
}

function isNewerGroup({ objects }: Dump): boolean {
  return objects.some(({ apiVersion, kind }) => apiVersion === NEWER_GROUP && kind !== 'Node');
}

async function createNamespaces(client: ApiClient, objects: readonly JsonObject[]): Promise<void> {
  const names = new Set(
    objects.map((object) => identityOf(object).namespace).filter((name) => name !== undefined),
  );
  for (const name of names) {
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    await demand(client, {
      method: 'POST',
      path: '/api/v1/namespaces',
      body,
      tolerate: [409, 422],
    });
  }
}

async function loadObject(
  client: ApiClient,
  resources: readonly ApiResource[],
  object: JsonObject,
): Promise<Refused | undefined> {
  const identity = identityOf(object);
  const resource = resources.find(
    ({ apiVersion, kind }) => apiVersion === object['apiVersion'] && kind === object['kind'],
  );
  if (resource === undefined)
    return { ...identity, reason: `${textOf(object['apiVersion'])} is not served` };
  try {
    await create(
      client,
      { collection: resourcePath(resource, identity.namespace), name: identity.name },
      serverObject(object),
    );
    return undefined;
  } catch (error) {
    if (error instanceof ApiRefusal) return { ...identity, reason: error.message };
    throw error;
  }
}

async function create(
  client: ApiClient,
  place: { readonly collection: string; readonly name: string },
  { body, status, terminating }: ServerObject,
): Promise<void> {
  await demand(client, { method: 'POST', path: place.collection, body });
  const path = `${place.collection}/${encodeURIComponent(place.name)}`;
  if (status !== undefined) {
    const type = 'application/merge-patch+json';
    // A kind without the subresource took the status with the rest, or has none.
    await demand(client, {
      method: 'PATCH',
      path: `${path}/status`,
      body: { status },
      type,
      tolerate: [404],
    });
  }
  if (terminating) {
    const options = { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0 };
    await demand(client, { method: 'DELETE', path, body: options });
  }
}

interface Identity {
  readonly kind: string;
  readonly namespace: string | undefined;
  readonly name: string;
}

function identityOf(object: JsonObject): Identity {
  const { namespace, name } = object['metadata'] as { namespace?: string; name: string };
  return { kind: textOf(object['kind']), namespace, name };
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

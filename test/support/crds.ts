import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseAllDocuments } from 'yaml';
import type { JsonObject } from '../../src/support/json.ts';
import { demand, type ApiClient } from './api-client.ts';

const FOLDER = join(import.meta.dirname, '..', 'servers', 'crds');
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const POLL_MS = 50;
const SETTLE_MS = 30_000;

/** API groups of which test/servers/crds has the definitions. */
export const CRD_GROUPS = ['crd.projectcalico.org', 'projectcalico.org', 'kubevirt.io'] as const;

/** Version in which each group of Calico serves the kinds that ipamctl carries as whole objects. */
const CARRIED_VERSIONS: ReadonlyMap<string, string> = new Map([
  ['crd.projectcalico.org', 'v1'],
  ['projectcalico.org', 'v3'],
]);

/** One of {@link CRD_GROUPS}. */
export type CrdGroup = (typeof CRD_GROUPS)[number];

/** A kind of resource of an API server. */
export interface ApiResource {
  /** `v1`, or group and version: `crd.projectcalico.org/v1`. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly hasStatus: boolean;
}

interface Definition {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: { readonly kind: string; readonly plural: string };
    readonly versions: readonly {
      readonly name: string;
      readonly subresources?: { readonly status?: object };
    }[];
  };
}

function definitions(group: CrdGroup): Definition[] {
  return definitionsIn(`${group}.yaml`);
}

function definitionsIn(file: string): Definition[] {
  const text = readFileSync(join(FOLDER, file), 'utf8');
  return parseAllDocuments(text).map((document) => document.toJS() as Definition);
}

/** Definitions of the kinds that ipamctl carries as whole objects; both groups have the same ones. */
function carriedDefinitions(group: CrdGroup): Definition[] {
  const version = CARRIED_VERSIONS.get(group);
  if (version === undefined) return [];
  return definitionsIn('objects.yaml').map((definition) => {
    const { spec } = definition;
    const versions = spec.versions.map((one) => ({ ...one, name: version }));
    const metadata = { name: `${spec.names.plural}.${group}` };
    return { ...definition, metadata, spec: { ...spec, group, versions } };
  });
}

/** Definitions of a group as a file for an installation holds them, carried kinds and all. */
export function allDefinitions(group: CrdGroup): JsonObject[] {
  return [...definitions(group), ...carriedDefinitions(group)] as unknown as JsonObject[];
}

/** The custom resources of a group. */
export function customResources(group: CrdGroup): ApiResource[] {
  return definitions(group).map(resourceOf);
}

/** Kinds of a group that ipamctl carries as whole objects and does not look into. */
export function carriedResources(group: CrdGroup): ApiResource[] {
  return carriedDefinitions(group).map(resourceOf);
}

function resourceOf({ spec }: Definition): ApiResource {
  return {
    apiVersion: `${spec.group}/${spec.versions[0]?.name ?? ''}`,
    kind: spec.names.kind,
    plural: spec.names.plural,
    namespaced: spec.scope === 'Namespaced',
    hasStatus: spec.versions[0]?.subresources?.status !== undefined,
  };
}

/** Path of a kind over all namespaces, or of one namespace. */
export function resourcePath(resource: ApiResource, namespace?: string): string {
  const root = resource.apiVersion === 'v1' ? '/api/v1' : `/apis/${resource.apiVersion}`;
  return namespace === undefined
    ? `${root}/${resource.plural}`
    : `${root}/namespaces/${namespace}/${resource.plural}`;
}

/** Installs a group's definitions by server-side apply and waits until all of its kinds are served. */
export async function applyCrds(client: ApiClient, groups: readonly CrdGroup[]): Promise<void> {
  await apply(client, groups.flatMap(definitions));
}

/** The same for the kinds of groups that ipamctl carries as whole objects. */
export async function applyCarriedCrds(
  client: ApiClient,
  groups: readonly CrdGroup[],
): Promise<void> {
  await apply(client, groups.flatMap(carriedDefinitions));
}

async function apply(client: ApiClient, wanted: readonly Definition[]): Promise<void> {
  for (const definition of wanted) {
    const path = `${CRDS}/${definition.metadata.name}?fieldManager=ipamctl-tests&force=true`;
    await demand(client, {
      method: 'PATCH',
      path,
      body: definition as unknown as JsonObject,
      type: 'application/apply-patch+yaml',
    });
  }
  for (const resource of wanted.map(resourceOf)) await settle(client, resourcePath(resource), 200);
}

/** Removes a group's definitions, and with them all of its objects, and waits until none is served any more. */
export async function removeCrds(client: ApiClient, groups: readonly CrdGroup[]): Promise<void> {
  const unwanted = groups.flatMap((group) => [...definitions(group), ...carriedDefinitions(group)]);
  for (const { metadata } of unwanted) {
    await demand(client, { method: 'DELETE', path: `${CRDS}/${metadata.name}`, tolerate: [404] });
  }
  for (const resource of unwanted.map(resourceOf))
    await settle(client, resourcePath(resource), 404);
}

/** Makes exactly these groups served. */
export async function serveOnly(client: ApiClient, groups: readonly CrdGroup[]): Promise<void> {
  await removeCrds(
    client,
    CRD_GROUPS.filter((group) => !groups.includes(group)),
  );
  await applyCrds(client, groups);
}

async function settle(client: ApiClient, path: string, status: number): Promise<void> {
  const deadline = Date.now() + SETTLE_MS;
  while ((await client.request('GET', `${path}?limit=1`)).status !== status) {
    if (Date.now() > deadline) throw new Error(`${path} did not settle to ${status}`);
    await delay(POLL_MS);
  }
}

import type { JsonObject, JsonValue } from '../../ipam/model/resource.ts';
import { readJson } from './read-json.ts';
import type { Transport } from './transport.ts';

/** First minor version of Kubernetes 1 that sends lists as it encodes them; older ones build the whole answer first. */
const STREAMING_MINOR = 33;

/**
 * A resource of the server itself that came with that version, so that what lists it is no older and need not be asked.
 *
 * Source: https://kubernetes.io/docs/reference/networking/service-cidrs (networking.k8s.io/v1 from Kubernetes 1.33)
 */
const STREAMING_MARK = { group: 'networking.k8s.io', version: 'v1', resource: 'servicecidrs' };

/** The newer form lists the resources of every group, too; old servers answer with the older one. */
const DISCOVERY_TYPES = [
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList',
  'application/json',
].join();

/** An API group that is served. */
export interface ServedGroup {
  /** Preferred version. */
  readonly version: string;
  /** Plurals of its resources; undefined when the server does not list them with the group. */
  readonly resources?: ReadonlySet<string> | undefined;
}

/** What a server says about itself. */
export interface Discovery {
  /** Groups by name; undefined when the server does not let us know. */
  readonly groups?: ReadonlyMap<string, ServedGroup> | undefined;
  /** Whether unpaged lists are sent as streams. */
  readonly streamsLists: boolean;
}

/**
 * Asks the server what it serves: one request, and a second one where that does not show how old it is.
 *
 * Source: https://kubernetes.io/docs/concepts/overview/kubernetes-api/#discovery-api
 */
export async function discover(transport: Transport, signal?: AbortSignal): Promise<Discovery> {
  // The right to see these may be missing, and nothing depends on them that has no other way.
  const accepts = (status: number): boolean => status === 403;
  const request = { path: '/apis', accept: DISCOVERY_TYPES, signal };
  const list = await readJson(transport, request, { accepts });
  const groups = list && readGroups(list);
  if (groups && showsStreaming(groups)) return { groups, streamsLists: true };
  const version = await readJson(transport, { path: '/version', signal }, { accepts });
  return { groups, streamsLists: version !== undefined && isStreaming(version) };
}

function showsStreaming(groups: ReadonlyMap<string, ServedGroup>): boolean {
  const { group, version, resource } = STREAMING_MARK;
  const served = groups.get(group);
  return served?.version === version && served.resources?.has(resource) === true;
}

/** Whether a resource is served; true when only its group is known to be, undefined when not even that is known. */
export function isServed(
  { groups }: Discovery,
  group: string,
  resource: string,
): boolean | undefined {
  if (!groups) return undefined;
  const served = groups.get(group);
  return served !== undefined && (served.resources?.has(resource) ?? true);
}

function readGroups(list: JsonObject): ReadonlyMap<string, ServedGroup> {
  const groups = new Map<string, ServedGroup>();
  for (const entry of objectsOf(list['items'])) {
    const name = textOf(objectOf(entry['metadata'])['name']);
    // The preferred version stands first.
    const [preferred] = objectsOf(entry['versions']);
    if (name !== undefined && preferred)
      groups.set(name, { version: versionOf(preferred), resources: resourcesOf(preferred) });
  }
  for (const entry of objectsOf(list['groups'])) {
    const name = textOf(entry['name']);
    if (name !== undefined)
      groups.set(name, { version: versionOf(objectOf(entry['preferredVersion'])) });
  }
  return groups;
}

function versionOf(entry: JsonObject): string {
  return textOf(entry['version']) ?? 'v1';
}

function resourcesOf(version: JsonObject): ReadonlySet<string> {
  return new Set(
    objectsOf(version['resources']).flatMap((entry) => textOf(entry['resource']) ?? []),
  );
}

/** Managed clusters write their minor version as `33+`. */
function isStreaming(version: JsonObject): boolean {
  const major = Number.parseInt(textOf(version['major']) ?? '', 10);
  const minor = Number.parseInt(textOf(version['minor']) ?? '', 10);
  return major > 1 || (major === 1 && minor >= STREAMING_MINOR);
}

function objectsOf(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

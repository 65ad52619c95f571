import type { JsonObject } from '../../../src/support/json.ts';
import { type Answer, jsonAnswer } from './answer.ts';
import { groupOf, RESOURCES } from './resources.ts';

/** What discovery tells. */
export interface Served {
  readonly groups: ReadonlySet<string>;
  /** Resources that are not served although their group is, as `plural.group`. */
  readonly missing: ReadonlySet<string>;
  /** Whether the newer form, which lists the resources of each group, is known. */
  readonly listsResources: boolean;
  /** Minor version of Kubernetes 1, as it is written: `33+` of managed clusters. */
  readonly minor: string;
}

/** First minor version with the resource below. */
const SERVICE_CIDRS_SINCE = 33;

/** The answer to GET /apis, in the newer form where both sides know it. */
export function discoveryAnswer(served: Served, accept: string | undefined): Answer {
  const isNewer = served.listsResources && accept?.includes('as=APIGroupDiscoveryList') === true;
  return jsonAnswer(isNewer ? groupDiscovery(served) : groupList(served));
}

/** The answer to GET /version. */
export function versionAnswer(minor: string): Answer {
  return jsonAnswer({ major: '1', minor, gitVersion: `v1.${minor.replace('+', '')}.0` });
}

function groupList({ groups }: Served): JsonObject {
  const entries = ['apps', ...groups].map((name) => {
    const version = versionOf(name);
    const preferred = { groupVersion: `${name}/${version}`, version };
    return { name, versions: [preferred], preferredVersion: preferred };
  });
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: entries };
}

function groupDiscovery({ groups, missing, minor }: Served): JsonObject {
  const items = ['apps', ...groups].map((name) => {
    const plurals = RESOURCES.filter((one) => groupOf(one) === name)
      .map(({ plural }) => plural)
      .filter((plural) => !missing.has(`${plural}.${name}`));
    return discoveredGroup(name, versionOf(name), plurals);
  });
  // A group of the server itself, whose resources tell how old it is.
  const own = ['ingresses', 'networkpolicies'];
  if (Number.parseInt(minor, 10) >= SERVICE_CIDRS_SINCE) own.push('servicecidrs');
  items.push(discoveredGroup('networking.k8s.io', 'v1', own));
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items,
  };
}

function discoveredGroup(name: string, version: string, plurals: readonly string[]): JsonObject {
  const resources = plurals.map((plural) => ({ resource: plural, verbs: ['get', 'list'] }));
  const versions = [{ version, resources, freshness: 'Current' }];
  return { metadata: { name, creationTimestamp: null }, versions };
}

function versionOf(group: string): string {
  return RESOURCES.find((one) => groupOf(one) === group)?.apiVersion.split('/')[1] ?? 'v1';
}

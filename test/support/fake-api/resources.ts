import { type JsonObject, stringifyJson } from '../../../src/support/json.ts';
import { carriedResources, CRD_GROUPS, customResources, type ApiResource } from '../crds.ts';
import { CORE_RESOURCES } from '../wipe.ts';

/** A resource that a path means, with the object that it names. */
export interface Target {
  readonly resource: ApiResource;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly isStatus: boolean;
}

/** Group of a resource, without its version; empty for core kinds. */
export function groupOf(resource: ApiResource): string {
  const slash = resource.apiVersion.indexOf('/');
  return slash < 0 ? '' : resource.apiVersion.slice(0, slash);
}

/** Definitions of custom resources, which are served whatever the groups. */
export const DEFINITIONS: ApiResource = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
  hasStatus: true,
};

/** Every resource that the fake server can serve, from the definitions that real servers get. */
export const RESOURCES: readonly ApiResource[] = [
  ...CORE_RESOURCES,
  DEFINITIONS,
  ...CRD_GROUPS.flatMap(customResources),
  ...CRD_GROUPS.flatMap(carriedResources),
];

/** Path of the collection over all namespaces, under which objects are kept. */
export function collectionOf(resource: ApiResource): string {
  return resource.apiVersion === 'v1'
    ? `/api/v1/${resource.plural}`
    : `/apis/${resource.apiVersion}/${resource.plural}`;
}

/** What a path means; undefined for what is no served resource. */
export function targetOf(path: string, groups: ReadonlySet<string>): Target | undefined {
  const match =
    /^\/(?:api\/(?<core>v1)|apis\/(?<version>[^/]+\/[^/]+))(?:\/namespaces\/(?<namespace>[^/]+))?\/(?<plural>[^/]+)(?:\/(?<name>[^/]+))?(?<status>\/status)?$/.exec(
      path,
    );
  if (!match?.groups) return undefined;
  const { core, version, namespace, plural, name, status } = match.groups;
  const resource = RESOURCES.find(
    (one) => one.apiVersion === (core ?? version) && one.plural === plural,
  );
  if (!resource) return undefined;
  const isAlwaysServed = groupOf(resource) === '' || resource === DEFINITIONS;
  if (!isAlwaysServed && !groups.has(groupOf(resource))) return undefined;
  return {
    resource,
    namespace,
    name: name && decodeURIComponent(name),
    isStatus: status !== undefined,
  };
}

/** The resource that an object is of. @throws Error for one that no server here knows. */
export function resourceOf({ apiVersion, kind }: JsonObject): ApiResource {
  const resource = RESOURCES.find((one) => one.apiVersion === apiVersion && one.kind === kind);
  if (resource) return resource;
  throw new Error(`no API server here knows ${stringifyJson({ apiVersion, kind })}`);
}

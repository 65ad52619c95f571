import { DataError } from '../errors/data-error.ts';
import type { JsonObject, JsonValue } from '../ipam/model/resource.ts';
import { isObject } from './codec/fields.ts';
import type { StoredKind } from './object-store.ts';

/** A definition of a custom resource. */
export interface Definition {
  /** Plural and group: `ippools.crd.projectcalico.org`. */
  readonly name: string;
  readonly group: string;
  /** Plural, in lower case. */
  readonly resource: string;
  /** A version that is served. */
  readonly version: string;
  /** The whole definition, as it is sent to a server. */
  readonly object: JsonObject;
}

/** What became of definitions. */
export interface InstalledDefinitions {
  /** Names of those that were not there before. */
  readonly installed: readonly string[];
  /** Names of those that were, and stayed as they are. */
  readonly present: readonly string[];
}

/** Custom resource definitions of a cluster, for whoever brings data into one that may lack them. */
export interface DefinitionStore {
  /** Which of these kinds the server does not serve; one request each. */
  missing(
    kinds: readonly StoredKind[],
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<readonly StoredKind[]>;
  /**
   * Which of these definitions the server does not have, and {@link install} would install; nothing is written.
   *
   * @throws {@link UsageError} for definitions of the Calico group that is not in use.
   * @throws {@link AccessDeniedError} naming all rights that installing needs, when definitions may not be read.
   */
  absent(
    definitions: readonly Definition[],
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<readonly Definition[]>;
  /**
   * Installs definitions that the server does not have, by server-side apply, and returns once all are served. Those that
   * it has stay as they are, whatever their content.
   *
   * @throws {@link UsageError} for definitions of the Calico group that is not in use, before anything is sent.
   * @throws {@link UnavailableError} when one is not accepted, or not served in time.
   */
  install(
    definitions: readonly Definition[],
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<InstalledDefinitions>;
}

const API_GROUP = 'apiextensions.k8s.io/';
const CALICO_GROUP = /(?:^|\.)projectcalico\.org$/;

/**
 * Takes documents as definitions of custom resources; lists are taken apart, empty documents left out.
 *
 * @throws {@link DataError} for a document that is none, or when there are none at all.
 */
export function readDefinitions(documents: readonly JsonValue[]): readonly Definition[] {
  const objects = documents.flatMap(objectsIn);
  const definitions = objects.map((object, i) => readDefinition(object, i + 1));
  if (definitions.length > 0) return definitions;
  throw new DataError('there is no CustomResourceDefinition in it');
}

/** Group and version in which definitions keep IPAM blocks: the one of the two Calico groups that they are for. */
export function calicoGroupOf(definitions: readonly Definition[]): string | undefined {
  const blocks = definitions.find(
    ({ group, resource }) => resource === 'ipamblocks' && CALICO_GROUP.test(group),
  );
  return blocks && `${blocks.group}/${blocks.version}`;
}

function objectsIn(document: JsonValue): readonly JsonValue[] {
  if (document === null) return [];
  if (Array.isArray(document)) return document.flatMap(objectsIn);
  if (!isObject(document) || !Array.isArray(document['items'])) return [document];
  return document['items'].flatMap(objectsIn);
}

function readDefinition(object: JsonValue, position: number): Definition {
  if (!isObject(object)) throw wrong(position, 'is no object');
  const { apiVersion, kind, spec } = object;
  const isDefinition =
    typeof apiVersion === 'string' &&
    apiVersion.startsWith(API_GROUP) &&
    kind === 'CustomResourceDefinition';
  if (!isDefinition) throw wrong(position, `is ${kindText(kind)} and no CustomResourceDefinition`);
  const names = isObject(spec) ? spec['names'] : undefined;
  const resource = isObject(names) ? names['plural'] : undefined;
  const group = isObject(spec) ? spec['group'] : undefined;
  const version = servedVersion(isObject(spec) ? spec['versions'] : undefined);
  if (typeof resource !== 'string' || typeof group !== 'string' || version === undefined) {
    throw wrong(position, 'lacks its plural, its group or a version that is served');
  }
  return { name: `${resource}.${group}`, group, resource, version, object };
}

function kindText(kind: JsonValue | undefined): string {
  return typeof kind === 'string' ? `a ${kind}` : 'an object without kind';
}

function servedVersion(versions: JsonValue | undefined): string | undefined {
  const listed = Array.isArray(versions) ? versions.filter(isObject) : [];
  const name = listed.find(({ served }) => served === true)?.['name'];
  return typeof name === 'string' ? name : undefined;
}

function wrong(position: number, problem: string): DataError {
  return new DataError(`document ${position} ${problem}`, {
    hint: 'give the file or folder of custom resource definitions that comes with Calico',
  });
}

import { formatCidr } from '../../net/cidr.ts';
import { stringifyJson } from '../../support/json.ts';
import { MARK_DOMAIN, SPLIT_MARK, SPLIT_SOURCE_MARK } from '../marks.ts';
import {
  copyOf,
  finalizersOf,
  METADATA_ANNOTATION,
  objectOf,
  ownTexts,
  readTexts,
  type TextMap,
  withAnnotation,
} from '../model/object-metadata.ts';
import { defaultBlockSize, DEFAULT_USES, type PoolRow } from '../model/pool.ts';
import type { JsonObject, JsonValue } from '../model/resource.ts';
import { markText, type PartMark, type SplitMark, type SplitOrigin, sourceMarkOf } from './mark.ts';
import { partCidr, partName } from './parts.ts';

/**
 * Annotations and labels by which a deployment tool knows its own objects: under a new name they would make it delete the
 * part, or write over it.
 */
const DEPLOYMENT_TEXTS = [
  'kubectl.kubernetes.io/last-applied-configuration',
  'argocd.argoproj.io/',
  'kustomize.toolkit.fluxcd.io/',
  'helm.toolkit.fluxcd.io/',
  'meta.helm.sh/',
];

/** What Calico fills in where a pool says nothing. */
const SPEC_DEFAULTS: JsonObject = {
  ipipMode: 'Never',
  vxlanMode: 'Never',
  natOutgoing: false,
  disabled: false,
  disableBGPExport: false,
  nodeSelector: 'all()',
  namespaceSelector: '',
  assignmentMode: 'Automatic',
  allowedUses: [...DEFAULT_USES],
};

/** Which part, and how objects and rows of such pools look. */
export interface PartPlan extends SplitMark {
  readonly model: PoolRow;
}

/** One part as it is made: spec, disabled state and the user's labels and annotations of the pool, and its own mark. */
export function partPool({ number, origin, model }: PartPlan, index: number): PoolRow {
  const cidr = partCidr(origin.cidr, number, index);
  const name = partName(origin.name, number, index);
  const spec = { ...origin.spec, cidr: formatCidr(cidr) };
  const metadata = { name, ...partTexts({ metadata: origin.metadata }) };
  const object = { ...headOf(model), metadata, spec };
  return {
    ...freshRow(model, { name, disabled: origin.disabled }),
    cidr,
    object: withAnnotation(object, SPLIT_MARK, markText({ number, origin }, index)),
  };
}

/** The pool as it was, but disabled and marked, so that its parts can go. */
export function wholePool({ number, origin, model }: PartPlan): PoolRow {
  const { name, cidr } = origin;
  const metadata = { name, ...origin.metadata };
  const object = { ...headOf(model), metadata, spec: { ...origin.spec, disabled: true } };
  return {
    ...freshRow(model, { name, disabled: true }),
    cidr,
    object: withAnnotation(object, SPLIT_SOURCE_MARK, markText({ number, origin })),
  };
}

/** The pool, disabled and marked with what it was before. */
export function disabledPool(pool: PoolRow, mark: SplitMark): PoolRow {
  const object = withAnnotation(pool.object, SPLIT_SOURCE_MARK, markText(mark));
  const spec = { ...objectOf(object['spec']), disabled: true };
  return { ...pool, disabled: true, object: { ...object, spec } };
}

/** The pool with the disabled state and finalizers that it had, and without a mark. */
export function unmarkedPool(pool: PoolRow, { origin }: SplitMark): PoolRow {
  const unmarked = withAnnotation(pool.object, SPLIT_SOURCE_MARK, undefined);
  const { disabled: _now, ...spec } = objectOf(unmarked['spec']);
  const before = origin.spec['disabled'];
  const metadata = objectOf(unmarked['metadata']);
  const { finalizers } = origin.metadata;
  // Annotations that were there, and empty, before the mark.
  const isEmptied = 'annotations' in origin.metadata && !('annotations' in metadata);
  const object = {
    ...unmarked,
    metadata: {
      ...metadata,
      ...(isEmptied ? { annotations: {} } : {}),
      ...(finalizers === undefined ? {} : { finalizers }),
    },
    spec: before === undefined ? spec : { ...spec, disabled: before },
  };
  return { ...pool, disabled: origin.disabled, object };
}

/** Whether a pool without a mark is as it was before a split, as far as a split changes it. */
export function isAsBefore(pool: PoolRow, origin: SplitOrigin): boolean {
  const { finalizers } = origin.metadata;
  const held: ReadonlySet<unknown> = new Set(finalizersOf(pool.object));
  const isKept = !Array.isArray(finalizers) || finalizers.every((name) => held.has(name));
  return pool.disabled === origin.disabled && isKept && sourceMarkOf(pool) === undefined;
}

/** How a part differs from what was made, as a sentence part; undefined when it does not. Its status does not count. */
export function changeOfPart(pool: PoolRow, mark: PartMark): string | undefined {
  const made = partPool({ ...mark, model: pool }, mark.index);
  if (pool.key.name !== made.key.name) return 'its mark is of another pool';
  if (specText(pool) !== specText(made)) return 'its spec has changed';
  for (const name of ['labels', 'annotations'] as const) {
    if (textsText(pool, name) !== textsText(made, name)) return `its ${name} have changed`;
  }
  return undefined;
}

/** API version and kind of an object. */
function headOf({ object }: PoolRow): JsonObject {
  const { apiVersion, kind } = object ?? {};
  return {
    ...(apiVersion === undefined ? {} : { apiVersion }),
    ...(kind === undefined ? {} : { kind }),
  };
}

function freshRow(
  model: PoolRow,
  { name, disabled }: { readonly name: string; readonly disabled: boolean },
): PoolRow {
  const { blockSize, nodeSelector, namespaceSelector, allowedUses, assignmentMode, cidr } = model;
  return {
    kind: 'IPPool',
    key: { name },
    cidr,
    blockSize,
    disabled,
    allocatable: true,
    lostOverlap: false,
    nodeSelector,
    namespaceSelector,
    allowedUses,
    assignmentMode,
  };
}

/** Labels and annotations that go along, each where it was: on the object or in the copy of the older group's clients. */
function partTexts(object: JsonObject): JsonObject {
  const labels = usersOf(ownTexts(object, 'labels'));
  const annotations = usersOf(ownTexts(object, 'annotations'));
  const copy = copyOf(object);
  if (copy) annotations[METADATA_ANNOTATION] = copyText(copy);
  return {
    ...(Object.keys(labels).length === 0 ? {} : { labels }),
    ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
  };
}

function copyText(copy: JsonObject): string {
  const kept: JsonObject = {};
  for (const name of ['labels', 'annotations'] as const) {
    const texts = usersOf(ownTexts({ metadata: copy }, name));
    if (Object.keys(texts).length > 0) kept[name] = texts;
  }
  return JSON.stringify(kept);
}

function usersOf(texts: TextMap): Record<string, string> {
  const isUsers = (key: string): boolean =>
    key !== METADATA_ANNOTATION &&
    !key.startsWith(MARK_DOMAIN) &&
    !DEPLOYMENT_TEXTS.some((prefix) => key.startsWith(prefix));
  return Object.fromEntries(Object.entries(texts).filter(([key]) => isUsers(key)));
}

/** The spec as a text that is equal for pools that mean the same. */
function specText({ object, cidr }: PoolRow): string {
  const spec = objectOf(object?.['spec']);
  const blockSize = spec['blockSize'] === 0 ? undefined : spec['blockSize'];
  const full: JsonObject = {
    ...SPEC_DEFAULTS,
    ...spec,
    cidr: formatCidr(cidr),
    blockSize: blockSize ?? defaultBlockSize(cidr),
  };
  return sortedText(full);
}

function textsText({ object }: PoolRow, name: 'labels' | 'annotations'): string {
  return sortedText({ ...readTexts(object, name) });
}

function sortedText(value: JsonValue): string {
  return stringifyJson(sorted(value));
}

/** The value with the members of all objects in order: servers sort them. */
function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}

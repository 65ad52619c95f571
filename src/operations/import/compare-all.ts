import { OBJECT_KINDS, type ObjectKind } from '../../datastore/object-store.ts';
import type { ImportedRow } from '../../ipam/migration/import-equal.ts';
import { type JsonObject, keyText } from '../../ipam/model/resource.ts';
import type { Row } from '../../ipam/model/row.ts';
import { keyOf } from '../object-writer.ts';
import {
  type Compared,
  compareForeignObject,
  compareForeignRow,
  compareObject,
  compareRow,
} from './comparison.ts';
import { type FileContents, ROW_KINDS, type RowKind } from './file-contents.ts';
import type { Target } from './target.ts';

/** What was compared of one kind; one kind is written before the next. */
export interface KindComparison {
  readonly kind: ObjectKind | RowKind;
  readonly compared: readonly Compared[];
}

/** Everything of the file beside the target, in the order in which it is written. */
export interface Comparison {
  readonly objects: readonly KindComparison[];
  readonly rows: readonly KindComparison[];
}

/** Kinds to which others refer. */
const FIRST: readonly ObjectKind[] = ['IPPool', 'Tier'];

/** Kinds of the first part in the order in which they are written. */
export const OBJECT_ORDER: readonly ObjectKind[] = [
  ...FIRST,
  ...OBJECT_KINDS.filter((kind) => !FIRST.includes(kind)),
];

/** Kinds that decide over addresses: the target may have nothing that the file does not have. */
const EXACT: ReadonlySet<ObjectKind> = new Set<ObjectKind>(['IPPool', 'IPReservation']);

/** Compares all that the file holds with the target, and what the target has beside it. */
export function compareAll(contents: FileContents, target: Target): Comparison {
  return {
    objects: OBJECT_ORDER.map((kind) => ({
      kind,
      compared: compareObjects(kind, contents, target),
    })),
    rows: ROW_KINDS.map((kind) => ({ kind, compared: compareRows(kind, contents, target) })),
  };
}

/** All comparisons, in order. */
export function comparedIn({ objects, rows }: Comparison): readonly Compared[] {
  return [...objects, ...rows].flatMap(({ compared }) => compared);
}

/** What speaks against an import, before or after it. */
export function refusalsIn(comparison: Comparison): readonly Compared[] {
  return comparedIn(comparison).filter(({ item }) => item.kept === 'refusal');
}

function compareObjects(
  kind: ObjectKind,
  { objects, lists }: FileContents,
  target: Target,
): readonly Compared[] {
  const wanted = objects.get(kind) ?? [];
  const found: ReadonlyMap<string, JsonObject> = target.objects.get(kind) ?? new Map();
  const compared = wanted.map((object) => compareObject(kind, object, found.get(nameOf(object))));
  if (!EXACT.has(kind) || !lists.has(kind)) return compared;
  const names = new Set(wanted.map(nameOf));
  const foreign = [...found].filter(([name]) => !names.has(name));
  return [...compared, ...foreign.map(([, object]) => compareForeignObject(kind, object))];
}

function compareRows(kind: RowKind, { rows }: FileContents, target: Target): readonly Compared[] {
  const wanted: readonly ImportedRow[] = rows.get(kind) ?? [];
  const found: ReadonlyMap<string, Row> = target.rows.get(kind) ?? new Map();
  const names = new Set(wanted.map(({ key }) => key.name));
  const foreign = [...found].filter(([name]) => !names.has(name));
  return [
    ...wanted.map((row) => compareRow(row, found.get(row.key.name))),
    ...foreign.flatMap(([, row]) => compareForeignRow(row) ?? []),
  ];
}

function nameOf(object: JsonObject): string {
  return keyText(keyOf(object));
}

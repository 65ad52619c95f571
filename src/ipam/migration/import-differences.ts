import { readTexts } from '../model/object-metadata.ts';
import type { JsonObject } from '../model/resource.ts';
import { withDefaults } from './import-defaults.ts';
import { canonicalText, type ImportedRow, rowFields } from './import-equal.ts';

/** Fields in which two rows of one kind and name differ, in words. */
export function rowDifferences(a: ImportedRow, b: ImportedRow): readonly string[] {
  const [one, other] = [rowFields(a), rowFields(b)];
  return Object.keys(one).filter((name) => one[name] !== other[name]);
}

/** Members in which two objects of one name differ. */
export function objectDifferences(kind: string, a: JsonObject, b: JsonObject): readonly string[] {
  const [one, other] = [membersOf(kind, a), membersOf(kind, b)];
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].filter((name) => one[name] !== other[name]).sort();
}

function membersOf(kind: string, object: JsonObject): Readonly<Record<string, string>> {
  const { spec } = object;
  const isMap = typeof spec === 'object' && spec !== null && !Array.isArray(spec);
  const members = Object.entries(withDefaults(kind, isMap ? spec : {}));
  return {
    ...Object.fromEntries(members.map(([name, value]) => [`spec.${name}`, canonicalText(value)])),
    labels: canonicalText(readTexts(object, 'labels')),
    annotations: canonicalText(readTexts(object, 'annotations')),
  };
}

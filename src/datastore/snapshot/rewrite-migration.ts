import { InternalError } from '../../errors/internal-error.ts';
import { type JsonObject, type JsonValue, type ResourceKind } from '../../ipam/model/resource.ts';
import { parseJson } from '../../support/json.ts';
import { parseEntryPath } from '../codec/entry-path.ts';
import { SECTIONS, SEPARATOR } from '../migration-file.ts';
import type { TextChanges } from './change-value.ts';
import { applyEdits, editArray, type ElementEdit, layOut, type TextEdit } from './json-edit.ts';
import { elementSpans, memberSpans, skipBlanks, type Span } from './json-spans.ts';
import { eachObject, type ListType, listTypeOf } from './object-identity.ts';
import { rewriteText } from './rewrite-text.ts';
import { isObject, isSameValue } from './same-object.ts';
import { textParts } from './text-documents.ts';

/** What to change in a migration file. */
export interface MigrationChanges extends TextChanges {
  /** New values by etcd key; undefined for one that goes. */
  readonly entries: ReadonlyMap<string, JsonValue | undefined>;
}

/**
 * A migration file with some resources and entries changed, removed and added; everything else keeps its text.
 *
 * @throws {@link InternalError} when the result does not read back as it should.
 */
export function rewriteMigration(text: string, changes: MigrationChanges, file: string): string {
  const [resources = '', information = '', ipam = ''] = text.split(SEPARATOR);
  const lineEnd = SEPARATOR.exec(text)?.[0] ?? '===';
  const parts = [
    rewritePart(resources, changes, file),
    rewritePart(information, { ...changes, added: [] }, file),
    rewriteEntries(ipam, changes.entries, file),
  ];
  return parts.join(lineEnd);
}

/** The line break in front of a part belongs to the separator. */
function rewritePart(part: string, { changed, added }: TextChanges, file: string): string {
  if (changed.size === 0 && added.length === 0) return part;
  const lead = /^\r?\n/.exec(part)?.[0] ?? '';
  const text = part.slice(lead.length);
  const held = identitiesOf(text, file);
  const own = new Map([...changed].filter(([id]) => held.has(id)));
  return lead + rewriteText(text, { changed: own, added: inLists(text, added, file) }, file);
}

/** A part holds typed lists and nothing else, so objects of a type that it has no list of come in a new one. */
function inLists(text: string, added: readonly JsonObject[], file: string): JsonObject[] {
  const documents = textParts(text, file).flatMap(({ documents: held }) => held);
  const held = new Set(documents.map(({ value }) => listText(listTypeOf(value))));
  const lists = new Map<string, JsonObject & { items: JsonObject[] }>();
  return added.flatMap((object) => {
    const { apiVersion, kind } = object;
    // Rows and objects that are written say what they are.
    if (typeof apiVersion !== 'string' || typeof kind !== 'string') return [object];
    const type = listText({ apiVersion, kind });
    if (held.has(type)) return [object];
    const list = lists.get(type);
    list?.items.push(object);
    if (list !== undefined) return [];
    const fresh = { apiVersion, kind: `${kind}List`, items: [object] };
    lists.set(type, fresh);
    return [fresh];
  });
}

function listText(type: ListType | undefined): string {
  return type === undefined ? '' : `${type.apiVersion} ${type.kind}`;
}

function identitiesOf(text: string, file: string): ReadonlySet<string> {
  const identities = new Set<string>();
  for (const part of textParts(text, file)) {
    const values = part.values ?? part.documents.map(({ value }) => value);
    for (const value of values) eachObject(value, ({ id }) => identities.add(id));
  }
  return identities;
}

function rewriteEntries(text: string, entries: MigrationChanges['entries'], file: string): string {
  const start = skipBlanks(text, 0);
  const members = memberSpans(text, start);
  const edits: TextEdit[] = [];
  for (const [name, kind] of SECTIONS) {
    const section = members.get(name);
    const wanted = [...entries].filter(([path]) => parseEntryPath(path)?.kind === kind);
    if (wanted.length === 0) continue;
    const edit = section === undefined ? undefined : editSection(text, section, { kind, wanted });
    if (edit !== undefined) edits.push(edit);
  }
  const result = applyEdits(text, edits);
  assertEntries(result, entries, file);
  return result;
}

type Wanted = readonly (readonly [string, JsonValue | undefined])[];

function editSection(
  text: string,
  section: Span,
  { kind, wanted }: { readonly kind: ResourceKind; readonly wanted: Wanted },
): TextEdit | undefined {
  const value = parseJson(text.slice(section.start, section.end));
  if (kind === 'IPAMConfig' && !Array.isArray(value))
    return editConfig(text, { section, value }, wanted);
  const list = Array.isArray(value) ? value : [];
  const left = new Map(wanted);
  const spans = Array.isArray(value) ? elementSpans(text, section.start) : [];
  const edits = list.map((entry, i): ElementEdit => {
    const path = isObject(entry) ? entry['Key'] : undefined;
    if (typeof path !== 'string' || !left.has(path)) return 'keep';
    const next = left.get(path);
    left.delete(path);
    if (next === undefined) return 'remove';
    const changed = { ...(entry as JsonObject), Value: next };
    if (isSameValue(changed, entry)) return 'keep';
    return { text: layOut(changed, { text, model: spans[i] ?? section }) };
  });
  const added = [...left]
    .filter(([, next]) => next !== undefined)
    .map(([path, next]) => entryOf(path, next));
  if (Array.isArray(value)) return editArray(text, section, { edits, added });
  return added.length === 0
    ? undefined
    : { ...section, text: layOut(added, { text, model: section, isNew: true }) };
}

function editConfig(
  text: string,
  { section, value }: { readonly section: Span; readonly value: JsonValue },
  wanted: Wanted,
): TextEdit | undefined {
  const [path = '', next] = wanted.at(-1) ?? [];
  const changed = isObject(value) ? { ...value, Value: next ?? null } : entryOf(path, next);
  const whole: JsonValue = next === undefined ? null : changed;
  if (isSameValue(whole, value)) return undefined;
  return { ...section, text: layOut(whole, { text, model: section, isNew: !isObject(value) }) };
}

function entryOf(path: string, value: JsonValue | undefined): JsonObject {
  return { Key: path, Value: value ?? null, TTL: 0 };
}

function assertEntries(text: string, entries: MigrationChanges['entries'], file: string): void {
  const found = new Map<string, JsonValue>();
  const part = parseJson(text);
  for (const [name] of SECTIONS) {
    const section = isObject(part) ? part[name] : undefined;
    for (const entry of Array.isArray(section) ? section : [section]) {
      const path = isObject(entry) ? entry['Key'] : undefined;
      if (isObject(entry) && typeof path === 'string') found.set(path, entry['Value'] ?? null);
    }
  }
  for (const [path, value] of entries) {
    if (isSameValue(found.get(path), value)) continue;
    throw new InternalError(`${file} would not hold ${path} as it should, so it was left as it is`);
  }
}

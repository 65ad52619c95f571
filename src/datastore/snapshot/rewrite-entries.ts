import { InternalError } from '../../errors/internal-error.ts';
import { UnsupportedError } from '../../errors/unsupported-error.ts';
import type { JsonObject, JsonValue } from '../../ipam/model/resource.ts';
import { parseJson } from '../../support/json.ts';
import { applyEdits, editArray, type ElementEdit, layOut, type TextEdit } from './json-edit.ts';
import { elementSpans, memberSpans, type Span } from './json-spans.ts';
import { isObject, isSameValue } from './same-object.ts';
import { type TextDocument, textParts } from './text-documents.ts';

/** New values by etcd key; undefined for one that goes. */
export type EntryChanges = ReadonlyMap<string, JsonValue | undefined>;

/**
 * A snapshot of ours with some of its etcd keys changed, removed and added; everything else keeps its text.
 *
 * @throws {@link UnsupportedError} when it was turned into YAML; {@link InternalError} when the result does not read back as
 * it should.
 */
export function rewriteSnapshotEntries(text: string, changes: EntryChanges, file: string): string {
  const snapshots = snapshotsIn(text, file);
  const [first] = snapshots;
  if (first === undefined) throw notRewritten(file, [...changes.keys()][0] ?? '');
  const left = new Map(changes);
  const edits: TextEdit[] = [];
  // What no snapshot of the file holds yet comes into the first one, which is therefore the last to be looked at.
  for (const snapshot of snapshots.toReversed()) {
    if (snapshot.format !== 'json') throw noJson(file);
    const list = memberSpans(text, snapshot.start).get('entries');
    if (list === undefined) throw notRewritten(file, 'entries');
    const wanted = snapshot === first ? left : heldIn(snapshot, left);
    const edit = editEntryList(text, list, { wanted, newEntry: entryOf });
    if (edit !== undefined) edits.push(edit);
    for (const path of wanted.keys()) left.delete(path);
  }
  const result = applyEdits(text, edits);
  assertEntries(result, changes, file);
  return result;
}

/**
 * The list of entries that begins at `list.start` with some changed, removed and added.
 *
 * @param newEntry Makes an entry that is not there yet.
 */
export function editEntryList(
  text: string,
  list: Span,
  {
    wanted,
    newEntry,
  }: {
    readonly wanted: EntryChanges;
    readonly newEntry: (path: string, value: JsonValue) => JsonObject;
  },
): TextEdit | undefined {
  const left = new Map(wanted);
  const spans = elementSpans(text, list.start);
  const entries = parseJson(text.slice(list.start, list.end)) as readonly JsonValue[];
  const edits = entries.map((entry, i): ElementEdit => {
    const path = pathOf(entry);
    if (path === undefined || !left.has(path)) return 'keep';
    const next = left.get(path);
    left.delete(path);
    if (next === undefined) return 'remove';
    const changed = { ...(entry as JsonObject), Value: next };
    if (isSameValue(changed, entry)) return 'keep';
    return { text: layOut(changed, { text, model: spans[i] ?? list }) };
  });
  const added = [...left].flatMap(([path, next]) =>
    next === undefined ? [] : [newEntry(path, next)],
  );
  return editArray(text, list, { edits, added });
}

function snapshotsIn(text: string, file: string): readonly TextDocument[] {
  const documents = textParts(text, file).flatMap((part) => part.documents);
  return documents.filter(
    ({ value }) =>
      isObject(value) && value['kind'] === 'IPAMSnapshot' && Array.isArray(value['entries']),
  );
}

function heldIn({ value }: TextDocument, changes: EntryChanges): EntryChanges {
  const paths = new Set(entriesOf(value).map(pathOf));
  return new Map([...changes].filter(([path]) => paths.has(path)));
}

function entriesOf(value: JsonValue): readonly JsonValue[] {
  const entries = isObject(value) ? value['entries'] : undefined;
  return Array.isArray(entries) ? entries : [];
}

function pathOf(entry: JsonValue): string | undefined {
  const path = isObject(entry) ? entry['Key'] : undefined;
  return typeof path === 'string' ? path : undefined;
}

function entryOf(path: string, value: JsonValue): JsonObject {
  return { Key: path, Value: value };
}

function assertEntries(text: string, changes: EntryChanges, file: string): void {
  const found = new Map<string, JsonValue>();
  for (const { value } of snapshotsIn(text, file)) {
    for (const entry of entriesOf(value)) {
      const path = pathOf(entry);
      if (path !== undefined && isObject(entry)) found.set(path, entry['Value'] ?? null);
    }
  }
  for (const [path, value] of changes) {
    if (!isSameValue(found.get(path), value)) throw notRewritten(file, path);
  }
}

function notRewritten(file: string, path: string): InternalError {
  return new InternalError(`${file} would not hold ${path} as it should, so it was left as it is`);
}

function noJson(file: string): UnsupportedError {
  return new UnsupportedError(
    `${file} is a snapshot of etcd keys in YAML, which cannot be changed`,
    {
      hint: 'turn it into JSON first; that is how datastore snapshot writes it',
      details: { file },
    },
  );
}

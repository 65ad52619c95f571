import type { JsonObject, JsonValue } from '../../ipam/model/resource.ts';
import { applyEdits, editArray, type ElementEdit, layOut, type TextEdit } from './json-edit.ts';
import { elementSpans, memberSpans } from './json-spans.ts';
import { identify, itemsOf, type ListType, listTypeOf } from './object-identity.ts';
import { assertRewritten } from './assert-rewritten.ts';
import { changeItem, changeValue, type TextChanges } from './change-value.ts';
import { textParts, type TextDocument, type TextPart } from './text-documents.ts';
import { editYamlList } from './yaml-edit.ts';
import { yamlText } from '../../support/yaml-text.ts';

/**
 * A text of documents with some of its objects changed, removed and added. Everything else keeps its text: other objects,
 * their order, comments, layout. New objects go into a list that holds their kind, or follow as documents of their own.
 *
 * @throws {@link InternalError} when the result does not read back as it should; nothing may be written then.
 */
export function rewriteText(text: string, changes: TextChanges, file: string): string {
  const parts = textParts(text, file);
  const { byDocument, rest } = placeAdded(parts, newObjects(parts, changes.added));
  const edits = parts.flatMap((part) => editPart(text, part, { changes, byDocument }));
  const rewritten = appendDocuments(applyEdits(text, edits), parts, rest);
  if (rewritten === text) return text;
  const result = isOfWindows(text) ? rewritten.replace(/\r?\n/g, '\r\n') : rewritten;
  assertRewritten({ before: parts, after: textParts(result, file), changes, file });
  return result;
}

/** Whether all lines end as on Windows. */
function isOfWindows(text: string): boolean {
  return text.includes('\r\n') && !/(?<!\r)\n/.test(text);
}

type Placed = ReadonlyMap<TextDocument, readonly JsonObject[]>;

function editPart(
  text: string,
  part: TextPart,
  { changes, byDocument }: { readonly changes: TextChanges; readonly byDocument: Placed },
): TextEdit[] {
  if (part.values !== undefined) return editWholePart(part, part.values, changes);
  return part.documents.flatMap((document) => {
    const added = byDocument.get(document) ?? [];
    const edit = itemsOf(document.value)
      ? editList(text, document, { changes, added })
      : editSingle(text, { part, document }, changes);
    return edit === undefined ? [] : [edit];
  });
}

/** Documents without positions are written anew, all of them, but only if one changes. */
function editWholePart(
  part: TextPart,
  values: readonly JsonValue[],
  changes: TextChanges,
): TextEdit[] {
  const changed = values.map((value) => changeValue(value, changes));
  if (changed.every((value, i) => value === values[i])) return [];
  const kept = changed.filter((value) => value !== undefined);
  return [{ ...part, text: kept.map((value) => `---\n${yamlText(value, 0)}`).join('') }];
}

function editSingle(
  text: string,
  { part, document }: { readonly part: TextPart; readonly document: TextDocument },
  changes: TextChanges,
): TextEdit | undefined {
  const change = changeItem(document.value, changes);
  if (change === 'keep') return undefined;
  if (change === 'remove') {
    if (part.documents.length === 1) return { start: part.start, end: part.end, text: '' };
    const lineEnd =
      /^[ \t]*\r?\n/.exec(text.slice(document.end, document.end + 1000))?.[0].length ?? 0;
    return { start: document.start, end: document.end + lineEnd, text: '' };
  }
  const { start, end } = document;
  if (document.format === 'json')
    return { start, end, text: layOut(change, { text, model: document }) };
  return { start, end, text: yamlText(change, 0).trimEnd() };
}

function editList(
  text: string,
  document: TextDocument,
  { changes, added }: { readonly changes: TextChanges; readonly added: readonly JsonObject[] },
): TextEdit | undefined {
  if (document.format === 'json') return editJsonList(text, document, { changes, added });
  const value = changeValue(document.value, changes, { added });
  if (value === document.value) return undefined;
  const { start, end } = document;
  const whole = { start, end, text: yamlText(value ?? null, 0).trimEnd() };
  return editYamlList(text, document, { changes, added }) ?? whole;
}

function editJsonList(
  text: string,
  list: { readonly start: number; readonly end: number; readonly value: JsonValue },
  { changes, added }: { readonly changes: TextChanges; readonly added: readonly JsonObject[] },
): TextEdit | undefined {
  const array = Array.isArray(list.value) ? list : memberSpans(text, list.start).get('items');
  const items = itemsOf(list.value) ?? [];
  if (array === undefined || text.charAt(array.start) !== '[') {
    const value = changeValue(list.value, changes, { added });
    return value === list.value
      ? undefined
      : { ...list, text: layOut(value ?? null, { text, model: list }) };
  }
  const spans = elementSpans(text, array.start);
  const type = listTypeOf(list.value);
  const edits = items.map((item, i): ElementEdit => {
    const span = spans[i];
    if (span === undefined) return 'keep';
    if (itemsOf(item)) {
      const inner = editJsonList(text, { ...span, value: item }, { changes, added: [] });
      return inner === undefined
        ? 'keep'
        : { text: applyEdits(text.slice(span.start, span.end), [shift(inner, span.start)]) };
    }
    const change = changeItem(item, changes, type);
    return typeof change === 'string' ? change : { text: layOut(change, { text, model: span }) };
  });
  return editArray(text, { start: array.start, end: array.end }, { edits, added });
}

function shift(edit: TextEdit, by: number): TextEdit {
  return { ...edit, start: edit.start - by, end: edit.end - by };
}

/** An empty list that is there already is not added again. */
function newObjects(
  parts: readonly TextPart[],
  added: readonly JsonObject[],
): readonly JsonObject[] {
  const lists = parts.flatMap((part) => part.documents).map(({ value }) => listTypeOf(value));
  return added.filter((object) => {
    const type = listTypeOf(object);
    return (
      !type ||
      !lists.some((list) => list?.kind === type.kind && list.apiVersion === type.apiVersion)
    );
  });
}

/** Finds a list for each new object: one of its type, else one that holds its kind, else one of any kinds. */
function placeAdded(
  parts: readonly TextPart[],
  added: readonly JsonObject[],
): { readonly byDocument: Placed; readonly rest: readonly JsonObject[] } {
  const lists = parts
    .flatMap((part) => part.documents)
    .filter(({ value }) => itemsOf(value) !== undefined);
  const byDocument = new Map<TextDocument, JsonObject[]>();
  const rest: JsonObject[] = [];
  for (const object of added) {
    const list = listFor(object, lists);
    if (list === undefined) rest.push(object);
    else byDocument.set(list, [...(byDocument.get(list) ?? []), object]);
  }
  return { byDocument, rest };
}

function listFor(object: JsonObject, lists: readonly TextDocument[]): TextDocument | undefined {
  const wanted = { apiVersion: object['apiVersion'], kind: object['kind'] };
  const isOfType = (type: ListType | undefined): boolean =>
    type?.apiVersion === wanted.apiVersion && type?.kind === wanted.kind;
  const untyped = lists.filter(({ value }) => listTypeOf(value) === undefined);
  const kind = identify(object)?.kind;
  return (
    lists.find(({ value }) => isOfType(listTypeOf(value))) ??
    untyped.find(({ value }) => itemsOf(value)?.some((item) => identify(item)?.kind === kind)) ??
    untyped[0]
  );
}

function appendDocuments(
  text: string,
  parts: readonly TextPart[],
  added: readonly JsonObject[],
): string {
  if (added.length === 0) return text;
  const last = parts.flatMap((part) => part.documents).at(-1);
  const start = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  if (last?.format === 'json') {
    return (
      start +
      added.map((object) => `${layOut(object, { text, model: last, isNew: false })}\n`).join('')
    );
  }
  const documents = added.map((object) => yamlText(object, 0));
  return (
    start + documents.map((document) => (start === '' ? document : `---\n${document}`)).join('')
  );
}

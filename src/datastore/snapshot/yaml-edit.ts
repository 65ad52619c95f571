import type { JsonObject, JsonValue } from '../../ipam/model/resource.ts';
import { changeItem, changeValue, type TextChanges } from './change-value.ts';
import type { TextEdit } from './json-edit.ts';
import { itemsOf, type ListType, listTypeOf } from './object-identity.ts';
import type { TextDocument } from './text-documents.ts';
import { cutList } from './yaml-list.ts';
import { yamlText } from '../../support/yaml-text.ts';

/**
 * Changes a YAML list in block layout item by item, so that the others keep their text; undefined for a list that has to
 * be written anew: one in braces, an empty one, one with anchors, or one that becomes empty.
 */
export function editYamlList(
  text: string,
  document: TextDocument,
  { changes, added }: { readonly changes: TextChanges; readonly added: readonly JsonObject[] },
): TextEdit | undefined {
  const body = text.slice(document.start, document.end);
  const found = itemTexts(body, itemsOf(document.value) ?? []);
  const edited = found && editItems(found.items, changes, listTypeOf(document.value));
  if (found === undefined || edited === undefined) return undefined;
  const indent = body.slice(found.start).indexOf('-');
  const result = [...edited, ...added.map((object) => itemText(object, indent))].join('');
  if (result === '') return undefined;
  const start = document.start + found.start;
  // The line break behind a document does not belong to it.
  return found.end >= body.length
    ? { start, end: document.end, text: result.replace(/\r?\n$/, '') }
    : { start, end: document.start + found.end, text: result };
}

/** An item with its lines. */
interface ListItem {
  readonly value: JsonValue;
  readonly text: string;
}

/** The items with their lines, each with a line break at its end; undefined when they cannot be told apart. */
function itemTexts(
  body: string,
  values: readonly JsonValue[],
):
  | { readonly start: number; readonly end: number; readonly items: readonly ListItem[] }
  | undefined {
  const hasAnchors = /(?:^|[\s[{,])[&*]\w/.test(body);
  const cut = hasAnchors ? undefined : cutList(`${body}\n`);
  if (cut === undefined || cut.itemLines.length !== values.length) return undefined;
  const starts = lineStarts(body, cut.itemLines);
  const start = starts[0] ?? 0;
  const end = start + cut.pieces.join('').length;
  const items = values.map((value, i) => ({
    value,
    text: withNewline(body.slice(starts[i], starts[i + 1] ?? end)),
  }));
  return { start, end, items };
}

/** The texts of the items that stay; undefined when a list among them has to change. */
function editItems(
  items: readonly ListItem[],
  changes: TextChanges,
  type: ListType | undefined,
): string[] | undefined {
  const texts: string[] = [];
  for (const { value, text } of items) {
    if (itemsOf(value)) {
      if (changeValue(value, changes) !== value) return undefined;
      texts.push(text);
      continue;
    }
    const change = changeItem(value, changes, type);
    if (change === 'keep') texts.push(text);
    else if (change !== 'remove') texts.push(itemText(change, text.indexOf('-')) + trailer(text));
  }
  return texts;
}

function itemText(object: JsonObject, indent: number): string {
  return `${' '.repeat(indent)}- ${yamlText(object, indent + 2)}`;
}

/** Comments and blank lines behind an item, which belong to what follows. */
function trailer(item: string): string {
  const lines = item.split(/(?<=\n)/);
  const last = lines.findLastIndex((line) => /^[ \t]*[^\s#]/.test(line));
  return lines.slice(last + 1).join('');
}

function withNewline(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}

/** Positions of some lines, which are given in order and from 1. */
function lineStarts(text: string, lines: readonly number[]): number[] {
  const starts: number[] = [];
  let at = 0;
  let current = 1;
  for (const line of lines) {
    for (; current < line; current++) at = text.indexOf('\n', at) + 1;
    starts.push(at);
  }
  return starts;
}

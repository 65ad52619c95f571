import type { JsonValue } from '../../ipam/model/resource.ts';
import { parseJson } from '../../support/json.ts';
import { scanJson } from './json-scanner.ts';
import { dataErrorAt, lineAt, type Place } from './place.ts';

/** A parsed document and the line, from 1, where it begins. */
export interface Document {
  readonly value: JsonValue;
  readonly line: number;
  /** Line of each item of a list, where that is known. */
  readonly itemLines?: readonly number[] | undefined;
}

/**
 * JSON documents of a text: one, several in a row, or one per line.
 *
 * @param place Where the text begins.
 * @throws {@link DataError} with file and line when it is no JSON or ends in the middle.
 */
export function* jsonDocuments(text: string, place: Place): Generator<Document> {
  const start = skipSpace(text, 0);
  const line = lineAt(text, start, { line: place.line, position: 0 });
  let whole: JsonValue;
  try {
    whole = parseJson(text);
  } catch {
    // A text of several documents fails at the second one: that costs no more than parsing the first one twice.
    yield* documentsInARow(text, { ...place, line }, start);
    return;
  }
  yield { value: whole, line };
}

function* documentsInARow(text: string, place: Place, first: number): Generator<Document> {
  let { line } = place;
  for (let start = first; start < text.length;) {
    const scan = scanJson(text, start);
    if ('error' in scan) throw jsonError(text, { ...place, line }, { start, error: scan.error });
    yield { value: parseJson(text.slice(start, scan.end)), line };
    const next = skipSpace(text, scan.end);
    line = lineAt(text, next, { line, position: start });
    start = next;
  }
}

function jsonError(text: string, place: Place, at: { start: number; error: number }): Error {
  if (skipSpace(text, at.error) >= text.length) {
    const hint = 'the file was cut: write it again';
    return dataErrorAt(place, 'the JSON document that begins here is not complete', hint);
  }
  const line = lineAt(text, at.error, { line: place.line, position: at.start });
  return dataErrorAt({ ...place, line }, 'this is not valid JSON');
}

function skipSpace(text: string, from: number): number {
  const space = /\s*/y;
  space.lastIndex = from;
  space.test(text);
  return space.lastIndex;
}

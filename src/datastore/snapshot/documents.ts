import { DataError } from '../../errors/data-error.ts';
import { type Document, jsonDocuments } from './json-documents.ts';
import { lineAt, type Place } from './place.ts';
import { yamlDocuments } from './yaml-documents.ts';

/** Begins as JSON does and YAML in braces hardly ever: a collection, then a name, a nested collection, its end or the end. */
const LOOKS_LIKE_JSON = /^[{[]\s*(?:["{[\]}]|$)/;

/**
 * Documents of a text in any mixture of YAML and JSON, one after the other, so that only one of them is in work at a time.
 *
 * @throws {@link DataError} with file and line when the text cannot be parsed.
 */
export function* readDocuments(text: string, file: string): Generator<Document> {
  let line = 1;
  let start = 0;
  for (const end of documentEnds(text)) {
    yield* readPart(text.slice(start, end), { file, line });
    line = lineAt(text, end, { line, position: start });
    start = end;
  }
}

/**
 * Positions at which the text can be cut: in front of each line with a document marker, which no value may contain, and at
 * its end. A text with directives is left whole, because they belong to the document behind the next marker.
 */
export function* documentEnds(text: string): Generator<number> {
  if (!/^%/m.test(text)) {
    for (let at = text.indexOf('\n---'); at >= 0; at = text.indexOf('\n---', at + 4)) {
      if (/^\s?$/.test(text.charAt(at + 4))) yield at + 1;
    }
  }
  yield text.length;
}

function* readPart(text: string, place: Place): Generator<Document> {
  const marker = /^---[ \t]*\r?\n/.exec(text)?.[0] ?? '';
  const first = /\S/g;
  first.lastIndex = marker.length;
  const begin = first.exec(text);
  if (begin?.[0] === '{' || begin?.[0] === '[') {
    yield* readBraces(text.slice(begin.index), {
      ...place,
      line: lineAt(text, begin.index, { line: place.line, position: 0 }),
    });
  } else if (begin !== null) {
    yield* yamlDocuments(text, place);
  }
}

/** JSON is YAML, but read ten times as fast; what only looks like JSON may still be YAML in braces. */
function* readBraces(text: string, place: Place): Generator<Document> {
  if (LOOKS_LIKE_JSON.test(text.slice(0, 1000))) {
    yield* jsonDocuments(text, place);
    return;
  }
  try {
    yield* jsonDocuments(text, place);
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    yield* yamlDocuments(text, place);
  }
}

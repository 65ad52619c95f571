import { constructFromEvents, parseEvents, YAMLException } from 'js-yaml';
import { DataError } from '../../errors/data-error.ts';
import type { JsonValue } from '../../ipam/model/resource.ts';
import type { Document } from './json-documents.ts';
import { dataErrorAt, lineAt, type Place } from './place.ts';
import { isObject } from './same-object.ts';
import { findAliasProblem } from './yaml-aliases.ts';
import { cutList } from './yaml-list.ts';
import { snapshotSchema } from './yaml-schema.ts';

const NEWLINE = 10;
const COMMA = 44;

/** Deeper than any schema of a custom resource, shallow enough for the parser's own calls. */
const MAX_DEPTH = 256;

/** Most values that the aliases of one document may repeat; by hand one writes a few hundred at most. */
const MAX_REPEATED_VALUES = 1_000_000;

/** The same for a piece of a list, of which there may be thousands. */
const MAX_REPEATED_IN_PIECE = 1_000;

/**
 * Most values of a document that is parsed as a whole. The parser needs over a hundred bytes for each, so that a text of
 * nothing but commas would end the process.
 */
const MAX_VALUES = 10_000_000;

/** A list shorter than this is parsed at once. */
const MIN_CUT_LENGTH = 64 * 1024;

/**
 * YAML documents of a text without document markers in between, as JSON values; empty documents are left out.
 *
 * @param place Where the text begins.
 * @throws {@link DataError} with file and line when it cannot be parsed, is nested too deeply, or holds aliases that make it
 * endless or far larger than its text.
 */
export function yamlDocuments(text: string, place: Place): Document[] {
  const start = Math.max(text.search(/^(?!---)[^\s#]/m), 0);
  const line = lineAt(text, start, { line: place.line, position: 0 });
  const list = text.length < MIN_CUT_LENGTH ? undefined : listInPieces(text, place);
  if (list !== undefined) return [{ ...list, line }];
  assertParsable(text, place);
  const values = parse(text, place, MAX_REPEATED_VALUES);
  return values.filter((value) => value !== null).map((value) => ({ value, line }));
}

function assertParsable(text: string, place: Place): void {
  if (text.length < MAX_VALUES) return;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === NEWLINE || code === COMMA) values++;
  }
  if (values <= MAX_VALUES) return;
  throw dataErrorAt(
    place,
    `this YAML holds more than ${MAX_VALUES} values`,
    'dump as JSON, or one kind per file',
  );
}

/**
 * A list parsed piece by piece, which takes a third of the memory and less time; undefined for what is no such list, or
 * cannot be parsed that way.
 */
function listInPieces(text: string, place: Place): Omit<Document, 'line'> | undefined {
  const cut = cutList(text);
  if (cut === undefined) return undefined;
  try {
    const [list, ...others] = parse(cut.head, place, MAX_REPEATED_IN_PIECE);
    if (!isObject(list) || others.length > 0) return undefined;
    const items: JsonValue[] = [];
    for (const piece of cut.pieces) {
      const [sequence, ...rest] = parse(piece, place, MAX_REPEATED_IN_PIECE);
      if (!Array.isArray(sequence) || rest.length > 0) return undefined;
      for (const item of sequence) items.push(item);
    }
    if (items.length !== cut.itemLines.length) return undefined;
    list.items = items;
    return { value: list, itemLines: cut.itemLines.map((line) => line + place.line - 1) };
  } catch (error) {
    // Parsing the whole text finds the right place of an error, or none at all.
    if (error instanceof DataError) return undefined;
    throw error;
  }
}

function parse(text: string, place: Place, maxRepeated: number): JsonValue[] {
  try {
    const events = parseEvents(text, { maxDepth: MAX_DEPTH });
    const found = findAliasProblem(events, text, maxRepeated);
    if (found === undefined) {
      return constructFromEvents(events, { source: text, schema: snapshotSchema() }) as JsonValue[];
    }
    const line = lineAt(text, found.position, { line: place.line, position: 0 });
    throw dataErrorAt({ ...place, line }, found.problem);
  } catch (error) {
    throw yamlError(error, place);
  }
}

function yamlError(error: unknown, place: Place): unknown {
  if (error instanceof DataError) return error;
  // The parser's own documentation warns that it throws other errors, too, on text that was made to break it.
  if (!(error instanceof YAMLException)) return dataErrorAt(place, 'this YAML cannot be read');
  const line = place.line + (error.mark?.line ?? 0);
  return dataErrorAt({ ...place, line }, `this is not valid YAML (${error.reason})`);
}

import type { JsonValue } from '../../ipam/model/resource.ts';
import { parseJson } from '../../support/json.ts';
import { documentEnds, readDocuments } from './documents.ts';
import { endOfValue, skipBlanks, type Span } from './json-spans.ts';

/** A document of a file with its text. */
export interface TextDocument extends Span {
  readonly format: 'json' | 'yaml';
  readonly value: JsonValue;
}

/** A stretch of a text between two document markers: several JSON documents, one of YAML, or what cannot be taken apart. */
export interface TextPart extends Span {
  readonly documents: readonly TextDocument[];
  /** Set where the documents have no positions of their own: the values of all of them. */
  readonly values?: readonly JsonValue[] | undefined;
}

/** Takes a text apart that was opened before. @throws {@link DataError} when it cannot be parsed. */
export function textParts(text: string, file: string): TextPart[] {
  const parts: TextPart[] = [];
  let start = 0;
  for (const end of documentEnds(text)) {
    parts.push(partOf(text, { start, end }, file));
    start = end;
  }
  return parts;
}

function partOf(text: string, span: Span, file: string): TextPart {
  const part = text.slice(span.start, span.end);
  const values = [...readDocuments(part, file)].map(({ value }) => value);
  const json = jsonDocumentsOf(text, span);
  if (json !== undefined && json.length === values.length) return { ...span, documents: json };
  const [value] = values;
  if (value === undefined) return { ...span, documents: [] };
  // Content behind a marker has no lines of its own.
  if (values.length > 1 || /^---[ \t]+[^#\s]/.test(part)) return { ...span, documents: [], values };
  return { ...span, documents: [{ ...contentSpan(text, span), format: 'yaml', value }] };
}

/** JSON documents with their positions; undefined for what is no JSON. */
function jsonDocumentsOf(text: string, span: Span): TextDocument[] | undefined {
  const marker = /^---[ \t]*\r?\n/.exec(text.slice(span.start, span.start + 100))?.[0] ?? '';
  let at = skipBlanks(text, span.start + marker.length);
  if (text.charAt(at) !== '{' && text.charAt(at) !== '[') return undefined;
  const documents: TextDocument[] = [];
  try {
    while (at < span.end) {
      const end = endOfValue(text, at);
      documents.push({ format: 'json', start: at, end, value: parseJson(text.slice(at, end)) });
      at = skipBlanks(text, end);
    }
  } catch {
    return undefined;
  }
  return documents;
}

/** The text of a YAML document without what stands around it: markers, comments and blank lines. */
function contentSpan(text: string, span: Span): Span {
  const part = text.slice(span.start, span.end);
  const start = part.search(/^(?!---)[^\s#%]/m);
  const tail = /(?:\r?\n(?:[ \t]*(?:#.*)?|\.\.\.[ \t]*))*$/.exec(part);
  const end = tail === null ? part.length : Math.max(tail.index, start);
  return { start: span.start + Math.max(start, 0), end: span.start + end };
}

import { DataError } from '../../errors/data-error.ts';

/** Where a value stands in the input, for messages. */
export interface Place {
  /** Path as the user gave it, with the way inside a folder; `standard input` for `-`. */
  readonly file: string;
  /** Line, from 1, where the document that holds the value begins. */
  readonly line: number;
  /** Position in the list that is that document, from 1. */
  readonly item?: number | undefined;
  /** Line of each item of the list that is that document, where that is known. */
  readonly itemLines?: readonly number[] | undefined;
}

/** `pods.yaml:12`, or `pods.yaml:1, item 7`. */
export function placeText({ file, line, item }: Place): string {
  return item === undefined ? `${file}:${line}` : `${file}:${line}, item ${item}`;
}

/** Place of an item, given the place of its list. */
export function itemPlace({ file, line, itemLines }: Place, index: number): Place {
  const itemLine = itemLines?.[index];
  return itemLine === undefined ? { file, line, item: index + 1 } : { file, line: itemLine };
}

/** An input that cannot be read, with its file and line in the message and in `details`. */
export function dataErrorAt(place: Place, problem: string, hint?: string): DataError {
  return new DataError(`${placeText(place)}: ${problem}`, {
    hint,
    details: { file: place.file, line: place.line, item: place.item },
  });
}

/** Line, from 1, of a position in a text, given the line of an earlier position. */
export function lineAt(
  text: string,
  position: number,
  from: { readonly line: number; readonly position: number } = { line: 1, position: 0 },
): number {
  let { line } = from;
  let at = text.indexOf('\n', from.position);
  while (at >= 0 && at < position) {
    line++;
    at = text.indexOf('\n', at + 1);
  }
  return line;
}

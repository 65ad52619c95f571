import { stringifyJson } from '../support/json.ts';

/** A document as indented JSON; integers of any size are written in full. */
export function toJson(document: unknown): string {
  return stringifyJson(document, 2);
}

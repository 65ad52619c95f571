import type { JsonValue } from '../../ipam/model/resource.ts';

/** Longest part of a text that is quoted in a message, in characters. */
const LONGEST_QUOTE = 80;

/**
 * Signal inside the codecs that a row cannot be read; the message is a sentence part such as `spec.cidr "x" is no CIDR`.
 * It never leaves them: `decodeObject` and `decodeEntry` turn it into an unreadable row.
 */
export class Misreading extends Error {
  /** Where the pod or endpoint runs, when that much could be read. */
  readonly node: string | undefined;

  constructor(message: string, node?: string) {
    super(message);
    this.name = 'Misreading';
    this.node = node;
  }
}

/** Sentence part for a value that is not what it has to be: `<path> <value> is no <wanted>`, or that it is missing or empty. */
export function wrongValue(path: string, value: JsonValue | undefined, wanted: string): string {
  if (value === undefined || value === null) return `${path} is missing`;
  if (value === '') return `${path} is empty`;
  return `${path} ${quoteValue(value)} is no ${wanted}`;
}

/**
 * A value as a short text for messages. Objects and lists are only hinted at: they may be huge, or too deep to print.
 */
export function quoteValue(value: JsonValue): string {
  if (Array.isArray(value)) return '[…]';
  if (typeof value === 'object' && value !== null) return '{…}';
  if (typeof value !== 'string') return String(value);
  const cut = value.length > LONGEST_QUOTE ? `${value.slice(0, LONGEST_QUOTE)}…` : value;
  return JSON.stringify(cut);
}

import type { JsonValue } from '../../ipam/model/resource.ts';
import { isObject } from './fields.ts';
import { Misreading, wrongValue } from './misreading.ts';

/** Sequence numbers are stored as unsigned 64-bit integers. */
const LARGEST = 2n ** 64n - 1n;

const NO_NUMBERS: ReadonlyMap<number, bigint> = new Map();

/**
 * A sequence number; 0 when absent, as in blocks of old releases. A number that was rounded on its way (a fraction, an
 * integer beyond 2^53) is no longer the one that was stored.
 * @param misreadings Takes a sentence part for one that cannot be read; it is then 0.
 */
export function readSequenceNumber(
  value: JsonValue | undefined,
  path: string,
  misreadings: string[],
): bigint {
  return sequenceNumberOf(value) ?? misread(value, path, misreadings);
}

function misread(value: JsonValue | undefined, path: string, misreadings: string[]): bigint {
  misreadings.push(wrongValue(path, value, 'sequence number'));
  return 0n;
}

function sequenceNumberOf(value: JsonValue | undefined): bigint | undefined {
  if (value === undefined || value === null) return 0n;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  return typeof value === 'bigint' && value >= 0n && value <= LARGEST ? value : undefined;
}

/**
 * Sequence numbers by ordinal.
 * @param misreadings Takes a sentence part for every entry that cannot be read.
 * @throws {@link Misreading} when the whole is no map.
 */
export function readSequenceNumbers(
  value: JsonValue | undefined,
  misreadings: string[],
): ReadonlyMap<number, bigint> {
  if (value === undefined || value === null) return NO_NUMBERS;
  if (!isObject(value)) {
    throw new Misreading(
      wrongValue('sequenceNumberForAllocation', value, 'map of sequence numbers'),
    );
  }
  const numbers = new Map<number, bigint>();
  for (const name in value) {
    const ordinal = ordinalOf(name);
    if (ordinal < 0) {
      misreadings.push(
        `sequenceNumberForAllocation names ${JSON.stringify(name)}, which is no ordinal`,
      );
      continue;
    }
    const number =
      sequenceNumberOf(value[name]) ??
      misread(value[name], `sequenceNumberForAllocation.${name}`, misreadings);
    numbers.set(ordinal, number);
  }
  return numbers;
}

/** The ordinal of a decimal text without leading zeros, the only spelling that Calico looks up; -1 for another text. */
function ordinalOf(text: string): number {
  if (text.length === 0 || text.length > 9) return -1;
  let value = 0;
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return text.length > 1 && text.startsWith('0') ? -1 : value;
}

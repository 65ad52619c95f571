import { countOf, groupDigits, isLargeCount, percentOf, roundedCount } from '../numbers.ts';

/** How a view spells large counts: in full, or with five digits where a table would be too wide. */
export type CountStyle = 'exact' | 'rounded';

/** Count and share of a total: `65,523 (100%)`. */
export function shareOf(
  part: number | bigint,
  total: number | bigint,
  style: CountStyle = 'exact',
): string {
  return `${spell(part, style)} (${percentOf(part, total)}%)`;
}

/** A count alone. */
export function spell(value: number | bigint, style: CountStyle): string {
  return style === 'rounded' ? roundedCount(value) : groupDigits(value);
}

/** Whether rounding would change any of them. */
export function hasLargeCount(values: readonly (number | bigint)[]): boolean {
  return values.some((value) => isLargeCount(value));
}

/** Counted nouns that are not zero: `3 warnings and 1 note`; empty when all are. */
export function enumerate(parts: readonly (readonly [number, string])[]): string {
  return joined(parts.filter(([count]) => count > 0).map(([count, noun]) => countOf(count, noun)));
}

/** `a`, `a and b`, `a, b and c`. */
export function joined(texts: readonly string[]): string {
  return texts.length < 2
    ? (texts[0] ?? '')
    : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1) ?? ''}`;
}

/** How many items ended how: `3 applied, 1 failed`. The first always stands. */
export function totalsOf(...parts: readonly (readonly [number, string])[]): string {
  return parts
    .filter(([count], at) => at === 0 || count > 0)
    .map(([count, text]) => `${groupDigits(count)} ${text}`)
    .join(', ');
}

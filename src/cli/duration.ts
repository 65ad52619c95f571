import { UsageError } from '../errors/usage-error.ts';

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
const DURATION = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+$/;
/** Longest time that a timer of Node can wait, in milliseconds: some 24 days. */
const LONGEST_MS = 2 ** 31 - 1;
const PART = /(\d+(?:\.\d+)?)(ms|s|m|h|d)/g;

/**
 * Milliseconds of a text such as `60s`, `5m`, `1h30m` or `0`.
 * @throws {@link UsageError} for anything else, a number without unit and more than 24 days included.
 */
export function parseDuration(text: string, flag: string): number {
  if (text === '0') return 0;
  if (!DURATION.test(text)) {
    throw new UsageError(`--${flag}: "${text}" is no duration`, {
      hint: 'write it as 60s, 5m or 1h30m',
    });
  }
  let total = 0;
  for (const [, amount, unit] of text.matchAll(PART))
    total += Number(amount) * (UNITS[unit ?? ''] ?? 0);
  if (total > LONGEST_MS) {
    throw new UsageError(`--${flag}: ${text} is too long`, { hint: 'give 24 days or less' });
  }
  return Math.round(total);
}

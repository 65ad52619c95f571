/** Beyond this, a number is hard to read digit by digit and wide in a table. */
const LARGE = 10n ** 15n;

/** All digits in groups of three: `1,208,925,819`. */
export function groupDigits(value: number | bigint): string {
  return value.toString().replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** Whether {@link roundedCount} would round it. */
export function isLargeCount(value: number | bigint): boolean {
  return BigInt(value) >= LARGE;
}

/** Grouped digits, or five significant digits for what has more than fifteen: `1.2089e+24`. */
export function roundedCount(value: number | bigint): string {
  return isLargeCount(value) ? fiveDigits(BigInt(value)) : groupDigits(value);
}

/**
 * Five significant digits as C prints them with `%.5g`: ties to even, no trailing zeros, an exponent of at least two digits
 * from 100,000 on. For integers from 0; decided on the exact value.
 */
export function fiveDigits(value: bigint): string {
  const digits = value.toString();
  if (digits.length <= 5) return digits;
  let exponent = digits.length - 1;
  let mantissa = divideHalfEven(value, 10n ** BigInt(digits.length - 5));
  if (mantissa === 100_000n) {
    mantissa = 10_000n;
    exponent++;
  }
  const [head = '', ...tail] = mantissa.toString();
  const fraction = tail.join('').replace(/0+$/, '');
  return `${head}${fraction === '' ? '' : `.${fraction}`}e+${exponent.toString().padStart(2, '0')}`;
}

/** `100 * part / total` without decimals, ties to even; 0 of nothing is 0. For integers from 0. */
export function percentOf(part: number | bigint, total: number | bigint): string {
  return total === 0 || total === 0n
    ? '0'
    : divideHalfEven(BigInt(part) * 100n, BigInt(total)).toString();
}

/** Counts a noun: `1 block`, `2,000 blocks`. The plural is the noun and `s` unless given. */
export function countOf(count: number | bigint, noun: string, plural = `${noun}s`): string {
  return `${groupDigits(count)} ${count === 1 || count === 1n ? noun : plural}`;
}

function divideHalfEven(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  const twice = (dividend % divisor) * 2n;
  if (twice < divisor || (twice === divisor && quotient % 2n === 0n)) return quotient;
  return quotient + 1n;
}

import { percentOf } from '../numbers.ts';
import { escapeHtml, type Markup } from '../html.ts';

/** Counts of addresses as a bar shows them. `inUse` includes `cooling`; `free` is the rest. */
export interface BarCounts {
  readonly total: bigint;
  readonly inUse: number | bigint;
  readonly cooling?: number | bigint | undefined;
  readonly reserved?: bigint | undefined;
}

/** Thousandths of the bar that the smallest part takes, so that one address of a million is seen. */
const SMALLEST = 10n;

/** A bar of what is in use, cooling and reserved; numbers stand beside it and in its label. */
export function usageBar({ total, inUse, cooling = 0, reserved = 0n }: BarCounts): Markup {
  const parts: readonly (readonly [string, bigint])[] = [
    ['u', BigInt(inUse) - BigInt(cooling)],
    ['c', BigInt(cooling)],
    ['r', reserved],
  ];
  let start = 0n;
  const rects = parts.flatMap(([className, count]) => {
    if (count <= 0n || total === 0n) return [];
    const share = (count * 1000n) / total;
    const width = share < SMALLEST ? SMALLEST : share;
    const rect = `<rect class="${className}" x="${tenths(start)}%" width="${tenths(width)}%" height="100%"/>`;
    start += width;
    return [rect];
  });
  const label = escapeHtml(`${percentOf(inUse, total)}% in use`);
  return {
    markup: `<svg class="bar" role="img" aria-label="${label}"><title>${label}</title>${rects.join('')}</svg>`,
  };
}

/** Thousandths as a percentage with one decimal. */
function tenths(thousandths: bigint): string {
  return `${thousandths / 10n}.${thousandths % 10n}`;
}

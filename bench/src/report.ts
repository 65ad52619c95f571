import type { Comparison, PartResult, RowResult } from './part.ts';

const HEAD = ['', 'wall s', '(min-max)', 'CPU s', 'MiB', 'requests', 'MB down', 'server CPU s'];

/** A part as a table of costs and a list of ratios. */
export function reportText({ part, about, rows, comparisons }: PartResult): string {
  return [
    `\n${part}: ${about}`,
    ...(rows.length > 0 ? table([HEAD, ...rows.map(cells)]) : []),
    ...comparisons.map(comparisonLine),
  ].join('\n');
}

function cells(row: RowResult): string[] {
  const seconds = (ms: number | undefined): string => (ms === undefined ? '' : precise(ms / 1000));
  const [least, most] = row.wallRangeMs;
  return [
    row.name,
    seconds(row.wallMs),
    `(${seconds(least)}-${seconds(most)})`,
    seconds(row.cpuMs),
    row.peakMiB > 0 ? row.peakMiB.toFixed(0) : '',
    row.requests?.toString() ?? '',
    row.receivedBytes === undefined ? '' : (row.receivedBytes / 1e6).toFixed(2),
    seconds(row.serverCpuMs),
  ];
}

function precise(value: number): string {
  return value < 1 ? value.toFixed(3) : value.toFixed(2);
}

function table(lines: readonly (readonly string[])[]): string[] {
  const widths = HEAD.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  return lines.map((line) =>
    line
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
      )
      .join('  '),
  );
}

function comparisonLine({ what, value, target }: Comparison): string {
  const text = Number.isInteger(value) ? String(value) : value.toFixed(2);
  if (target === undefined) return `  ${what}: ${text}`;
  return `  ${what}: ${text}, wanted at most ${target}${value <= target ? '' : ' - MISSED'}`;
}

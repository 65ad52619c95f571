import { median } from './measure.ts';
import type { RowResult, Run } from './part.ts';

/**
 * Runs the rows in turn, round by round, so that what disturbs the machine disturbs all of them.
 * @param warmUps Rounds before those that count, which warm the caches of both sides.
 */
export async function inRounds(
  rows: Readonly<Record<string, () => Promise<Run>>>,
  rounds: number,
  warmUps = 1,
): Promise<Map<string, Run[]>> {
  const runs = new Map<string, Run[]>(Object.keys(rows).map((name) => [name, []]));
  for (let round = 1 - warmUps; round <= rounds; round++) {
    for (const [name, start] of Object.entries(rows)) {
      const run = await start();
      if (round > 0) runs.get(name)?.push(run);
    }
  }
  return runs;
}

/** The middle of the runs of each row. */
export function summaries(runs: ReadonlyMap<string, readonly Run[]>): RowResult[] {
  return [...runs].map(([name, all]) => summary(name, all));
}

/** The middle of runs. */
export function summary(name: string, runs: readonly Run[]): RowResult {
  const middle = (pick: (run: Run) => number | undefined): number | undefined => {
    const values = runs.map(pick).filter((value) => value !== undefined);
    return values.length === 0 ? undefined : median(values);
  };
  const walls = runs.map(({ wallMs }) => wallMs);
  return {
    name,
    wallMs: median(walls),
    wallRangeMs: [Math.min(...walls), Math.max(...walls)],
    cpuMs: middle(({ cpuMs }) => cpuMs) ?? NaN,
    peakMiB: middle(({ peakMiB }) => peakMiB) ?? NaN,
    requests: middle(({ requests }) => countOf(requests)),
    receivedBytes: middle(({ receivedBytes }) => receivedBytes),
    serverCpuMs: middle(({ serverCpuMs }) => serverCpuMs),
  };
}

function countOf(requests: Run['requests']): number | undefined {
  const counts = Object.values(requests);
  return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count, 0);
}

/**
 * The middle of the ratios of two rows, round by round.
 * @throws Error for a row that did not run.
 */
export function ratio(
  runs: ReadonlyMap<string, readonly Run[]>,
  [name, floor]: readonly [string, string],
  pick: (run: Run) => number | undefined,
): number {
  const [rows, floors] = [runs.get(name), runs.get(floor)];
  if (rows === undefined || floors === undefined)
    throw new Error(`${name} or ${floor} did not run`);
  return median(rows.map((run, round) => (pick(run) ?? NaN) / (pick(floors[round]!) ?? NaN)));
}

/** Picks of {@link ratio}. */
export const wall = ({ wallMs }: Run): number => wallMs;
export const cpu = ({ cpuMs }: Run): number => cpuMs;
export const serverCpu = ({ serverCpuMs }: Run): number | undefined => serverCpuMs;

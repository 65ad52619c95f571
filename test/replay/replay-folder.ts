import { inNewerGroup } from './newer-group.ts';
import { type Difference, replayTrace } from './replay-trace.ts';
import type { OpenStage } from './stage.ts';
import { readTraces, type Trace } from './trace.ts';

/** How many traces were equal, were not, and could not be replayed. */
export interface ReplaySummary {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/**
 * Traces of a folder; one of the older group stands for itself and for its twin in the newer one. Those of one form come
 * together, since a server needs a while to change over.
 */
export function tracesToReplay(folder: string): readonly Trace[] {
  const traces = readTraces(folder);
  const older = traces.filter(({ form }) => form === 'crd');
  const others = traces.filter(({ form }) => form !== 'crd');
  const newerFirst = others.sort((a, b) => Number(a.form === 'etcd') - Number(b.form === 'etcd'));
  return [...older, ...older.map(inNewerGroup), ...newerFirst];
}

/** Replays every trace of a folder and tells what became of each. */
export async function replayFolder(
  folder: string,
  open: OpenStage,
  tell: (line: string) => void,
): Promise<ReplaySummary> {
  const summary = { passed: 0, failed: 0, skipped: 0 };
  for (const trace of tracesToReplay(folder)) {
    const outcome = await replayOne(trace, open);
    summary[outcome.verdict]++;
    tell(`${outcome.verdict.padEnd(7)} ${trace.name}`);
    for (const difference of outcome.differences) tell(describe(difference));
  }
  return summary;
}

async function replayOne(
  trace: Trace,
  open: OpenStage,
): Promise<{ readonly verdict: keyof ReplaySummary; readonly differences: readonly Difference[] }> {
  const stage = await open(trace.form);
  if (!stage) return { verdict: 'skipped', differences: [] };
  try {
    const differences = await replayTrace(trace, stage);
    return { verdict: differences.length === 0 ? 'passed' : 'failed', differences };
  } finally {
    await stage.close();
  }
}

/** A difference as a few lines of text. */
export function describe({ step, op, what, expected, actual }: Difference): string {
  return `  step ${step}: ${op}\n    ${what}\n      expected ${expected}\n      actual   ${actual}`;
}

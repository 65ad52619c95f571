import { join } from 'node:path';
import { applyCarriedCrds } from '../../test/support/crds.ts';
import { type Cost, measure, measureProgram } from '../src/measure.ts';
import type { BenchContext, Comparison, PartResult, Run, SeededServer } from '../src/part.ts';
import { inRounds, ratio, summaries, summary, wall } from '../src/rounds.ts';

const [FLOOR, RELEASE] = ['conditional writes alone', 'ipam release --leaked'];

/** Releasing all leaked addresses, one a block, of a real server; after each round they are restored. */
export async function releaseOnServer(context: BenchContext): Promise<PartResult> {
  const seeded = await context.cluster();
  const { kubeconfig, leaks } = seeded;
  let round = 0;
  const runs = await inRounds(
    {
      [FLOOR]: () =>
        measure(['bench/floors/conditional-writes.ts', kubeconfig, `${leaks}`, `${leaks}`]),
      [RELEASE]: () => release(context.folder, seeded, round++),
    },
    context.rounds,
  );
  const original = await releaseByOriginal(context, seeded);
  return {
    part: 'release',
    about: `${leaks} leaked addresses in ${leaks} blocks of ${seeded.blocks}, both looks and the undo file included`,
    rows: [
      ...summaries(runs),
      ...(original === undefined ? [] : [summary('original', [original])]),
    ],
    comparisons: [
      ...requestsOf(runs.get(RELEASE)?.[0], leaks),
      { what: 'wall to the writes alone', value: ratio(runs, [RELEASE, FLOOR], wall) },
      ...(original === undefined ? [] : toOriginal(runs.get(RELEASE) ?? [], original)),
    ],
  };
}

async function release(folder: string, { kubeconfig }: SeededServer, round: number): Promise<Run> {
  const connection = ['--kubeconfig', kubeconfig, '--yes', '--format', 'json'];
  const undo = join(folder, `release-${round}.jsonl`);
  const cost = await measure([
    ...['bin/run.js', 'ipam', 'release', '--leaked', ...connection],
    ...['--undo-file', undo],
  ]);
  await measure([
    ...['bin/run.js', 'ipam', 'restore', undo, ...connection],
    ...['--undo-file', `${undo}.restored`],
  ]);
  return cost;
}

function requestsOf(run: Run | undefined, leaks: number): Comparison[] {
  const { PUT = 0, DELETE = 0, ...others } = run?.requests ?? {};
  const rest = Object.values(others).reduce((sum, count) => sum + count, 0);
  return [
    { what: 'writes an address', value: (PUT + DELETE) / leaks, target: 2 },
    { what: 'other requests', value: rest, target: 30 },
  ];
}

/** The whole way of the original: lock, report, release, unlock. It cannot be taken back, so it comes once and last. */
async function releaseByOriginal(
  { original, folder }: BenchContext,
  { kubeconfig, server }: SeededServer,
): Promise<Cost | undefined> {
  if (original === undefined) return undefined;
  // To lock a cluster it makes the default tier first.
  await applyCarriedCrds(server.admin, ['crd.projectcalico.org']);
  const report = join(folder, 'report.json');
  const env = { ...process.env, KUBECONFIG: kubeconfig, DATASTORE_TYPE: 'kubernetes' };
  const script = [
    '"$0" datastore migrate lock --allow-version-mismatch',
    '"$0" ipam check -o "$1" --allow-version-mismatch',
    '"$0" ipam release --from-report "$1" --force --allow-version-mismatch',
    '"$0" datastore migrate unlock --allow-version-mismatch',
  ].join(' && ');
  return measureProgram(['bash', '-c', script, original, report], { env });
}

function toOriginal(runs: readonly Run[], original: Cost): Comparison[] {
  const walls = runs.map(({ wallMs }) => wallMs / original.wallMs);
  return [{ what: 'wall to the original', value: Math.max(...walls), target: 0.35 }];
}

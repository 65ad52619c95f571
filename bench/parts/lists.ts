import { createHash } from 'node:crypto';
import { type Cost, measure, measureProgram } from '../src/measure.ts';
import type { BenchContext, Comparison, PartResult, Run, SeededServer } from '../src/part.ts';
import { cpu, inRounds, ratio, serverCpu, summaries, wall } from '../src/rounds.ts';

const [DOWNLOAD, PAGES] = ['download without parsing', 'pages of 500, JSON'];
const [CHECK, PAGED, SHOW] = ['ipam check', 'ipam check --page-size 500', 'ipam show'];
const [ORIGINAL_CHECK, ORIGINAL_SHOW] = ['original check', 'original show'];

/** Peak memory of a check in MiB by size of the cluster, which the design demands. */
const MOST_MIB = { small: 220, large: 350 };
/** A check to the original by size. */
const TO_ORIGINAL = {
  small: { wall: 0.55, cpu: 0.7, serverCpu: undefined },
  large: { wall: 0.45, cpu: 0.75, serverCpu: 0.5 },
} as const;

type Runs = ReadonlyMap<string, readonly Run[]>;

/** Check and show of a live cluster against the floors, and against the original where there is one. */
export async function lists(context: BenchContext): Promise<PartResult> {
  const seeded = await context.cluster();
  await seeded.rest();
  const runs = await inRounds(rowsOf(seeded, context.original), context.rounds);
  for (const name of [CHECK, PAGED]) assertAnswer(runs.get(name) ?? [], seeded.leaks);
  const documents = [CHECK, PAGED].map((name) => digestOf(runs.get(name)?.[0]?.stdout ?? ''));
  if (documents[0] !== documents[1]) throw new Error('streamed and paged answers differ');
  return {
    part: 'check and show',
    about:
      `${seeded.nodes} nodes, ${seeded.pods} pods, ${seeded.blocks} blocks, ${seeded.leaks} leaks; the same answer ` +
      `streamed and paged (${documents[0]})`,
    rows: summaries(runs),
    comparisons: [
      ...toFloors(runs, context.size),
      ...(context.original === undefined ? [] : toOriginal(runs, context.size)),
    ],
  };
}

function rowsOf(
  { kubeconfig, cpuSeconds, rest }: SeededServer,
  original: string | undefined,
): Record<string, () => Promise<Run>> {
  const withServer = (start: () => Promise<Cost>) => async (): Promise<Run> => {
    const before = cpuSeconds();
    const cost = await start();
    // What the server does afterwards is on the account of this run, and must not slow down the next one.
    await rest();
    return { ...cost, serverCpuMs: (cpuSeconds() - before) * 1000 };
  };
  const node = (...args: string[]) => withServer(() => measure(args));
  const check = ['bin/run.js', 'ipam', 'check', '--kubeconfig', kubeconfig, '--format', 'json'];
  // Without its own limit of requests, which would be all that is measured.
  const env = { ...process.env, KUBECONFIG: kubeconfig, DATASTORE_TYPE: 'kubernetes' };
  const theirs = (name: string) =>
    withServer(() =>
      measureProgram([original ?? '', 'ipam', name, '--allow-version-mismatch'], {
        env: { ...env, K8S_CLIENT_QPS: '2000' },
      }),
    );
  return {
    [DOWNLOAD]: node('bench/floors/lists.ts', 'download', kubeconfig),
    [PAGES]: node('bench/floors/lists.ts', 'pages', kubeconfig),
    [CHECK]: node(...check, '--fail-on', 'never'),
    [PAGED]: node(...check, '--fail-on', 'never', '--page-size', '500'),
    [SHOW]: node('bin/run.js', 'ipam', 'show', '--kubeconfig', kubeconfig),
    ...(original === undefined
      ? {}
      : { [ORIGINAL_CHECK]: theirs('check'), [ORIGINAL_SHOW]: theirs('show') }),
  };
}

/** Nothing but the leaks that were seeded. */
function assertAnswer(runs: readonly Run[], leaks: number): void {
  for (const { stdout } of runs) {
    const { summary } = JSON.parse(stdout) as { summary: { byCode: Record<string, number> } };
    const found = JSON.stringify(summary.byCode);
    if (found !== JSON.stringify({ 'leaked-address': leaks }))
      throw new Error(`the check found ${found}, expected ${leaks} leaks and nothing else`);
  }
}

/** Digest of a document without what differs from run to run. */
function digestOf(text: string): string {
  const document = JSON.parse(text) as Record<string, unknown>;
  const { checkedAt: _checkedAt, source: _source, ...rest } = document;
  return createHash('sha256').update(JSON.stringify(rest)).digest('hex').slice(0, 12);
}

function toFloors(runs: Runs, size: BenchContext['size']): Comparison[] {
  const check = runs.get(CHECK) ?? [];
  // Where there is little to read, what every run costs is most of it.
  const atLarge = (target: number): number | undefined => (size === 'large' ? target : undefined);
  const to = (floor: string, pick: (run: Run) => number | undefined): number =>
    ratio(runs, [CHECK, floor], pick);
  return [
    { what: 'check, wall to download', value: to(DOWNLOAD, wall), target: atLarge(2.1) },
    { what: 'check, wall to pages', value: to(PAGES, wall), target: atLarge(0.45) },
    { what: 'check, CPU to pages', value: to(PAGES, cpu), target: atLarge(0.72) },
    { what: "check, the server's CPU to pages", value: to(PAGES, serverCpu) },
    {
      what: 'check, most requests beside those that confirm',
      value: most(check, ({ firstReads }) => firstReads),
      target: 15,
    },
    { what: 'check, most requests that confirm', value: most(check, confirmations) },
    {
      what: 'check, most MiB',
      value: Math.round(most(check, ({ peakMiB }) => peakMiB)),
      target: MOST_MIB[size],
    },
    { what: 'show, most requests', value: most(runs.get(SHOW) ?? [], requestCount), target: 6 },
  ];
}

function most(runs: readonly Run[], pick: (run: Run) => number): number {
  return Math.max(...runs.map(pick));
}

function requestCount({ requests }: Run): number {
  return Object.values(requests).reduce((sum, count) => sum + count, 0);
}

/** So many leaks are confirmed by listing a kind again. */
function confirmations(run: Run): number {
  return requestCount(run) - run.firstReads;
}

function toOriginal(runs: Runs, size: BenchContext['size']): Comparison[] {
  const targets = TO_ORIGINAL[size];
  const check = [CHECK, ORIGINAL_CHECK] as const;
  return [
    { what: 'check, wall to the original', value: ratio(runs, check, wall), target: targets.wall },
    { what: 'check, CPU to the original', value: ratio(runs, check, cpu), target: targets.cpu },
    {
      what: "check, the server's CPU to the original's",
      value: ratio(runs, check, serverCpu),
      target: targets.serverCpu,
    },
    { what: 'check, MiB to the original', value: ratio(runs, check, ({ peakMiB }) => peakMiB) },
    {
      what: 'show, wall to the original',
      value: ratio(runs, [SHOW, ORIGINAL_SHOW], wall),
      target: 0.9,
    },
  ];
}

import { median, measure } from '../src/measure.ts';
import type { BenchContext, PartResult } from '../src/part.ts';

/** Nodes with 60 addresses each: some 500,000 and half of them. */
const NODES = [4_200, 8_400] as const;

interface Judged {
  readonly allocations: number;
  readonly spent: Readonly<Record<'parse' | 'take' | 'index' | 'rules', number>>;
}

/** Judging in memory by all rules against `JSON.parse` of the blocks and handles, and at twice the size. */
export async function judging({ rounds }: BenchContext): Promise<PartResult> {
  const small: Judged[] = [];
  const large: Judged[] = [];
  for (let round = 0; round < rounds; round++) {
    small.push(await judge(NODES[0]));
    large.push(await judge(NODES[1]));
  }
  const ratios = (pick: (round: number) => number): number =>
    median(large.map((_, round) => pick(round)));
  const step = (name: keyof Judged['spent']): number =>
    median(large.map(({ spent }) => spent[name]));
  return {
    part: 'judging',
    about:
      `${large[0]!.allocations} allocations; CPU of parsing ${step('parse').toFixed(0)} ms, taking rows ` +
      `${step('take').toFixed(0)} ms, indexing ${step('index').toFixed(0)} ms, rules ${step('rules').toFixed(0)} ms`,
    rows: [],
    comparisons: [
      {
        what: 'judging to JSON.parse, CPU',
        value: ratios((round) => judgingOf(large[round]!) / large[round]!.spent.parse),
        target: 2,
      },
      {
        what: 'taking rows to JSON.parse, CPU (pods are in it)',
        value: ratios((round) => large[round]!.spent.take / large[round]!.spent.parse),
      },
      {
        what: 'twice the size, CPU of taking rows and judging',
        value: ratios((round) => wholeOf(large[round]!) / wholeOf(small[round]!)),
        target: 2.2,
      },
    ],
  };
}

async function judge(nodes: number): Promise<Judged> {
  const { stdout } = await measure([
    '--max-old-space-size=8192',
    'bench/work/judge.ts',
    `${nodes}`,
  ]);
  return JSON.parse(stdout) as Judged;
}

function judgingOf({ spent: { index, rules } }: Judged): number {
  return index + rules;
}

function wholeOf(judged: Judged): number {
  return judged.spent.take + judgingOf(judged);
}

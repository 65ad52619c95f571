import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringifyJson } from '../../src/support/json.ts';
import { yamlText } from '../../src/support/yaml-text.ts';
import { singleBinary } from '../../test/support/single-binary.ts';
import { type Cost, measureProgram } from '../src/measure.ts';
import type { BenchContext, Comparison, PartResult } from '../src/part.ts';
import { inRounds, summaries } from '../src/rounds.ts';
import { seededCluster } from '../src/seeded-cluster.ts';

const FLOOR = 'node -e 0';
/** At most so many times the floor, by the program and its row. */
const TARGETS = {
  npm: {
    '--version': 1.3,
    'ipam show --help': 2.6,
    'ipam show, JSON': 2.6,
    'ipam show, YAML': 2.6,
  },
  binary: { '--version': 1.3, 'ipam show --help': 2, 'ipam show, JSON': 2, 'ipam show, YAML': 2 },
};
/** A start takes too little time for few rounds. */
const ROUNDS = 15;

/** Starts of the program against an empty run of Node. */
export async function startUp({ folder, original }: BenchContext): Promise<PartResult> {
  const [json, yaml] = [join(folder, 'ten.json'), join(folder, 'ten.yaml')];
  const list = { apiVersion: 'v1', kind: 'List', items: tenBlocks() };
  writeFileSync(json, `${stringifyJson(list)}\n`);
  writeFileSync(yaml, yamlText(list, 0));
  const binary = singleBinary();
  const runs = await inRounds(
    {
      [FLOOR]: start(process.execPath, '-e', '0'),
      ...rowsOf('npm', [process.execPath, 'bin/run.js'], { json, yaml }),
      ...rowsOf('binary', [binary], { json, yaml }),
      ...(original === undefined ? {} : { 'original --help': start(original, 'ipam', '--help') }),
    },
    ROUNDS,
  );
  const least = (name: string, pick: (cost: Cost) => number): number =>
    Math.min(...(runs.get(name) ?? []).map(pick));
  const compare = (name: string, target: number): Comparison[] => [
    {
      what: `${name}, wall to ${FLOOR}, least of each`,
      value: least(name, ({ wallMs }) => wallMs) / least(FLOOR, ({ wallMs }) => wallMs),
      target,
    },
    {
      what: `${name}, CPU to ${FLOOR}, least of each`,
      value: least(name, ({ cpuMs }) => cpuMs) / least(FLOOR, ({ cpuMs }) => cpuMs),
    },
  ];
  return {
    part: 'start-up',
    about: `${ROUNDS} starts each; the snapshot holds ten blocks with 60 addresses, as kubectl writes them`,
    rows: summaries(runs),
    comparisons: Object.entries(TARGETS).flatMap(([program, targets]) =>
      Object.entries(targets).flatMap(([row, target]) => compare(`${program}: ${row}`, target)),
    ),
  };
}

/** The same command lines, run by the program that npm installs and by the one that needs no Node beside it. */
function rowsOf(
  name: keyof typeof TARGETS,
  program: readonly string[],
  { json, yaml }: { readonly json: string; readonly yaml: string },
): Record<string, () => Promise<Cost>> {
  return {
    [`${name}: --version`]: start(...program, '--version'),
    [`${name}: ipam show --help`]: start(...program, 'ipam', 'show', '--help'),
    [`${name}: ipam show, JSON`]: start(...program, 'ipam', 'show', '--snapshot', json),
    [`${name}: ipam show, YAML`]: start(...program, 'ipam', 'show', '--snapshot', yaml),
  };
}

function start(...program: string[]): () => Promise<Cost> {
  return () => measureProgram(program);
}

/** What kubectl gets of Calico's kinds, each object with its revision. */
function tenBlocks() {
  const size = { nodes: 10, podsPerNode: 5, blocksPerNode: 1, leakRate: 0.02, seed: 1 };
  return [...seededCluster(size).objects]
    .filter(({ kind }) => kind !== 'Pod' && kind !== 'Node')
    .map((object, position) => ({
      ...object,
      metadata: { ...(object['metadata'] as object), resourceVersion: String(1000 + position) },
    }));
}

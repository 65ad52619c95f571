import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringifyJson } from '../../src/support/json.ts';
import { yamlText } from '../../src/support/yaml-text.ts';
import { type Cost, measureProgram } from '../src/measure.ts';
import type { BenchContext, Comparison, PartResult } from '../src/part.ts';
import { inRounds, summaries } from '../src/rounds.ts';
import { seededCluster } from '../src/seeded-cluster.ts';

const FLOOR = 'node -e 0';
/** A start takes too little time for few rounds. */
const ROUNDS = 15;

/** Starts of the program against an empty run of Node. */
export async function startUp({ folder, original }: BenchContext): Promise<PartResult> {
  const [json, yaml] = [join(folder, 'ten.json'), join(folder, 'ten.yaml')];
  const list = { apiVersion: 'v1', kind: 'List', items: tenBlocks() };
  writeFileSync(json, `${stringifyJson(list)}\n`);
  writeFileSync(yaml, yamlText(list, 0));
  const ours = (...args: string[]) => start(process.execPath, 'bin/run.js', ...args);
  const runs = await inRounds(
    {
      [FLOOR]: start(process.execPath, '-e', '0'),
      '--version': ours('--version'),
      'ipam show --help': ours('ipam', 'show', '--help'),
      'ipam show, JSON': ours('ipam', 'show', '--snapshot', json),
      'ipam show, YAML': ours('ipam', 'show', '--snapshot', yaml),
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
    comparisons: [
      ...compare('--version', 1.3),
      ...compare('ipam show --help', 2.6),
      ...compare('ipam show, JSON', 2.6),
      ...compare('ipam show, YAML', 2.6),
    ],
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

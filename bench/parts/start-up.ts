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
const YAML_FLOOR = 'js-yaml in Node';
/** Loads the library and parses a file. */
const PARSE_YAML =
  "require('js-yaml').load(require('node:fs').readFileSync(process.argv[1], 'utf8'))";

/** At most so many times a floor. */
interface Target {
  readonly floor: string;
  readonly npm: number;
  readonly binary: number;
}
/** What a snapshot of YAML takes longer is what its parser takes when it runs for the first time. */
const TARGETS: Readonly<Record<string, Target>> = {
  '--version': { floor: FLOOR, npm: 1.3, binary: 1.3 },
  'ipam show --help': { floor: FLOOR, npm: 2.6, binary: 2 },
  'ipam show, snapshot': { floor: FLOOR, npm: 2.6, binary: 2 },
  'ipam show, JSON': { floor: FLOOR, npm: 2.6, binary: 2 },
  'ipam show, YAML': { floor: YAML_FLOOR, npm: 1.5, binary: 1.5 },
};
/** A start takes too little time for few rounds. */
const ROUNDS = 15;

/** Ten blocks: what `datastore snapshot` writes of them, and what kubectl does. */
interface Files {
  readonly snapshot: string;
  readonly json: string;
  readonly yaml: string;
}

/** Starts of the program against an empty run of Node. */
export async function startUp({ folder, original }: BenchContext): Promise<PartResult> {
  const npm = [process.execPath, 'bin/run.js'];
  const files = await writeFiles(folder, npm);
  const runs = await inRounds(
    {
      [FLOOR]: start(process.execPath, '-e', '0'),
      [YAML_FLOOR]: start(process.execPath, '-e', PARSE_YAML, files.yaml),
      ...rowsOf('npm', npm, files),
      ...rowsOf('binary', [singleBinary()], files),
      ...(original === undefined ? {} : { 'original --help': start(original, 'ipam', '--help') }),
    },
    ROUNDS,
  );
  const least = (name: string, pick: (cost: Cost) => number): number =>
    Math.min(...(runs.get(name) ?? []).map(pick));
  const ratio = (name: string, floor: string, pick: (cost: Cost) => number): number =>
    least(name, pick) / least(floor, pick);
  const compare = (program: 'npm' | 'binary', row: string, target: Target): Comparison[] => {
    const name = `${program}: ${row}`;
    return [...new Set([target.floor, FLOOR])].flatMap((floor) => [
      {
        what: `${name}, wall to ${floor}, least of each`,
        value: ratio(name, floor, ({ wallMs }) => wallMs),
        ...(floor === target.floor ? { target: target[program] } : {}),
      },
      {
        what: `${name}, CPU to ${floor}, least of each`,
        value: ratio(name, floor, ({ cpuMs }) => cpuMs),
      },
    ]);
  };
  return {
    part: 'start-up',
    about: `${ROUNDS} starts each; the snapshots hold ten blocks with 60 addresses, JSON and YAML as kubectl writes them`,
    rows: summaries(runs),
    comparisons: (['npm', 'binary'] as const).flatMap((program) =>
      Object.entries(TARGETS).flatMap(([row, target]) => compare(program, row, target)),
    ),
  };
}

async function writeFiles(folder: string, program: readonly string[]): Promise<Files> {
  const path = (name: string): string => join(folder, name);
  const files = { snapshot: path('ten'), json: path('ten.json'), yaml: path('ten.yaml') };
  const list = { apiVersion: 'v1', kind: 'List', items: tenBlocks() };
  writeFileSync(files.json, `${stringifyJson(list)}\n`);
  writeFileSync(files.yaml, yamlText(list, 0));
  const write = ['datastore', 'snapshot', '--snapshot', files.json, '-o', files.snapshot];
  await measureProgram([...program, ...write]);
  return files;
}

/** The same command lines, run by the program that npm installs and by the one that needs no Node beside it. */
function rowsOf(
  name: 'npm' | 'binary',
  program: readonly string[],
  { snapshot, json, yaml }: Files,
): Record<string, () => Promise<Cost>> {
  return {
    [`${name}: --version`]: start(...program, '--version'),
    [`${name}: ipam show --help`]: start(...program, 'ipam', 'show', '--help'),
    [`${name}: ipam show, snapshot`]: start(...program, 'ipam', 'show', '--snapshot', snapshot),
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

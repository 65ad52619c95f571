/**
 * Measures ipamctl as ratios to floors, and to the original, of the same run; docs/benchmarks.md explains the figures.
 * Usage: npm run bench -- [--size small|large] [--only PART ...] [--rounds 3] [--output reports/bench.json]
 * `ORIGINAL` in the environment names a calicoctl to compare with.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { importing } from './parts/importing.ts';
import { judging } from './parts/judging.ts';
import { lists } from './parts/lists.ts';
import { releaseMany } from './parts/release-many.ts';
import { releaseOnServer } from './parts/release-on-server.ts';
import { startUp } from './parts/start-up.ts';
import { yamlSnapshot } from './parts/yaml-snapshot.ts';
import type { BenchContext, Part, PartResult, SeededServer, Size } from './src/part.ts';
import { reportText } from './src/report.ts';
import { startSeededServer } from './src/seeded-server.ts';

/** In order: what needs no server first, and what changes the cluster last. */
const PARTS: Readonly<Record<string, Part>> = {
  'start-up': startUp,
  judging,
  yaml: yamlSnapshot,
  'release-many': releaseMany,
  import: importing,
  lists,
  release: releaseOnServer,
};

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: 'small' },
    only: { type: 'string', multiple: true },
    rounds: { type: 'string', default: '3' },
    output: { type: 'string' },
  },
});
const size = sizeOf(values.size);
const names = values.only ?? Object.keys(PARTS);
const unknown = names.find((name) => PARTS[name] === undefined);
if (unknown !== undefined) throw new Error(`no part ${unknown}: ${Object.keys(PARTS).join(', ')}`);
const output = values.output ?? join('reports', `bench-${size}.json`);

const folder = mkdtempSync(join(tmpdir(), 'ipamctl-bench-'));
let cluster: Promise<SeededServer> | undefined;
const say = (text: string): void => console.error(text);
const context: BenchContext = {
  size,
  rounds: Number(values.rounds),
  folder,
  original: process.env['ORIGINAL'],
  cluster: () => (cluster ??= startSeededServer(size, say)),
  say,
};
const results: PartResult[] = [];
try {
  for (const name of names) {
    say(`measuring ${name}`);
    const result = await PARTS[name]!(context);
    results.push(result);
    console.log(reportText(result));
    writeJson();
  }
} finally {
  // Whatever became of its start has been told.
  await (await cluster?.catch(() => undefined))?.server.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** After each part, so that what was measured is not lost. */
function writeJson(): void {
  const machine = {
    node: process.version,
    cpus: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
  };
  mkdirSync(dirname(output), { recursive: true });
  writeFileSync(
    output,
    `${JSON.stringify({ kind: 'Benchmark', size, machine, results }, undefined, 2)}\n`,
  );
}

function sizeOf(text: string): Size {
  if (text === 'small' || text === 'large') return text;
  throw new Error(`--size is small or large, not ${text}`);
}

import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { yamlText } from '../../src/support/yaml-text.ts';
import { measure } from '../src/measure.ts';
import type { BenchContext, PartResult } from '../src/part.ts';
import { cpu, inRounds, ratio, summaries, wall } from '../src/rounds.ts';
import { seededCluster } from '../src/seeded-cluster.ts';

const MEGABYTES = { small: 8, large: 64 };
const [OURS, FLOOR] = ['opening the snapshot', 'js-yaml, integers rounded'];

/** Opening a snapshot of YAML against js-yaml parsing the same text. */
export async function yamlSnapshot({ size, rounds, folder }: BenchContext): Promise<PartResult> {
  const megabytes = MEGABYTES[size];
  const file = join(folder, 'snapshot.yaml');
  writeSnapshot(file, megabytes * 1e6);
  const open = (mode: string) => () => measure(['bench/work/open-yaml.ts', mode, file]);
  const runs = await inRounds({ [OURS]: open('ours'), [FLOOR]: open('js-yaml') }, rounds);
  return {
    part: 'YAML snapshot',
    about: `${megabytes} MB, one list as kubectl writes it`,
    rows: summaries(runs),
    comparisons: [
      { what: 'opening to js-yaml, CPU', value: ratio(runs, [OURS, FLOOR], cpu), target: 1.5 },
      { what: 'opening to js-yaml, wall', value: ratio(runs, [OURS, FLOOR], wall) },
    ],
  };
}

function writeSnapshot(file: string, bytes: number): void {
  const fd = openSync(file, 'w');
  try {
    let written = writeSync(fd, 'apiVersion: v1\nkind: List\nitems:\n');
    const size = { nodes: 10_000, podsPerNode: 30, leakRate: 0.02, seed: 1 };
    for (const object of seededCluster(size).objects) {
      written += writeSync(fd, yamlText([object], 0));
      if (written >= bytes) break;
    }
  } finally {
    closeSync(fd);
  }
}

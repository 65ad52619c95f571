/**
 * Measures `ipam check` and `ipam show` on a generated cluster of a real kube-apiserver, as ratios to the floors of the
 * same run. Usage: node bench/check-at-size.ts [--nodes 500] [--pods-per-node 30] [--rounds 3]; build first.
 */
import { parseArgs } from 'node:util';
import { startApiServer } from '../test/support/api-server-process.ts';
import { loadDump } from '../test/support/load-objects.ts';
import { type Cost, measure, median } from './src/measure.ts';
import { seededCluster } from './src/seeded-cluster.ts';

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '500' },
    'pods-per-node': { type: 'string', default: '30' },
    rounds: { type: 'string', default: '3' },
    keep: { type: 'boolean', default: false },
  },
});

const cluster = seededCluster({
  nodes: Number(values.nodes),
  podsPerNode: Number(values['pods-per-node']),
  leakRate: 0.02,
  seed: 1,
});

const server = await startApiServer();
try {
  const begun = performance.now();
  const refused = await loadDump(server.admin, {
    objects: [...cluster.objects],
    absent: [],
    foreign: [],
  });
  if (refused.length > 0)
    throw new Error(`the server refuses ${refused.length} objects: ${refused[0]?.reason}`);
  console.log(
    `seeded ${values.nodes} nodes, ${cluster.pods} pods, ${cluster.blocks} blocks in ${Math.round((performance.now() - begun) / 1000)} s`,
  );
  const kubeconfig = server.kubeconfig();
  const rows: Record<string, readonly string[]> = {
    'download without parsing': ['bench/floors/lists.ts', 'download', kubeconfig],
    'pages of 500, JSON': ['bench/floors/lists.ts', 'pages', kubeconfig],
    'ipam check': [
      'bin/run.js',
      'ipam',
      'check',
      '--kubeconfig',
      kubeconfig,
      '--format',
      'json',
      '--fail-on',
      'never',
    ],
    'ipam show': ['bin/run.js', 'ipam', 'show', '--kubeconfig', kubeconfig],
  };
  const costs = await measureRounds(rows, Number(values.rounds));
  print(costs);
} finally {
  await server.stop();
}

/** Costs by row, the rows in turn, round by round. */
async function measureRounds(
  rows: Readonly<Record<string, readonly string[]>>,
  rounds: number,
): Promise<Map<string, Cost[]>> {
  const costs = new Map<string, Cost[]>(Object.keys(rows).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const [name, args] of Object.entries(rows)) {
      const cost = await measure(args);
      if (name === 'ipam check') assertAnswer(cost.stdout);
      // The first round warms the caches of both sides.
      if (round > 0) costs.get(name)?.push(cost);
    }
  }
  return costs;
}

function assertAnswer(text: string): void {
  const { summary } = JSON.parse(text) as { summary: { byCode: Record<string, number> } };
  const expected = { 'leaked-address': cluster.leaks };
  if (JSON.stringify(summary.byCode) !== JSON.stringify(expected)) {
    throw new Error(
      `the check found ${JSON.stringify(summary.byCode)}, expected ${JSON.stringify(expected)}`,
    );
  }
}

function print(costs: ReadonlyMap<string, readonly Cost[]>): void {
  const middle = (name: string, field: 'wallMs' | 'cpuMs' | 'peakMiB') =>
    median((costs.get(name) ?? []).map((cost) => cost[field]));
  for (const name of costs.keys()) {
    const figures = [
      `wall ${(middle(name, 'wallMs') / 1000).toFixed(2)} s`,
      `CPU ${(middle(name, 'cpuMs') / 1000).toFixed(2)} s`,
      `${Math.round(middle(name, 'peakMiB'))} MiB`,
      `wall/download ${(middle(name, 'wallMs') / middle('download without parsing', 'wallMs')).toFixed(2)}`,
      `wall/pages ${(middle(name, 'wallMs') / middle('pages of 500, JSON', 'wallMs')).toFixed(2)}`,
      `CPU/pages ${(middle(name, 'cpuMs') / middle('pages of 500, JSON', 'cpuMs')).toFixed(2)}`,
    ];
    console.log(`${name.padEnd(26)} ${figures.join('  ')}`);
  }
}

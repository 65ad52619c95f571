/**
 * Measures `datastore migrate import` of many handles into a real kube-apiserver, as the ratio to creating the same objects
 * by bare requests, as many at a time, in the same run.
 * Usage: node bench/import-objects.ts [--handles 20000] [--concurrency 16] [--rounds 1]; build first.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startApiServer } from '../test/support/api-server-process.ts';
import { applyCarriedCrds, serveOnly } from '../test/support/crds.ts';
import { wipe } from '../test/support/wipe.ts';
import { type Cost, measure, median } from './src/measure.ts';
import { migrationOfHandles } from './src/migration-of-handles.ts';

const { values } = parseArgs({
  options: {
    handles: { type: 'string', default: '20000' },
    concurrency: { type: 'string', default: '16' },
    rounds: { type: 'string', default: '1' },
  },
});
const { concurrency } = values;
const GROUP = 'crd.projectcalico.org';

const folder = mkdtempSync(join(tmpdir(), 'ipamctl-bench-'));
const [file, objects] = [join(folder, 'etcd.calico'), join(folder, 'objects')];
const migration = migrationOfHandles(Number(values.handles));
writeFileSync(file, migration.text);
writeFileSync(objects, migration.creates.map(({ path, body }) => `${path}\t${body}`).join('\n'));

const server = await startApiServer();
try {
  await serveOnly(server.admin, [GROUP]);
  await applyCarriedCrds(server.admin, [GROUP]);
  const kubeconfig = server.kubeconfig();
  const costs = await measureRounds({
    'bare creates': ['bench/floors/creates.ts', kubeconfig, objects, concurrency],
    import: [
      ...['bin/run.js', 'datastore', 'migrate', 'import', '-f', file, '--kubeconfig', kubeconfig],
      ...['--concurrency', concurrency, '--format', 'json'],
    ],
  });
  print(costs, migration.creates.length);
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Costs by row, each run into an empty cluster. */
async function measureRounds(
  runs: Readonly<Record<string, readonly string[]>>,
): Promise<Map<string, Cost[]>> {
  const costs = new Map<string, Cost[]>();
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const [name, args] of Object.entries(runs)) {
      await wipe(server.admin);
      const cost = await measure(args, { ...process.env, XDG_STATE_HOME: folder });
      if (cost.status !== 0) throw new Error(`${name} ended with ${cost.status}: ${cost.stdout}`);
      costs.set(name, [...(costs.get(name) ?? []), cost]);
    }
  }
  return costs;
}

function print(costs: ReadonlyMap<string, readonly Cost[]>, count: number): void {
  const wallOf = (name: string): number =>
    median((costs.get(name) ?? []).map(({ wallMs }) => wallMs)) / 1000;
  for (const [name, measured] of costs) {
    const figures = [
      `wall ${wallOf(name).toFixed(2)} s`,
      `${Math.round(count / wallOf(name))} objects a second`,
      `CPU ${(median(measured.map(({ cpuMs }) => cpuMs)) / 1000).toFixed(2)} s`,
      `${Math.round(median(measured.map(({ peakMiB }) => peakMiB)))} MiB`,
      `wall/creates ${(wallOf(name) / wallOf('bare creates')).toFixed(2)}`,
    ];
    console.log(`${name.padEnd(14)} ${figures.join('  ')}`);
  }
}

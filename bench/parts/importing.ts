import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringifyJson } from '../../src/support/json.ts';
import { type ApiServer, startApiServer } from '../../test/support/api-server-process.ts';
import { applyCarriedCrds, serveOnly } from '../../test/support/crds.ts';
import { type Cost, measure } from '../src/measure.ts';
import { migrationOfHandles } from '../src/migration-of-handles.ts';
import type { BenchContext, PartResult } from '../src/part.ts';
import { cpu, inRounds, ratio, summaries, wall } from '../src/rounds.ts';

const GROUP = 'crd.projectcalico.org';
const HANDLES = { small: 5_000, large: 100_000 };
const CONCURRENCY = '16';
const [OURS, FLOOR] = ['datastore migrate import', 'bare creates'];

/** Importing a migration file of many handles into an empty server against creating the same objects by bare requests. */
export async function importing({ size, rounds, folder }: BenchContext): Promise<PartResult> {
  const [file, objects] = [join(folder, 'etcd.calico'), join(folder, 'objects')];
  const migration = migrationOfHandles(HANDLES[size]);
  writeFileSync(file, migration.text);
  writeFileSync(objects, migration.creates.map(({ path, body }) => `${path}\t${body}`).join('\n'));
  const made = new Set<string>();
  const runs = await inRounds(
    {
      [FLOOR]: () =>
        intoEmpty({ folder, made }, (kubeconfig) => [
          ...['bench/floors/creates.ts', kubeconfig, objects, CONCURRENCY],
        ]),
      [OURS]: () =>
        intoEmpty({ folder, made }, (kubeconfig) => [
          ...['bin/run.js', 'datastore', 'migrate', 'import', '-f', file],
          ...['--kubeconfig', kubeconfig, '--concurrency', CONCURRENCY, '--format', 'json'],
        ]),
    },
    size === 'small' ? Math.min(rounds, 2) : 1,
    size === 'small' ? 1 : 0,
  );
  if (made.size !== 1) throw new Error('the floor creates other objects than the import');
  return {
    part: 'import',
    about: `${migration.creates.length} objects, ${CONCURRENCY} at a time`,
    rows: summaries(runs),
    comparisons: [
      { what: 'wall to bare creates', value: ratio(runs, [OURS, FLOOR], wall), target: 1.2 },
      { what: 'CPU to bare creates', value: ratio(runs, [OURS, FLOOR], cpu) },
    ],
  };
}

/**
 * Runs a program against a server of its own, since emptying one takes longer than starting one, and notes what is there
 * then.
 */
async function intoEmpty(
  { folder, made }: { readonly folder: string; readonly made: Set<string> },
  words: (kubeconfig: string) => readonly string[],
): Promise<Cost> {
  const server = await startApiServer();
  try {
    await serveOnly(server.admin, [GROUP]);
    await applyCarriedCrds(server.admin, [GROUP]);
    const env = { ...process.env, XDG_STATE_HOME: folder };
    const cost = await measure(words(server.kubeconfig()), { env });
    made.add(await sampleOf(server));
    return cost;
  } finally {
    await server.stop();
  }
}

/** Some of the objects that a server holds, without what it has stamped on them. */
async function sampleOf({ admin }: ApiServer): Promise<string> {
  const lists = ['ipamblocks?limit=3', 'ipamhandles?limit=99'].map(async (query) => {
    const { body } = await admin.request('GET', `/apis/${GROUP}/v1/${query}`);
    return (body as unknown as { items: readonly MadeObject[] }).items.map(
      ({ metadata: { name, labels, annotations }, spec }) => [name, labels, annotations, spec],
    );
  });
  return stringifyJson(await Promise.all(lists));
}

interface MadeObject {
  readonly metadata: Readonly<Record<'name' | 'labels' | 'annotations', unknown>>;
  readonly spec: unknown;
}

/**
 * Uses ipamctl as a library: checks a cluster, assigns an address, finds out who holds it, and releases it again. Here the
 * cluster is a dump in a temporary folder; `openCluster({ kubeconfig })` opens a live one, with the same calls.
 *
 * Run it with `node examples/use-as-library.ts`. A project of its own imports from 'ipamctl' instead of '../src/library.ts'.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import {
  checkCluster,
  describeShortfall,
  formatAddress,
  IpamEngine,
  isEngineError,
  openCluster,
} from '../src/library.ts';

const EXAMPLE = fileURLToPath(new URL('troubled-cluster.yaml.gz', import.meta.url));

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

const folder = mkdtempSync(join(tmpdir(), 'ipamctl-example-'));
const snapshot = join(folder, 'cluster.yaml');
writeFileSync(snapshot, gunzipSync(readFileSync(EXAMPLE)));

const datastore = await openCluster({ snapshot });
try {
  const { summary } = await checkCluster(datastore);
  say(`The check finds ${summary.problems} problems: ${Object.keys(summary.byCode).join(', ')}.`);

  const engine = new IpamEngine({ datastore, clock: { now: () => Date.now() } });
  const { v4, error } = await engine.autoAssign({
    host: 'worker-01',
    use: 'Workload',
    handle: 'example-1',
    attributes: { node: 'worker-01', note: 'made by an example' },
    v4: { count: 2 },
  });
  if (v4 === undefined || error !== undefined) throw error;
  const shortfall = describeShortfall(v4);
  if (shortfall !== undefined) say(shortfall);

  for (const { address } of v4.addresses) {
    const { handle } = await engine.assignmentOf(address);
    say(`Assigned ${formatAddress(address)} to handle ${handle ?? 'none'}.`);
  }

  const [first] = v4.addresses;
  if (first !== undefined) {
    // A second one who wants the same address is told so by a category, never by a text.
    const request = { address: first.address, host: 'worker-02', handle: 'example-2' };
    const thrown: unknown = await engine.assignAddress(request).catch((reason: unknown) => reason);
    if (isEngineError(thrown, 'exists')) say('Another handle cannot have it.');
  }

  await engine.releaseByHandle('example-1');
  say('Released what the handle held.');
} finally {
  await datastore.close();
  rmSync(folder, { recursive: true, force: true });
}

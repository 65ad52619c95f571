import { parseArgs } from 'node:util';
import { openKubernetesDatastore } from '../src/datastore/kubernetes/kubernetes-datastore.ts';
import { exploreGround, groundOptionsFor, seedGround } from '../test/hammer/find-ground.ts';
import { type HammerResult, runHammer } from '../test/hammer/run-hammer.ts';
import { startApiServer } from '../test/support/api-server-process.ts';
import { buildServers } from '../test/support/server-binaries.ts';

const USAGE =
  'usage: hammer [--processes N] [--operations N] [--seed S] [--kubeconfig F] [--hosts A,B] [--ledger F]\n';

const { values } = parseArgs({
  options: {
    processes: { type: 'string', default: '8' },
    operations: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    kubeconfig: { type: 'string' },
    hosts: { type: 'string' },
    ledger: { type: 'string' },
  },
});
const [processes, operations, seed] = [values.processes, values.operations, values.seed].map(
  Number,
);
const tell = (line: string): void => void process.stdout.write(`${line}\n`);

if (!isCount(processes) || !isCount(operations) || !Number.isSafeInteger(seed)) {
  process.stderr.write(USAGE);
  process.exitCode = 2;
} else {
  const options = { processes, operations, seed: seed ?? 1, ledger: values.ledger, tell };
  const { kubeconfig, hosts } = values;
  const result =
    kubeconfig === undefined
      ? await hammerOwn(options)
      : await hammerOther(options, kubeconfig, hosts?.split(',') ?? []);
  report(result);
}

type Options = Omit<Parameters<typeof runHammer>[0], 'ground'>;

async function hammerOwn(options: Options): Promise<HammerResult> {
  buildServers();
  const server = await startApiServer();
  try {
    const nodes = Math.max(3, Math.ceil(options.processes / 2));
    return await runHammer({
      ...options,
      ground: await seedGround(server, { nodes, ...groundOptionsFor(options.seed) }),
    });
  } finally {
    await server.stop();
  }
}

async function hammerOther(
  options: Options,
  kubeconfig: string,
  hosts: readonly string[],
): Promise<HammerResult> {
  const connection = { kubeconfig: { value: kubeconfig, origin: '--kubeconfig' }, env: {} };
  const datastore = await openKubernetesDatastore(connection);
  try {
    const ground = await exploreGround(datastore, kubeconfig, hosts);
    return await runHammer({ ...options, ground });
  } finally {
    await datastore.close();
  }
}

function report(result: HammerResult): void {
  const { violations, ends, conflicts, outages, kills, looks, leftovers, waiting } = result;
  for (const [end, count] of [...ends].sort()) tell(`${String(count).padStart(7)}  ${end}`);
  for (const [code, count] of leftovers) tell(`${String(count).padStart(7)}  left behind: ${code}`);
  if (waiting > 0) tell(`${String(waiting).padStart(7)}  left until their blocks were empty`);
  tell(
    `${conflicts} conflicts and ${outages} outages were injected, ${kills} workers killed; ${looks} looks`,
  );
  tell(`${violations.length} violations`);
  process.exitCode = violations.length > 0 ? 1 : 0;
}

function isCount(number: number | undefined): number is number {
  return Number.isSafeInteger(number) && (number ?? 0) > 0;
}

import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startApiServer } from '../../test/support/api-server-process.ts';
import { loadDump } from '../../test/support/load-objects.ts';
import { multiplyInEtcd } from './multiply-in-etcd.ts';
import type { SeededServer, Size } from './part.ts';
import { seededCluster } from './seeded-cluster.ts';

/** What goes through the API; a large cluster is a multiple of it. */
const SEED = { nodes: 500, podsPerNode: 30, leakRate: 0.02, seed: 1 };
const TIMES: Readonly<Record<Size, number>> = { small: 1, large: 10 };

/** Etcd's own limit of 2 GiB is too small for the large cluster. */
const QUOTA_BYTES = 8_589_934_592;

/** Ticks of a second in /proc. */
const TICKS = 100;

/** CPU seconds of an idle server in the time between two looks. */
const IDLE_SECONDS = 0.02;
const LOOK_MS = 250;
const LONGEST_REST_MS = 15_000;

/** Starts a kube-apiserver and fills it: 500 nodes, 15,000 pods and 1,000 blocks, or ten times that. */
export async function startSeededServer(
  size: Size,
  say: (text: string) => void,
): Promise<SeededServer> {
  const times = TIMES[size];
  const cluster = seededCluster(SEED);
  const server = await startApiServer({ quotaBytes: QUOTA_BYTES });
  try {
    const begun = performance.now();
    const dump = { objects: [...cluster.objects], absent: [], foreign: [] };
    const [refused] = await loadDump(server.admin, dump);
    if (refused !== undefined) throw new Error(`the server refuses an object: ${refused.reason}`);
    if (times > 1) await multiplyInEtcd(server.etcd.endpoint, times);
    say(`seeded in ${Math.round((performance.now() - begun) / 1000)} s`);
  } catch (error) {
    await server.stop();
    throw error;
  }
  const pids = [
    pidOf(`--secure-port=${new URL(server.server).port}`),
    pidOf(`--advertise-client-urls\0${server.etcd.endpoint}`),
  ];
  const cpuSeconds = (): number => pids.reduce((sum, pid) => sum + cpuSecondsOf(pid), 0);
  return {
    server,
    kubeconfig: server.kubeconfig(),
    nodes: SEED.nodes * times,
    pods: cluster.pods * times,
    blocks: cluster.blocks * times,
    leaks: cluster.leaks * times,
    cpuSeconds,
    rest: () => rest(cpuSeconds),
  };
}

/** Until the processes use next to nothing; a server that never rests is not waited for. */
async function rest(cpuSeconds: () => number): Promise<void> {
  const end = performance.now() + LONGEST_REST_MS;
  for (let before = cpuSeconds(); performance.now() < end;) {
    await sleep(LOOK_MS);
    const now = cpuSeconds();
    if (now - before <= IDLE_SECONDS) return;
    before = now;
  }
}

/** The process that has this among its arguments, and is not the one that started it. */
function pidOf(argument: string): string {
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    const line = commandLine(pid);
    if (line.includes(argument) && !/^[^\0]*node\0/.test(line)) return pid;
  }
  throw new Error(`no process runs with ${argument}`);
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

function cpuSecondsOf(pid: string): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

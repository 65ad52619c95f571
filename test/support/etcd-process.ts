import { serverBinaries } from './server-binaries.ts';
import {
  freePort,
  scratchFolder,
  startServer,
  waitUntilReady,
  type ServerProcess,
} from './server-process.ts';

const READY_MS = 20_000;
const PATIENCE_MS = 3_000;

/** A real etcd with an empty store. */
export interface EtcdProcess extends ServerProcess {
  /** Client URL, `http://127.0.0.1:PORT`. */
  readonly endpoint: string;
}

/**
 * Starts etcd on free loopback ports. It keeps its data in a scratch folder and never syncs to disk.
 * @throws Error with its log when it does not come up.
 */
export async function startEtcd(): Promise<EtcdProcess> {
  const [clientPort, peerPort] = [await freePort(), await freePort()];
  const endpoint = `http://127.0.0.1:${clientPort}`;
  const peer = `http://127.0.0.1:${peerPort}`;
  const folder = scratchFolder('etcd');
  const server = startServer({
    program: serverBinaries().etcd,
    args: [
      ...['--data-dir', folder, '--unsafe-no-fsync', '--log-level', 'warn'],
      ...['--listen-client-urls', endpoint, '--advertise-client-urls', endpoint],
      ...[
        '--listen-peer-urls',
        peer,
        '--initial-advertise-peer-urls',
        peer,
        '--initial-cluster',
        `default=${peer}`,
      ],
    ],
    folder,
    patienceMs: PATIENCE_MS,
  });
  await waitOrStop(server, async () => (await fetch(`${endpoint}/health`)).ok);
  return { ...server, endpoint };
}

async function waitOrStop(server: ServerProcess, isReady: () => Promise<boolean>): Promise<void> {
  try {
    await waitUntilReady(server, isReady, READY_MS);
  } catch (error) {
    await server.stop();
    throw error;
  }
}

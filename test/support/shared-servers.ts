/** One API server and one etcd a mocha run, started when the first test needs them and ended by the root hook. */
import { startApiServer, type ApiServer } from './api-server-process.ts';
import { applyCarriedCrds, serveOnly, type CrdGroup } from './crds.ts';
import { startEtcd, type EtcdProcess } from './etcd-process.ts';
import { buildObstacle, buildServers, serversAreBuilt } from './server-binaries.ts';
import { wipe } from './wipe.ts';

const START_MS = 120_000;
const BUILD_MS = 30 * 60_000;

let apiServer: Promise<ApiServer> | undefined;
let etcd: Promise<EtcdProcess> | undefined;
let skipIsExplained = false;

/**
 * Makes sure that the real servers' programs are there, for use in a `before` hook. With `CI=true` their absence is a
 * failure; elsewhere they are built when Go is there, and otherwise the suite is skipped and the reason printed.
 */
export function requireServers(context: Mocha.Context): void {
  context.timeout(START_MS);
  if (serversAreBuilt()) return;
  if (process.env['CI'] === 'true')
    throw new Error('the test servers are missing; run npm run build:servers first');
  const obstacle = buildObstacle();
  if (obstacle === undefined) {
    context.timeout(BUILD_MS);
    buildServers();
    return;
  }
  if (!skipIsExplained) console.log(`\nTests that need real servers are skipped: ${obstacle}.`);
  skipIsExplained = true;
  context.skip();
}

/** What the shared API server should serve beside IPAM's kinds. */
export interface ServedKinds {
  /** Whether the kinds are served that ipamctl carries as whole objects. */
  readonly carried?: boolean;
}

/**
 * The shared API server, wiped, serving exactly the definitions of the given groups. To be called in a `before` hook;
 * tests that write call {@link wipe} before each.
 */
export async function requireApiServer(
  context: Mocha.Context,
  groups: readonly CrdGroup[] = ['crd.projectcalico.org'],
  { carried = false }: ServedKinds = {},
): Promise<ApiServer> {
  requireServers(context);
  apiServer ??= startApiServer();
  const server = await apiServer;
  await wipe(server.admin);
  await serveOnly(server.admin, groups);
  if (carried) await applyCarriedCrds(server.admin, groups);
  return server;
}

/** The shared lone etcd, which no API server uses. */
export async function requireEtcd(context: Mocha.Context): Promise<EtcdProcess> {
  requireServers(context);
  etcd ??= startEtcd();
  return await etcd;
}

/** Ends what was started; picked up by the root hook. */
export async function stopSharedServers(): Promise<void> {
  const started = await Promise.allSettled([apiServer, etcd]);
  for (const server of started) if (server.status === 'fulfilled') await server.value?.stop();
  apiServer = undefined;
  etcd = undefined;
}

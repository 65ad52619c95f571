/** Mocha root hooks: a fixed environment, a closed network, and servers that end with the run. */
import net from 'node:net';
import { stopSharedServers } from './shared-servers.ts';

const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.|localhost$)/;

/** Rejects connections that leave this machine, so that no test can depend on the outside. */
function closeNetwork(): void {
  const { prototype } = net.Socket;
  const connect: unknown = Reflect.get(prototype, 'connect');
  Reflect.set(
    prototype,
    'connect',
    function guarded(this: net.Socket, ...args: unknown[]): unknown {
      const host = hostOf(args);
      if (host !== undefined && !LOOPBACK.test(host)) {
        throw new Error(`a test tried to reach ${host}; only loopback is open`);
      }
      return Reflect.apply(connect as () => unknown, this, args) as unknown;
    },
  );
}

/** The host of the arguments of `connect`, in any of its forms; undefined for a path or the default. */
function hostOf(args: readonly unknown[]): string | undefined {
  const first: unknown = Array.isArray(args[0]) ? args[0][0] : args[0];
  if (typeof first === 'object' && first !== null) return (first as { host?: string }).host;
  return typeof args[1] === 'string' ? args[1] : undefined;
}

process.env.TZ = 'UTC';
process.env.NO_COLOR = '1';
process.env.COLUMNS = '100';
delete process.env.FORCE_COLOR;
// Coverage of this process goes on; that of the programs that the tests start would be of dist.
delete process.env.NODE_V8_COVERAGE;
for (const name of Object.keys(process.env)) {
  if (/^(?:CALICO_|ETCD_|K8S_|KUBE|DATASTORE_TYPE|IPAMCTL_)/.test(name))
    Reflect.deleteProperty(process.env, name);
}
closeNetwork();

/** How long a finished run may take to end by itself. */
const END_MS = 15_000;

/** Ends, as a failure, a run that something keeps alive: a child process, a server or a timer that a test left behind. */
function endInTime(): void {
  const timer = setTimeout(() => {
    const names = process.getActiveResourcesInfo().join(', ');
    console.error(`the tests left something running: ${names}`);
    process.exit(1);
  }, END_MS);
  timer.unref();
}

/** Picked up by mocha through `require` of .mocharc.json. */
export const mochaHooks = {
  async afterAll(): Promise<void> {
    await stopSharedServers();
    endInTime();
  },
};

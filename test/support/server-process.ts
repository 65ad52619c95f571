import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const SUPERVISOR = join(import.meta.dirname, 'supervisor.mjs');
const LOG_KEPT = 16_384;
const POLL_MS = 100;

/** A server of the tests that runs under the supervisor. */
export interface ServerProcess {
  /** Ends the server, waits until it is gone, and removes its folder. */
  stop(): Promise<void>;
  /** Last part of what the server wrote, for messages about failures. */
  log(): string;
  /** Whether it has ended. */
  hasEnded(): boolean;
}

/** What to run. */
export interface ServerProgram {
  readonly program: string;
  readonly args: readonly string[];
  /** Scratch folder of the server, from {@link scratchFolder}; removed at its end. */
  readonly folder: string;
  /** How long it may take to end before it is killed. */
  readonly patienceMs: number;
}

/** Makes a scratch folder for a server. */
export function scratchFolder(name: string): string {
  return mkdtempSync(join(tmpdir(), `ipamctl-test-${name}-`));
}

/** A TCP port of the loopback interface that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

/** Starts a server; it ends with {@link ServerProcess.stop} or with this process, whichever comes first. */
export function startServer(what: ServerProgram): ServerProcess {
  const args = [SUPERVISOR, what.folder, String(what.patienceMs), what.program, ...what.args];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let written = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => {
      written = (written + text).slice(-LOG_KEPT);
    });
    (stream as unknown as { unref(): void }).unref();
  }
  child.stdin.on('error', () => undefined);
  (child.stdin as unknown as { unref(): void }).unref();
  // A forgotten server must not keep a finished run waiting; the closing pipe ends it.
  child.unref();
  return { stop: () => stop(child), log: () => written, hasEnded: () => hasEnded(child) };
}

/**
 * Waits until a server answers.
 * @throws Error with the end of the server's log when it ended, or did not answer in time.
 */
export async function waitUntilReady(
  server: ServerProcess,
  isReady: () => Promise<boolean>,
  timeoutMs: number,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    if (server.hasEnded()) throw new Error(`the server ended at its start:\n${server.log()}`);
    if (await isReady().catch(() => false)) return;
    if (Date.now() > deadline)
      throw new Error(`the server did not answer within ${timeoutMs} ms:\n${server.log()}`);
    await delay(POLL_MS);
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function stop(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  child.ref();
  const ended = once(child, 'exit');
  child.stdin?.end();
  await ended;
}

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const BIN = fileURLToPath(new URL('../../bin/run.js', import.meta.url));

/** How to run the program. */
export interface RunOptions {
  readonly stdin?: string | Uint8Array | undefined;
  /** Beside the environment of the tests; undefined takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  readonly cwd?: string | undefined;
  /** Sends a signal after so many milliseconds; standard input stays open until then. */
  readonly interrupt?: { readonly signal: NodeJS.Signals; readonly afterMs: number } | undefined;
}

/** What a run left behind. */
export interface RunResult {
  /** Undefined when a signal ended it. */
  readonly status: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built program on the Node that runs the tests, without a terminal. */
export async function runCli(
  args: readonly string[],
  { stdin, env, cwd, interrupt }: RunOptions = {},
): Promise<RunResult> {
  const child = spawn(process.execPath, [BIN, ...args], { cwd, env: { ...process.env, ...env } });
  const stdout = textOf(child.stdout);
  const stderr = textOf(child.stderr);
  // A program that refuses its arguments has gone before it read everything.
  child.stdin.on('error', () => undefined);
  if (interrupt === undefined) child.stdin.end(stdin);
  else setTimeout(() => child.kill(interrupt.signal), interrupt.afterMs);
  const status = await new Promise<number | undefined>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? undefined));
  });
  return { status, stdout: await stdout, stderr: await stderr };
}

/** Runs a shell command in which `ipamctl` is the built program; for pipes and redirections. */
export async function runShell(command: string, env: RunOptions['env'] = {}): Promise<RunResult> {
  const script = `set -o pipefail; ipamctl() { "${process.execPath}" "${BIN}" "$@"; }; ${command}`;
  const child = spawn('bash', ['-c', script], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stdout = textOf(child.stdout);
  const stderr = textOf(child.stderr);
  const status = await new Promise<number | undefined>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? undefined));
  });
  return { status, stdout: await stdout, stderr: await stderr };
}

/** All that a stream gives, as text. */
export async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}

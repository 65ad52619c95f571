import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const BIN = fileURLToPath(new URL('../../bin/run.js', import.meta.url));

/** Looks on while the program runs, and may kill it. */
export type Killer = (child: ChildProcess, isOver: AbortSignal) => Promise<void> | void;

/** How a run ended. */
export interface EndOfRun {
  readonly isKilled: boolean;
  readonly status: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built program while somebody may kill it. */
export async function runUnder(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  killer: Killer = () => undefined,
): Promise<EndOfRun> {
  const child = spawn(process.execPath, [BIN, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const over = new AbortController();
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  const watching = killer(child, over.signal);
  const end = await new Promise<{ status: number | null; signal: string | null }>(
    (resolve, reject) => {
      child.on('error', reject);
      child.on('close', (status, signal) => resolve({ status, signal }));
    },
  );
  over.abort();
  await watching;
  return {
    isKilled: end.signal === 'SIGKILL',
    status: end.status ?? undefined,
    stdout: stdout(),
    stderr: stderr(),
  };
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const parts: Buffer[] = [];
  stream.on('data', (part: Buffer) => parts.push(part));
  return () => Buffer.concat(parts).toString('utf8');
}

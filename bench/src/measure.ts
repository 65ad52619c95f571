import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Cost of one run of a command. */
export interface Cost {
  readonly wallMs: number;
  readonly cpuMs: number;
  /** Largest resident set. */
  readonly peakMiB: number;
  /** HTTP requests by method; empty where they are not counted. */
  readonly requests: Readonly<Record<string, number>>;
  /** Reads of a path, query included, that had not been read before. */
  readonly firstReads: number;
  /** Bytes that came over its connections, as they were on the wire; undefined where they are not counted. */
  readonly receivedBytes: number | undefined;
  readonly status: number | null;
  readonly stdout: string;
}

/** How to run. */
export interface RunOptions {
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** Statuses that are no failure; 0 when absent. */
  readonly statuses?: readonly number[] | undefined;
}

/**
 * Makes a Node process tell what it used, as its last line on stderr. Requests are seen where they are written, since not all
 * go by Node's own client.
 */
const REPORT = `data:text/javascript,${encodeURIComponent(`
  const { Socket } = process.getBuiltinModule('node:net');
  const { writeSync } = process.getBuiltinModule('node:fs');
  const requests = {};
  const paths = new Set();
  const sockets = new Set();
  const { write } = Socket.prototype;
  Socket.prototype.write = function (chunk, ...rest) {
    const [, method, path] = (typeof chunk === 'string' && /^([A-Z]+) (\\S+) HTTP\\/1\\.1\\r\\n/.exec(chunk)) || [];
    if (method !== undefined) {
      requests[method] = (requests[method] ?? 0) + 1;
      if (method === 'GET') paths.add(path);
      sockets.add(this);
    }
    return write.call(this, chunk, ...rest);
  };
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    const received = [...sockets].reduce((sum, { bytesRead }) => sum + bytesRead, 0);
    writeSync(2, '\\n@cost ' + JSON.stringify({ cpu: userCPUTime + systemCPUTime, rss: maxRSS, requests, firstReads: paths.size, received }) + '\\n');
  });`)}`;

/** Runs a script with this Node and tells what it cost, start-up included. @throws Error when it fails. */
export async function measure(args: readonly string[], options: RunOptions = {}): Promise<Cost> {
  const ran = await run(process.execPath, [`--import=${REPORT}`, ...args], options);
  const report = /@cost (.*)/.exec(ran.stderr)?.[1];
  if (report === undefined) throw new Error(`no cost reported by ${args.join(' ')}: ${ran.stderr}`);
  const { cpu, rss, requests, firstReads, received } = JSON.parse(report) as {
    cpu: number;
    rss: number;
    requests: Record<string, number>;
    firstReads: number;
    received: number;
  };
  const { wallMs, status, stdout } = ran;
  return {
    ...{ wallMs, status, stdout, requests, firstReads },
    cpuMs: cpu / 1000,
    peakMiB: rss / 1024,
    receivedBytes: received,
  };
}

/** Runs any program, without its requests. The resident set is sampled. @throws Error when it fails. */
export async function measureProgram(
  program: readonly string[],
  options: RunOptions = {},
): Promise<Cost> {
  const script = 'TIMEFORMAT="@cost %3U %3S"; time "$@"';
  const ran = await run('bash', ['-c', script, 'bash', ...program], options);
  const [, user, system] = /@cost ([\d.]+) ([\d.]+)/.exec(ran.stderr) ?? [];
  const { wallMs, status, stdout, peakMiB } = ran;
  return {
    ...{ wallMs, status, stdout, peakMiB },
    cpuMs: (Number(user) + Number(system)) * 1000,
    requests: {},
    firstReads: 0,
    receivedBytes: undefined,
  };
}

async function run(
  program: string,
  args: readonly string[],
  { env = process.env, statuses = [0] }: RunOptions,
): Promise<
  Omit<Cost, 'cpuMs' | 'requests' | 'firstReads' | 'receivedBytes'> & { readonly stderr: string }
> {
  const begun = performance.now();
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  let peakMiB = 0;
  const sampler = setInterval(() => (peakMiB = Math.max(peakMiB, childPeakMiB(child.pid))), 25);
  const status = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  }).finally(() => clearInterval(sampler));
  const wallMs = performance.now() - begun;
  const told = Buffer.concat(stderr).toString();
  if (status === null || !statuses.includes(status))
    throw new Error(`${[program, ...args].join(' ')} ended with ${status}: ${told}`);
  return { wallMs, peakMiB, status, stdout: Buffer.concat(stdout).toString(), stderr: told };
}

/** Peak of the only child of a process; 0 when there is none. */
function childPeakMiB(pid: number | undefined): number {
  try {
    const child = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    const status = readFileSync(`/proc/${child}/status`, 'utf8');
    return Number(/^VmHWM:\s*(\d+)/m.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** The middle one; of an even number, the lower of the two. */
export function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)] ?? NaN;
}

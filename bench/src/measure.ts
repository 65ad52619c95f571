import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Cost of one run of a command. */
export interface Cost {
  readonly wallMs: number;
  readonly cpuMs: number;
  /** Largest resident set. */
  readonly peakMiB: number;
  readonly status: number | null;
  readonly stdout: string;
}

/** Makes a Node process print what it used, as its last line on stderr. */
const REPORT = `data:text/javascript,${encodeURIComponent(
  `process.on('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    require('node:fs').writeSync(2, '\\n@cost ' + JSON.stringify({ cpu: userCPUTime + systemCPUTime, rss: maxRSS }) + '\\n');
  });`.replace("require('node:fs')", "process.getBuiltinModule('node:fs')"),
)}`;

/** Runs a script with this Node and tells what it cost, start-up included. */
export async function measure(
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<Cost> {
  const begun = performance.now();
  const child = spawn(process.execPath, [`--import=${REPORT}`, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const text = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (text.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (text.stderr += chunk.toString()));
  const status = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  const wallMs = performance.now() - begun;
  const report = /@cost (.*)/.exec(text.stderr)?.[1];
  if (report === undefined)
    throw new Error(`no cost reported by ${args.join(' ')}: ${text.stderr}`);
  const { cpu, rss } = JSON.parse(report) as { cpu: number; rss: number };
  return { wallMs, cpuMs: cpu / 1000, peakMiB: rss / 1024, status, stdout: text.stdout };
}

/** CPU seconds that a process of this machine has used so far. */
export function cpuSecondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** The middle one; of an even number, the lower of the two. */
export function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)] ?? NaN;
}

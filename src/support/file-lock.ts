import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { open, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAbsent, systemCode } from './file-problem.ts';

/** Milliseconds between two looks at a lock that somebody else holds. */
const LOOK_EVERY = 20;

/** A lock without a text is one whose maker is about to write it, or was killed before; milliseconds. */
const UNWRITTEN_FOR = 10_000;

/** Who holds a lock, as the lock file says. */
interface Holder {
  readonly host: string;
  readonly pid: number;
  /** When the process began, where the system tells it: numbers of processes are used again. */
  readonly started?: string | undefined;
  /** Tells two locks of one process apart. */
  readonly token: string;
}

/** A lock that this process holds; a file beside the one that is locked. */
export interface FileLock {
  /** Whether it still is there: somebody may have taken it away. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}

/**
 * Locks that this process made, those that it gave back, too: whoever read one a moment before it was removed must not take it
 * for one that an earlier process left.
 */
const made = new Set<string>();

/** A lock is held by another process, or by another part of this one. */
export class FileLockedError extends Error {
  override readonly name = 'FileLockedError';
  /** The way out where the holder is none of the living but cannot be known to be. */
  readonly hint: string;

  constructor({ lock, holder }: { readonly lock: string; readonly holder: Holder | undefined }) {
    super(holder ? `process ${holder.pid} on ${holder.host} is writing to it` : 'it is locked');
    this.hint = `wait until that run has ended; if it is gone already, remove ${lock}`;
  }
}

/**
 * Locks a file against other processes that ask for its lock, by a hidden file beside it. The lock of a process that is
 * no more is taken over.
 * @param path The file, which need not be there yet; a link counts as what it leads to.
 * @param waitMs How long to wait for a holder to end.
 * @throws {@link FileLockedError} when it is held all the time, and what the system says when no file can be made there.
 */
export async function lockFile(path: string, waitMs = 0): Promise<FileLock> {
  const lock = await lockPathOf(path);
  const { pid } = process;
  const holder: Holder = { host: hostname(), pid, started: startOf(pid), token: randomUUID() };
  const text = JSON.stringify(holder);
  // Before the file is made, so that it never looks like one that is left of an earlier process.
  made.add(holder.token);
  for (let waited = 0; !(await create(lock, text)); waited += LOOK_EVERY) {
    const found = await readLock(lock);
    if (found === undefined) continue;
    if (await isStale(lock, found)) await takeAway(lock, found);
    else if (waited >= waitMs) throw new FileLockedError({ lock, holder: holderIn(found) });
    else await sleep(LOOK_EVERY);
  }
  const isHeld = async (): Promise<boolean> => (await readLock(lock)) === text;
  return {
    isHeld,
    release: async () => {
      if (await isHeld()) await rm(lock, { force: true });
    },
  };
}

async function lockPathOf(path: string): Promise<string> {
  const target = await realpath(path).catch(() => undefined);
  const name = target ?? join(await realpath(dirname(path)), basename(path));
  return join(dirname(name), `.${basename(name)}.lock`);
}

async function create(lock: string, text: string): Promise<boolean> {
  try {
    const file = await open(lock, 'wx', 0o600);
    try {
      await file.writeFile(text);
    } catch (error) {
      await rm(lock, { force: true });
      throw error;
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Text of a lock; undefined when it is gone. */
async function readLock(lock: string): Promise<string | undefined> {
  try {
    return await readFile(lock, 'utf8');
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

function holderIn(text: string): Holder | undefined {
  try {
    const { host, pid, started, token } = JSON.parse(text) as Partial<Holder>;
    if (typeof host !== 'string' || typeof pid !== 'number' || typeof token !== 'string')
      return undefined;
    return { host, pid, started, token };
  } catch {
    return undefined;
  }
}

/** Whether nobody holds the lock any more. Of another machine's processes nothing can be known. */
async function isStale(lock: string, text: string): Promise<boolean> {
  const holder = holderIn(text);
  if (holder === undefined) return isUnwritten(lock);
  if (holder.host !== hostname()) return false;
  if (holder.pid === process.pid) return !made.has(holder.token);
  if (!isAlive(holder.pid)) return true;
  const started = startOf(holder.pid);
  return started !== undefined && holder.started !== undefined && started !== holder.started;
}

async function isUnwritten(lock: string): Promise<boolean> {
  const found = await stat(lock).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > UNWRITTEN_FOR;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user is one.
    return systemCode(error) === 'EPERM';
  }
}

/** When a process began, in a form that only equals itself; undefined where the system has no such file. */
function startOf(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in brackets, may hold blanks; the start is the twentieth word behind it.
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

/**
 * Takes the lock of a dead process away. Of several that do so at once one may get hold of the new lock of another; it is
 * put back then, and who lost it in between is told by {@link FileLock.isHeld}.
 */
async function takeAway(lock: string, text: string): Promise<void> {
  const aside = `${lock}.${randomUUID()}`;
  try {
    await rename(lock, aside);
  } catch (error) {
    if (isAbsent(error)) return;
    throw error;
  }
  const taken = await readLock(aside);
  if (taken !== undefined && taken !== text)
    await writeFile(lock, taken, { flag: 'wx', mode: 0o600 }).catch(() => undefined);
  await rm(aside, { force: true });
}

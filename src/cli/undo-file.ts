import { constants, type Stats } from 'node:fs';
import { type FileHandle, access, mkdir, open, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UsageError } from '../errors/usage-error.ts';
import type { UndoHeader, UndoSink } from '../operations/undo/undo-log.ts';
import { AppendQueue } from './append-queue.ts';
import { syncFolder } from '../support/atomic-write.ts';
import { type FileLock, FileLockedError, lockFile } from '../support/file-lock.ts';
import { isAbsent, systemCode, writeProblem } from '../support/file-problem.ts';
import { stringifyJson } from '../support/json.ts';

/** Where an undo file goes when none is named. */
export interface UndoPlace {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDir: string;
  /** Milliseconds since 1970; part of the name. */
  readonly now: number;
  /** Why the file that is there cannot be gone on with. */
  readonly failure?: UsageError | undefined;
  /** Tells the user that there will be no undo file. */
  readonly warn: (text: string) => void;
}

/** A file as it was when the command began. */
interface Existing {
  readonly text: string;
  readonly stats: Stats;
}

/** An undo file, made at the first write and grown by appending. From the first line on no other run writes to it. */
export class UndoFile implements UndoSink {
  /** What the file held when the command began; empty for a new one. */
  readonly text: string;
  readonly name: string;
  readonly #place: UndoPlace | undefined;
  readonly #existing: Existing | undefined;
  #path: string | undefined;
  #problem: string | undefined;
  #lock: FileLock | undefined;
  #header: UndoHeader | undefined;
  readonly #lines = new AppendQueue({
    open: () => this.#create(),
    refusal: async (error) => {
      await this.#unlock();
      return cannotWrite(this.name, error);
    },
  });

  private constructor(name: string, existing: Existing | undefined, place: UndoPlace | undefined) {
    this.name = name;
    this.text = existing?.text ?? '';
    this.#existing = existing;
    this.#place = place;
  }

  /**
   * Looks at the file that the user names, or finds the default place; nothing is made yet.
   * @throws {@link UsageError} when a named file cannot be written.
   */
  static async open(path: string | undefined, place: UndoPlace): Promise<UndoFile> {
    if (path === undefined) return new UndoFile(defaultPath(place), undefined, place);
    if (path === '' || path === '-') throw new UsageError(`--undo-file: "${path}" names no file`);
    try {
      const existing = await readExisting(path);
      if (existing !== undefined) await access(path, constants.W_OK);
      // A lock is made beside a file that is there, too.
      await access(dirname(path), constants.W_OK);
      return new UndoFile(path, existing, undefined);
    } catch (error) {
      throw cannotWrite(path, error);
    }
  }

  /**
   * The undo file of a run that may be gone on with, at a place of its own in the state folder. One that is there is
   * appended to; where it cannot be written, the user is warned.
   * @param name Name of the file.
   */
  static async openJournal(name: string, place: UndoPlace): Promise<UndoFile> {
    const path = join(stateFolder(place), 'import', name);
    try {
      return new UndoFile(path, await readExisting(path), place);
    } catch (error) {
      return new UndoFile(path, undefined, { ...place, failure: cannotWrite(path, error) });
    }
  }

  get path(): string | undefined {
    return this.#path;
  }

  get problem(): string | undefined {
    return this.#problem;
  }

  append(line: object, header: UndoHeader): Promise<void> {
    this.#header = header;
    return this.#lines.append(`${stringifyJson(line)}\n`);
  }

  note(line: object, header: UndoHeader): void {
    this.#header = header;
    this.#lines.note(`${stringifyJson(line)}\n`);
  }

  /** Closes the file, if there is one. That it could not be written was told by the write that needed it. */
  async close(): Promise<void> {
    await this.#lines.close();
    await this.#unlock();
  }

  async #unlock(): Promise<void> {
    await this.#lock?.release();
    this.#lock = undefined;
  }

  /**
   * Opens the file and writes what is missing of its head; undefined where the default place cannot be written.
   * @throws {@link UsageError} when a named file cannot be written, or another run writes to it.
   */
  async #create(): Promise<FileHandle | undefined> {
    let file: FileHandle | undefined;
    try {
      if (this.#place?.failure !== undefined) throw this.#place.failure;
      if (this.#place) await mkdir(dirname(this.name), { recursive: true, mode: 0o700 });
      file = await this.#openAlone();
      // A cut last line is no line.
      const whole = this.text.slice(0, this.text.lastIndexOf('\n') + 1);
      if (whole.length < this.text.length) await file.truncate(Buffer.byteLength(whole));
      if (whole === '') await file.appendFile(`${stringifyJson(this.#header)}\n`);
      await file.sync();
      await syncFolder(dirname(this.name));
      this.#path = this.name;
      return file;
    } catch (error) {
      await file?.close();
      await this.#unlock();
      const refusal = cannotWrite(this.name, error);
      // What another run is writing to can be written; it has to be waited for.
      if (!this.#place || refusal.cause instanceof UnusableError) throw refusal;
      this.#problem = refusal.message;
      this.#place.warn(`there will be no undo file: ${refusal.message}`);
      return undefined;
    }
  }

  /** Opens the file if it is what it was when the command began, and keeps other runs from it. */
  async #openAlone(): Promise<FileHandle> {
    const existing = this.#existing;
    this.#lock = await lockFile(this.name).catch(inUse);
    const file = await open(this.name, existing === undefined ? 'ax' : 'a', 0o600).catch(inUse);
    if (existing === undefined) return file;
    const { ino, size, mtimeMs } = await file.stat();
    const { stats } = existing;
    if (ino === stats.ino && size === stats.size && mtimeMs === stats.mtimeMs) return file;
    await file.close();
    throw new UnusableError('another run has written to it meanwhile', AGAIN);
  }
}

const AGAIN = 'run the command again, or name another file';

/** The file could be written, but must not be: another run writes to it, or has written to it since it was read. */
class UnusableError extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

function inUse(error: unknown): never {
  if (error instanceof FileLockedError)
    throw new UnusableError(error.message, `name another file, or ${error.hint}`);
  if (systemCode(error) === 'EEXIST')
    throw new UnusableError('another run has made it meanwhile', AGAIN);
  throw error;
}

/** A name for each run. */
function defaultPath(place: UndoPlace): string {
  const time = new Date(place.now).toISOString().replace(/[:.]/g, '-');
  return join(stateFolder(place), 'undo', `${time}-${process.pid}.jsonl`);
}

/** The user's state folder. */
function stateFolder({ env, homeDir }: UndoPlace): string {
  const state = env['XDG_STATE_HOME'] || env['LOCALAPPDATA'] || join(homeDir, '.local', 'state');
  return join(state, 'ipamctl');
}

async function readExisting(path: string): Promise<Existing | undefined> {
  let file: FileHandle | undefined;
  try {
    const found = await stat(path);
    // A pipe would be waited for, and a device keeps nothing.
    if (!found.isFile() && !found.isDirectory())
      throw new UnusableError('it is no file, and would keep nothing', 'name a file');
    file = await open(path, 'r');
    // In this order, so that what is written in between is noticed.
    const stats = await file.stat();
    return { stats, text: await file.readFile('utf8') };
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  } finally {
    await file?.close();
  }
}

function cannotWrite(path: string, error: unknown): UsageError {
  if (error instanceof UsageError) return error;
  const { reason, hint } =
    error instanceof UnusableError
      ? { reason: error.message, hint: error.hint }
      : writeProblem(path, error);
  return new UsageError(`cannot write the undo file ${path}: ${reason}`, {
    hint,
    details: { path },
    cause: error,
  });
}

import { constants } from 'node:fs';
import { type FileHandle, access, mkdir, open, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UsageError } from '../errors/usage-error.ts';
import type { UndoHeader, UndoSink } from '../operations/undo/undo-log.ts';
import { stringifyJson } from '../support/json.ts';

/** Where an undo file goes when none is named. */
export interface UndoPlace {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDir: string;
  /** Milliseconds since 1970; part of the name. */
  readonly now: number;
  /** A file that is there is appended to. */
  readonly isContinued?: boolean | undefined;
  /** Tells the user that there will be no undo file. */
  readonly warn: (text: string) => void;
}

/** A waiting line. */
interface Waiting {
  readonly text: string;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * An undo file, made at the first write and grown by appending. Lines that come while others go to the disk go there
 * together, with one flush.
 */
export class UndoFile implements UndoSink {
  /** What the file held when the command began; empty for a new one. */
  readonly text: string;
  readonly name: string;
  readonly #place: UndoPlace | undefined;
  #path: string | undefined;
  #file: Promise<FileHandle | undefined> | undefined;
  #queue: Waiting[] = [];
  #isWriting = false;

  private constructor(name: string, text: string, place: UndoPlace | undefined) {
    this.name = name;
    this.text = text;
    this.#place = place;
  }

  /**
   * Looks at the file that the user names, or finds the default place; nothing is made yet.
   * @throws {@link UsageError} when a named file cannot be written.
   */
  static async open(path: string | undefined, place: UndoPlace): Promise<UndoFile> {
    if (path === undefined) return new UndoFile(defaultPath(place), '', place);
    if (path === '' || path === '-') throw new UsageError(`--undo-file: "${path}" names no file`);
    try {
      const text = await readExisting(path);
      await access(text === undefined ? dirname(path) : path, constants.W_OK);
      return new UndoFile(path, text ?? '', undefined);
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
    const text = await readExisting(path).catch(() => undefined);
    return new UndoFile(path, text ?? '', { ...place, isContinued: true });
  }

  get path(): string | undefined {
    return this.#path;
  }

  append(line: object, header: UndoHeader): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ text: `${stringifyJson(line)}\n`, resolve, reject });
      void this.#drain(header);
    });
  }

  /** Closes the file, if there is one. That it could not be written was told by the write that needed it. */
  async close(): Promise<void> {
    const file = await this.#file?.catch(() => undefined);
    await file?.close();
  }

  async #drain(header: UndoHeader): Promise<void> {
    if (this.#isWriting) return;
    this.#isWriting = true;
    while (this.#queue.length > 0) {
      const waiting = this.#queue;
      this.#queue = [];
      try {
        const file = await (this.#file ??= this.#create(header));
        await file?.appendFile(waiting.map(({ text }) => text).join(''));
        await file?.datasync();
        for (const { resolve } of waiting) resolve();
      } catch (error) {
        const refusal = cannotWrite(this.name, error);
        // A line may be cut now: nothing may be written after it.
        await this.close();
        this.#file = Promise.reject(refusal);
        this.#file.catch(() => undefined);
        for (const { reject } of waiting) reject(refusal);
      }
    }
    this.#isWriting = false;
  }

  /** Opens the file and writes what is missing of its head; undefined where the default place cannot be written. */
  async #create(header: UndoHeader): Promise<FileHandle | undefined> {
    let file: FileHandle | undefined;
    try {
      if (this.#place) await mkdir(dirname(this.name), { recursive: true, mode: 0o700 });
      const isNew = this.#place !== undefined && this.#place.isContinued !== true;
      file = await open(this.name, isNew ? 'ax' : 'a', 0o600);
      // A cut last line is no line.
      const whole = this.text.slice(0, this.text.lastIndexOf('\n') + 1);
      if (whole.length < this.text.length) await file.truncate(Buffer.byteLength(whole));
      if (whole === '') await file.appendFile(`${stringifyJson(header)}\n`);
      await file.sync();
      await syncFolder(dirname(this.name));
      this.#path = this.name;
      return file;
    } catch (error) {
      await file?.close();
      if (!this.#place) throw error;
      this.#place.warn(`there will be no undo file: ${cannotWrite(this.name, error).message}`);
      return undefined;
    }
  }
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

async function readExisting(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Makes the name of a new file last; file systems that cannot flush a folder keep the order by other means. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}

function cannotWrite(path: string, error: unknown): UsageError {
  if (error instanceof UsageError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new UsageError(`cannot write the undo file ${path}: ${reason}`, {
    details: { path },
    cause: error,
  });
}

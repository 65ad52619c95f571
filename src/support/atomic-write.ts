import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { UsageError } from '../errors/usage-error.ts';
import { writeProblem } from './file-problem.ts';

/** What a file is made of: one piece, or pieces in order. */
export type FileContent =
  string | Uint8Array | Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/** A file that is written and not yet in its place. */
export interface PreparedFile {
  /** Puts it into its place, in one step. @throws {@link UsageError} when that cannot be done. */
  commit(): Promise<void>;
  /** Takes it away, unless it is in its place. */
  discard(): Promise<void>;
}

/**
 * Writes a file so that a reader sees the old content or the whole new one: into a temporary file of the same folder,
 * flushed, then renamed. Only the owner may read the result (mode 0600). An existing file is replaced.
 *
 * @param mode Permissions of the result, when others are wanted.
 * @throws {@link UsageError} when the path cannot be written: no such folder, no permission, a folder of that name, no
 * space. What the content itself throws passes through. The temporary file is gone either way.
 */
export async function writeFileAtomically(
  path: string,
  content: FileContent,
  mode?: number,
): Promise<void> {
  const prepared = await prepareFile(path, content, mode);
  try {
    await prepared.commit();
  } finally {
    await prepared.discard();
  }
}

/** The first half of {@link writeFileAtomically}, for what has to be looked at again before the last step. */
export async function prepareFile(
  path: string,
  content: FileContent,
  mode = 0o600,
): Promise<PreparedFile> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);
  const discard = (): Promise<void> => rm(temporary, { force: true });
  const file = await refuse(path, open(temporary, 'wx', 0o600));
  try {
    try {
      for await (const piece of piecesOf(content)) await refuse(path, writeAll(file, piece));
      if (mode !== 0o600) await refuse(path, file.chmod(mode));
      await refuse(path, file.sync());
    } finally {
      await file.close();
    }
  } catch (error) {
    await discard();
    throw error;
  }
  return {
    discard,
    commit: async () => {
      await refuse(path, rename(temporary, path));
      await syncFolder(dirname(path));
    },
  };
}

function piecesOf(
  content: FileContent,
): Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array> {
  return typeof content === 'string' || content instanceof Uint8Array ? [content] : content;
}

/** `write` may take less than it was given; `writeFile` on an open file goes on until all is written. */
async function writeAll(file: FileHandle, piece: string | Uint8Array): Promise<void> {
  await file.writeFile(piece);
}

/** Turns a refusal by the file system into the error of a path that cannot be written. */
async function refuse<T>(path: string, step: Promise<T>): Promise<T> {
  try {
    return await step;
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

/** The error of a path that cannot be written: which part of it is at fault, and the way out. */
export function cannotWrite(path: string, error: unknown): UsageError {
  const { reason, hint } = writeProblem(path, error);
  return new UsageError(`cannot write ${path}: ${reason}`, {
    hint,
    details: { path },
    cause: error,
  });
}

/** Makes the names in a folder last, as after a rename; file systems that cannot flush a folder keep the order by other means. */
export async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await open(path, 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  } catch {
    // The file is in place and whole; only a power cut right now could bring back the old one.
  }
}

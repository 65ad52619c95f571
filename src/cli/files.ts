import { constants } from 'node:fs';
import { access, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DataError } from '../errors/data-error.ts';
import { ToolError } from '../errors/tool-error.ts';
import { UsageError } from '../errors/usage-error.ts';
import { cannotWrite, writeFileAtomically } from '../support/atomic-write.ts';
import { isAbsent, isFolder, readProblem } from '../support/file-problem.ts';
import { stringifyJson } from '../support/json.ts';

/** A place for a result that was found writable. */
export interface OutputFile {
  /** Writes a value as indented JSON. @throws {@link UsageError} when the place cannot be written any more. */
  writeJson(value: unknown): Promise<void>;
  /** Writes pieces in order. @throws {@link UsageError} as above, and whatever the pieces throw. */
  writeText(text: string | AsyncIterable<string | Uint8Array>): Promise<void>;
  /** Folder of a file; absent for devices and pipes, which are none. */
  readonly folder?: string | undefined;
}

/**
 * Looks whether a file can be written, before the work whose result goes there begins. Devices and pipes are written in
 * place, files are replaced as a whole; a symbolic link keeps pointing at its file.
 * @param mode Permissions of a file, when others than its owner may read it.
 * @throws {@link UsageError} when it cannot.
 */
export async function openOutputFile(
  path: string,
  flag: string,
  mode?: number,
): Promise<OutputFile> {
  if (path === '' || path === '-') {
    throw new UsageError(`--${flag}: "${path}" names no file`, {
      hint: 'for stdout, use --format json',
    });
  }
  try {
    const { target, isSpecial } = await locate(path);
    return {
      folder: isSpecial ? undefined : dirname(target),
      writeJson: async (value) => {
        const text = `${stringifyJson(value, 2)}\n`;
        await (isSpecial ? writeInPlace(target, text) : writeFileAtomically(target, text, mode));
      },
      writeText: (text) =>
        isSpecial ? writeInPlace(target, text) : writeFileAtomically(target, text, mode),
    };
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

/**
 * Reads a file that the user names; `-` is standard input.
 * @throws {@link DataError} when it is absent or cannot be read.
 */
export async function readInputFile(path: string): Promise<string> {
  try {
    if (path === '-') return await readStream(process.stdin);
    return await readFile(path, 'utf8');
  } catch (error) {
    throw cannotRead(path, error);
  }
}

/** The error of a path that cannot be read: which part of it is at fault, and the way out. */
export function cannotRead(path: string, error: unknown): DataError {
  const { reason, hint } = readProblem(path, error);
  const parts = { details: { path }, cause: error };
  if (isFolder(error)) return new DataError(`${path} is a folder`, { hint, ...parts });
  const text = isAbsent(error) ? `${path} does not exist` : `cannot read ${path}: ${reason}`;
  return new DataError(text, { hint, ...parts });
}

async function readStream(stream: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks).toString('utf8');
}

async function locate(path: string): Promise<{ target: string; isSpecial: boolean }> {
  const stats = await stat(path).catch(ifAbsent);
  if (!stats) {
    const folder = await realpath(dirname(path));
    await access(folder, constants.W_OK);
    return { target: join(folder, basename(path)), isSpecial: false };
  }
  if (stats.isDirectory()) throw Object.assign(new Error('a folder'), { code: 'EISDIR' });
  await access(path, constants.W_OK);
  if (!stats.isFile()) return { target: path, isSpecial: true };
  const target = await realpath(path);
  await access(dirname(target), constants.W_OK);
  return { target, isSpecial: false };
}

function ifAbsent(error: unknown): undefined {
  if (isAbsent(error)) return undefined;
  throw error;
}

async function writeInPlace(
  path: string,
  text: string | AsyncIterable<string | Uint8Array>,
): Promise<void> {
  try {
    await writeFile(path, text);
  } catch (error) {
    // What the pieces throw is no fault of the place.
    throw error instanceof ToolError ? error : cannotWrite(path, error);
  }
}

import { constants } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { UsageError } from '../errors/usage-error.ts';
import { cannotWrite, writeFileAtomically } from '../support/atomic-write.ts';
import { isAbsent } from '../support/file-problem.ts';
import { stringifyJson } from '../support/json.ts';
import { cannotRead } from './files.ts';

/** A file that a command leaves for its next run. */
export interface StateFile {
  readonly name: string;
  /** What the run before has left; undefined when there was none. */
  readonly text: string | undefined;
  /** Replaces the file as a whole. @throws {@link UsageError} when it cannot be written any more. */
  save(document: unknown): Promise<void>;
}

/**
 * Reads a state file and looks whether it can be written, before the work begins.
 * @throws {@link UsageError} when it cannot be written, {@link DataError} when it is there and cannot be read.
 */
export async function openStateFile(path: string | undefined): Promise<StateFile | undefined> {
  if (path === undefined) return undefined;
  if (path === '' || path === '-') throw new UsageError(`--state-file: "${path}" names no file`);
  const text = await readIfThere(path);
  try {
    await access(dirname(path), constants.W_OK);
  } catch (error) {
    throw cannotWrite(path, error);
  }
  return {
    name: path,
    text,
    save: (document) => writeFileAtomically(path, `${stringifyJson(document, 2)}\n`),
  };
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw cannotRead(path, error);
  }
}

import { createHash } from 'node:crypto';
import type { MigrationOutput } from '../operations/export/export-options.ts';
import { write } from './emit.ts';
import { openOutputFile } from './files.ts';

/** Value of `--output` that stands for standard output. */
export const STDOUT = '-';

/**
 * Where a migration file goes, found writable before anything is read.
 * @throws {@link UsageError} when it is not.
 */
export async function openExportOutput(path: string): Promise<MigrationOutput> {
  const newHash = (): ReturnType<typeof createHash> => createHash('sha256');
  if (path === STDOUT) return { file: path, newHash, write: writeToStdout };
  const file = await openOutputFile(path, 'output');
  return {
    file: path,
    newHash,
    write: async (content) => {
      await file.writeText(content);
      return 'whole';
    },
  };
}

async function writeToStdout(content: AsyncIterable<string>): Promise<'whole' | 'reader-gone'> {
  for await (const piece of content) {
    if (!(await write(process.stdout, piece))) return 'reader-gone';
  }
  return 'whole';
}

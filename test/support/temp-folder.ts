/** Folders of files for tests that read real files. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Writes files below a new folder, by their path in it, and gives the folder's path. */
export type WriteFolder = (files: Readonly<Record<string, string | Uint8Array>>) => Promise<string>;

/** A writer of folders that go away after the tests of the suite around the call. */
export function temporaryFolders(): WriteFolder {
  const folders: string[] = [];
  after(async () => {
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  });
  return async (files) => {
    const folder = await mkdtemp(join(tmpdir(), 'ipamctl-test-'));
    folders.push(folder);
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), content);
    }
    return folder;
  };
}

/** What an action fails with. @throws when it does not fail. */
export async function failureOf(action: Promise<unknown>): Promise<Error> {
  try {
    await action;
  } catch (error) {
    if (error instanceof Error) return error;
    throw new Error('something that is no error was thrown', { cause: error });
  }
  throw new Error('it did not fail');
}

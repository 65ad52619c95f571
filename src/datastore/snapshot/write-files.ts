import { access, constants, realpath, stat } from 'node:fs/promises';
import { ConflictError } from '../../errors/conflict-error.ts';
import { UsageError } from '../../errors/usage-error.ts';
import { cannotWrite, type PreparedFile, prepareFile } from '../../support/atomic-write.ts';
import { type FileLock, FileLockedError, lockFile } from '../../support/file-lock.ts';
import { yamlText } from '../../support/yaml-text.ts';
import { isMigrationFile } from '../migration-file.ts';
import { type Digest, digestOf, readBytes } from './read-source.ts';
import { decodeText, plainBytes } from './read-text.ts';
import { rewriteSnapshotEntries } from './rewrite-entries.ts';
import { type MigrationChanges, rewriteMigration } from './rewrite-migration.ts';
import { rewriteText } from './rewrite-text.ts';
import { encodeLike } from './text-encoding.ts';

/** Permission bits of a mode. */
const PERMISSIONS = 0o7777;

/** Longer than it takes to write the largest file; milliseconds. */
const WAIT_MS = 60_000;

/** A file with its new content. */
interface Rewritten {
  readonly file: string;
  readonly content: Buffer | string;
  readonly mode?: number | undefined;
}

/** Digest of the content that each file had when it was last read or written. */
type Digests = Map<string, Digest>;

/**
 * Writes changes file by file, each in one step and only if it still is what was read. All are made up before the first
 * one is put into its place. Nobody else who works in this way writes to the files meanwhile.
 *
 * @param digests Of the files; that of a written one is replaced.
 * @throws {@link ConflictError} when somebody else changed a file, or goes on writing to it; none is written then.
 * @throws {@link UsageError} when a file cannot be written.
 */
export async function writeFiles(
  changes: ReadonlyMap<string, MigrationChanges>,
  digests: Digests,
): Promise<void> {
  const locks: FileLock[] = [];
  const made: { readonly result: Rewritten; readonly prepared: PreparedFile }[] = [];
  try {
    for (const place of await placesOf(changes.keys())) locks.push(await lock(place));
    for (const [file, change] of changes) {
      const result = await rewrite(file, change, digests);
      if (result !== undefined) made.push({ result, prepared: await prepare(result) });
    }
    // Making up a large file takes a while, and an editor knows no lock.
    for (const { result } of made) await assertUnchanged(result.file, digests, locks);
    for (const { result, prepared } of made) {
      const { file, content } = result;
      await prepared.commit();
      digests.set(file, digestOf(Buffer.from(content)));
    }
  } finally {
    for (const { prepared } of made) await prepared.discard();
    for (const one of locks) await one.release();
  }
}

/** The last look before a file is replaced. */
async function assertUnchanged(
  file: string,
  digests: Digests,
  locks: readonly FileLock[],
): Promise<void> {
  const digest = digests.get(file);
  const isSame =
    digest === undefined
      ? !(await exists(file))
      : digestOf(await readBytes(file, undefined))() === digest();
  const isLocked = await Promise.all(locks.map((one) => one.isHeld()));
  if (!isSame || isLocked.includes(false)) throw changedMeanwhile(file);
}

async function rewrite(
  file: string,
  changes: MigrationChanges,
  digests: Digests,
): Promise<Rewritten | undefined> {
  const digest = digests.get(file);
  if (digest === undefined) return newFile(file, changes);
  const bytes = await readBytes(file, undefined);
  if (digestOf(bytes)() !== digest()) throw changedMeanwhile(file);
  await assertWritable(file);
  const plain = await plainBytes(bytes, file);
  const text = decodeText(plain, file);
  const next = isMigrationFile(text)
    ? rewriteMigration(text, changes, file)
    : rewriteDocuments(text, changes, file);
  if (next === text) return undefined;
  const { mode } = await stat(file);
  return { file, content: await encodeLike(next, bytes, plain), mode: mode & PERMISSIONS };
}

async function newFile(file: string, { added }: MigrationChanges): Promise<Rewritten | undefined> {
  if (added.length === 0) return undefined;
  if (await exists(file)) throw changedMeanwhile(file);
  return { file, content: added.map((object) => yamlText(object, 0)).join('---\n') };
}

/** Objects first, then the keys of etcd that a snapshot of ours may hold beside them. */
function rewriteDocuments(text: string, changes: MigrationChanges, file: string): string {
  const { changed, added, entries } = changes;
  const isOfObjects = changed.size > 0 || added.length > 0;
  const rewritten = isOfObjects ? rewriteText(text, changes, file) : text;
  return entries.size === 0 ? rewritten : rewriteSnapshotEntries(rewritten, entries, file);
}

function changedMeanwhile(file: string): ConflictError {
  return new ConflictError(
    `${file} was changed by somebody else since it was read; it was not written`,
    {
      hint: 'run the command again on the file as it is now',
      details: { file },
    },
  );
}

/** What the files are in truth, each once, in an order that is the same in all runs: none waits for one that waits for it. */
async function placesOf(files: Iterable<string>): Promise<readonly string[]> {
  const places = await Promise.all([...files].map(realPathOf));
  return [...new Set(places)].sort();
}

/** Waits for another run that writes to the file. */
async function lock(file: string): Promise<FileLock> {
  try {
    return await lockFile(file, WAIT_MS);
  } catch (cause) {
    if (!(cause instanceof FileLockedError)) throw cannotWrite(file, cause);
    throw new ConflictError(`${file} was not written: ${cause.message}`, {
      hint: cause.hint,
      details: { file },
      cause,
    });
  }
}

async function prepare({ file, content, mode }: Rewritten): Promise<PreparedFile> {
  return prepareFile(await realPathOf(file), content, mode);
}

/** A rename would replace a file that its owner has protected. */
async function assertWritable(file: string): Promise<void> {
  try {
    await access(file, constants.W_OK);
  } catch (cause) {
    throw new UsageError(`cannot write ${file}: it is read-only`, { details: { file }, cause });
  }
}

/** Where a link leads, so that the file is replaced and not the link. */
async function realPathOf(file: string): Promise<string> {
  return (await exists(file)) ? realpath(file) : file;
}

async function exists(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch {
    return false;
  }
}

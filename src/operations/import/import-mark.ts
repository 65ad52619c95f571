import { PreconditionError } from '../../errors/precondition-error.ts';
import { IMPORT_MARK, LOCK_MARK, readLockMark, readMark, RENAME_MARK } from '../../ipam/marks.ts';
import type { ClusterInformationRow } from '../../ipam/model/cluster-information.ts';
import type { JsonObject } from '../../ipam/model/resource.ts';
import { readTexts, withAnnotation } from '../../ipam/model/object-metadata.ts';
import { stringifyJson } from '../../support/json.ts';

/** How far an import is: what it writes now. */
export type ImportPhase = 'resources' | 'ipam' | 'verification';

/** Who imports what, for the mark. */
export interface MarkOptions {
  /** Digest of the migration file. */
  readonly digest: string;
  /** What the file is called. */
  readonly file: string;
  readonly by: string;
  /** RFC 3339. */
  readonly at: string;
}

/**
 * Whether the target carries the mark of an import of this file that is not finished.
 * @throws {@link PreconditionError} when it carries that of another file, or nodes are being renamed.
 */
export function isBegunImport(row: ClusterInformationRow | undefined, digest: string): boolean {
  const texts = readTexts(row?.object, 'annotations');
  if (texts[RENAME_MARK] !== undefined) {
    throw new PreconditionError('nodes of the target are being renamed, and that is not finished', {
      hint: 'go on with ipamctl datastore migrate rename-node first',
    });
  }
  if (texts[IMPORT_MARK] === undefined) return false;
  const { hash, file, at } = readMark(row?.object, IMPORT_MARK) ?? {};
  if (hash === digest) return true;
  const name = typeof file === 'string' ? file : 'another file';
  throw new PreconditionError(
    `the import of ${name} into this cluster is not finished, and this file is another one`,
    {
      hint: 'go on with that file, or take its import back with ipamctl ipam restore and its journal',
      details: { file: name, hash, begunAt: at },
    },
  );
}

/**
 * Refuses what would change things under an import that is not finished.
 * @param because What the import needs, as the second half of a sentence.
 * @throws {@link PreconditionError} naming the command that goes on with it.
 */
export function assertNoImport(row: ClusterInformationRow | undefined, because: string): void {
  if (readTexts(row?.object, 'annotations')[IMPORT_MARK] === undefined) return;
  throw new PreconditionError(`an import into this cluster is not finished, and ${because}`, {
    hint: `finish it first: ${commandToGoOn(row?.object)}`,
  });
}

/** The row locked and marked: nothing else assigns addresses until the import is done and somebody unlocks. */
export function withImportMark(
  row: ClusterInformationRow,
  phase: ImportPhase,
  { digest, file, by, at }: MarkOptions,
): ClusterInformationRow {
  const mark = stringifyJson({ file, phase, hash: digest, by, at });
  const marked = withAnnotation(row.object, IMPORT_MARK, mark);
  const isLocked = row.datastoreReady === false && readLockMark(row.object) !== undefined;
  const lock = stringifyJson({ by, at, reason: `import of ${file}` });
  return {
    ...row,
    datastoreReady: false,
    object: isLocked ? marked : withAnnotation(marked, LOCK_MARK, lock),
  };
}

/** The row without the mark; it stays locked. */
export function withoutImportMark(row: ClusterInformationRow): ClusterInformationRow {
  return { ...row, object: withAnnotation(row.object, IMPORT_MARK, undefined) };
}

/**
 * How an import goes on that was cut short, as a sentence part.
 * @param file What the migration file is called.
 * @param journal Path of the journal, where there is one.
 */
export function wayOn(file: string, journal: string | undefined): string {
  const name = file === '-' ? 'the same file on standard input' : `the file ${file}`;
  const noted =
    journal === undefined
      ? 'there is no journal, so it compares'
      : `the journal ${journal} says what was made`;
  return `the same command with --resume goes on, from ${name}; ${noted}`;
}

/** The command that goes on with the import of a mark; FILE stands for a name that is no path or would have to be quoted. */
export function commandToGoOn(object: JsonObject | undefined): string {
  const { file } = readMark(object, IMPORT_MARK) ?? {};
  const isPlain = typeof file === 'string' && /^[\w./@:+-]+$/.test(file);
  return `ipamctl datastore migrate import --resume --filename ${isPlain ? file : 'FILE'}`;
}

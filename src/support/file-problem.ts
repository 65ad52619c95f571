import { existsSync } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';

/** Why a file cannot be read or written, and what to do about it. */
export interface FileProblem {
  /** A sentence part behind a colon. */
  readonly reason: string;
  /** The way out, where there is a known one. */
  readonly hint?: string | undefined;
}

/** Why a file cannot be read, also in the words that follow its path. */
export interface ReadProblem extends FileProblem {
  /** `does not exist`, or `cannot be read (permission denied)`. */
  readonly predicate: string;
}

/** What the system says about a path, in words; the code tells nobody which part of the path is meant. */
const REASONS: Readonly<Record<string, string>> = {
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left',
  EDQUOT: 'no space is left for you',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'links lead in a circle',
  EMFILE: 'too many files are open',
  EIO: 'input/output error',
  EADDRINUSE: 'somebody else listens there',
  EADDRNOTAVAIL: 'this machine has no such address',
};

const WRITE_HINTS: Readonly<Record<string, string>> = {
  EISDIR: 'name a file in it',
  EACCES: 'name a file in a folder that you may write to',
  EPERM: 'name a file in a folder that you may write to',
  EROFS: 'name a file elsewhere',
  ENOSPC: 'make room, or name a file elsewhere',
  EDQUOT: 'make room, or name a file elsewhere',
  ENAMETOOLONG: 'name a file with a shorter name',
};

const READ_HINTS: Readonly<Record<string, string>> = {
  EISDIR: 'name a file in it',
  EACCES: 'ask for the right to read it, or name another file',
  EPERM: 'ask for the right to read it, or name another file',
};

/** Why a file, made anew or replaced, cannot be written. */
export function writeProblem(path: string, error: unknown): FileProblem {
  const code = systemCode(error);
  const folder = dirname(path);
  if (code === 'ENOENT')
    return {
      reason: `there is no folder ${folder}`,
      hint: 'make that folder first, or name a file in one that is there',
    };
  if (code === 'ENOTDIR')
    return { reason: `${fileIn(folder)} is no folder`, hint: 'name a file in a folder' };
  return { reason: reasonOf(code, error), hint: WRITE_HINTS[code] };
}

/** Why a file cannot be read. */
export function readProblem(path: string, error: unknown): ReadProblem {
  const problem = problemOfReading(path, error);
  const predicate = isAbsent(error) ? 'does not exist' : `cannot be read (${problem.reason})`;
  return { ...problem, predicate };
}

function problemOfReading(path: string, error: unknown): FileProblem {
  const code = systemCode(error);
  const folder = dirname(path);
  if (code === 'ENOENT') {
    const hint = existsSync(folder) ? 'check the name' : `there is no folder ${folder} either`;
    const start = isAbsolute(path) ? '' : '; a relative path begins in the current folder';
    return { reason: 'it does not exist', hint: `${hint}${start}` };
  }
  if (code === 'ENOTDIR')
    return { reason: `${fileIn(folder)} is no folder`, hint: 'check the path' };
  return { reason: reasonOf(code, error), hint: READ_HINTS[code] };
}

/** Whether the path leads nowhere. */
export function isAbsent(error: unknown): boolean {
  return systemCode(error) === 'ENOENT';
}

/** Whether the path is that of a folder. */
export function isFolder(error: unknown): boolean {
  return systemCode(error) === 'EISDIR';
}

/** What the system says, in words; for what has no path. */
export function systemReason(error: unknown): string {
  return reasonOf(systemCode(error), error);
}

function reasonOf(code: string, error: unknown): string {
  return REASONS[code] ?? (error instanceof Error ? error.message : String(error));
}

/** The code of an error of the system, such as `ENOENT`; empty for any other error. */
export function systemCode(error: unknown): string {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}

/** The part of a path that stands where a folder would have to. */
function fileIn(folder: string): string {
  let part = folder;
  while (!existsSync(part) && dirname(part) !== part) part = dirname(part);
  return part;
}

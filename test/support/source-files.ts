import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** Folder of package.json. */
export const ROOT = join(import.meta.dirname, '..', '..');

/** A file of the project. */
export interface SourceFile {
  /** From the root, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** Files below a folder of the project whose names match, in order. */
export function sourceFiles(folder: string, pattern: RegExp): SourceFile[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && pattern.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => ({
      path: relative(ROOT, path).split(sep).join('/'),
      text: readFileSync(path, 'utf8'),
    }));
}

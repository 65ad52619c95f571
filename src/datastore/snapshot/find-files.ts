import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DataError } from '../../errors/data-error.ts';
import { readProblem } from '../../support/file-problem.ts';

/** A file of a folder; `isTried` when only its content can tell whether it holds Kubernetes objects. */
export interface FoundFile {
  readonly path: string;
  readonly isTried: boolean;
}

const OBJECT_FILE = /\.(?:ya?ml|jsonl?|ndjson|calico)$/i;

/** Endings of what lies beside objects in support bundles and is none. */
const FOREIGN_FILE =
  /\.(?:log|log\.\d+|md|html?|css|js|ts|go|py|sh|ps1|bat|csv|tsv|xml|toml|ini|conf|cfg|env|pem|crt|cer|key|csr|p12|pub|sig|asc|sha\d+|md5|png|jpe?g|gif|svg|ico|pdf|docx?|xlsx?|zip|tar|tgz|bz2|xz|zst|7z|rpm|deb|exe|so|db|pcap|pcapng|err|bak|tmp|swp)$/i;

/**
 * Files below a folder that may hold objects, sorted by path. Hidden entries, special files and what is foreign by its
 * ending are left out; a folder that a link leads back to is visited once.
 *
 * @throws {@link DataError} naming the folder or file that cannot be read.
 */
export async function findFiles(folder: string): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  await collect(folder, { found, visited: new Set() });
  return found;
}

async function collect(
  folder: string,
  walk: { readonly found: FoundFile[]; readonly visited: Set<string> },
): Promise<void> {
  const real = await access(folder, () => realpath(folder));
  if (walk.visited.has(real)) return;
  walk.visited.add(real);
  const names = await access(folder, () => readdir(folder));
  // By code unit, so that the order does not depend on the language of the machine.
  for (const name of names.sort()) {
    if (name.startsWith('.')) continue;
    const path = join(folder, name);
    const kind = await kindOf(path);
    if (kind === 'folder') await collect(path, walk);
    else if (kind === 'file' && !isForeign(name)) {
      walk.found.push({ path, isTried: !OBJECT_FILE.test(withoutGz(name)) });
    }
  }
}

async function kindOf(path: string): Promise<'folder' | 'file' | 'other'> {
  const isObjectFile = OBJECT_FILE.test(withoutGz(path));
  try {
    const found = await stat(path);
    if (found.isDirectory()) return 'folder';
    return found.isFile() ? 'file' : 'other';
  } catch (cause) {
    // A link to nowhere matters only if it stands for objects.
    if (isObjectFile) throw cannotRead(path, cause);
    return 'other';
  }
}

function isForeign(name: string): boolean {
  return FOREIGN_FILE.test(withoutGz(name));
}

function withoutGz(name: string): string {
  return name.replace(/\.gz$/i, '');
}

async function access<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (cause) {
    throw cannotRead(path, cause);
  }
}

/** The error for a path that the system does not let us read. */
export function cannotRead(path: string, cause: unknown): DataError {
  const { predicate, hint } = readProblem(path, cause);
  return new DataError(`${path} ${predicate}`, { hint, details: { file: path }, cause });
}

import { join } from 'node:path';
import type { StoredKind } from '../object-store.ts';
import type { Digest } from './read-source.ts';
import type { MigrationChanges } from './rewrite-migration.ts';

/** The files of a snapshot as they were read, and the way to write them back. */
export class SnapshotFiles {
  readonly #folder: string | undefined;
  /** Digest of the content that each file had when it was last read or written. */
  readonly #digests: Map<string, Digest>;

  /** @param folder The folder that was opened; undefined for a single file. */
  constructor(folder: string | undefined, digests: ReadonlyMap<string, Digest>) {
    this.#folder = folder;
    this.#digests = new Map(digests);
  }

  /** The file for rows of a kind that no file holds: the only one, or a new one of the folder. */
  homeFor(kind: StoredKind): string {
    if (this.#folder === undefined) return [...this.#digests.keys()][0] ?? '';
    return join(this.#folder, `ipamctl-${kind.toLowerCase()}.yaml`);
  }

  /**
   * Writes changes file by file; see {@link writeFiles}.
   *
   * @throws {@link ConflictError} when somebody else changed a file, or goes on writing to it; none is written then.
   * @throws {@link UsageError} when a file cannot be written.
   */
  async write(changes: ReadonlyMap<string, MigrationChanges>): Promise<void> {
    // Loaded here, since most commands only read.
    const { writeFiles } = await import('./write-files.ts');
    await writeFiles(changes, this.#digests);
  }
}

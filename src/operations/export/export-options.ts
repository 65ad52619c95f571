/** What to export. */
export interface ExportOptions {
  /** Nodes to leave out, with everything of theirs, by their names in etcd. */
  readonly skipNodes: readonly string[];
  readonly isMismatchAllowed: boolean;
}

/** Takes a text piece by piece and gives its SHA-256. */
export interface TextHash {
  update(text: string): unknown;
  digest(encoding: 'hex'): string;
}

/** Where a migration file goes. */
export interface MigrationOutput {
  /** Path of the file; `-` for standard output. */
  readonly file: string;
  newHash(): TextHash;
  /**
   * Writes the file. What is there is replaced only by a whole one; on standard output a reader may go away before the
   * end.
   * @throws {@link UsageError} when it cannot be written.
   */
  write(content: AsyncIterable<string>): Promise<'whole' | 'reader-gone'>;
}

import type { DocumentHead } from '../outcome.ts';

/** A node that is carried. */
export interface ExportedNode {
  /** Name in etcd. */
  readonly from: string;
  /** Name in Kubernetes. */
  readonly to: string;
}

/** Rows of an old form that are carried in the form of today. */
export interface ExportHealing {
  readonly code: string;
  readonly count: number;
  /** What was done, as a sentence part about several. */
  readonly what: string;
}

/** Something that cannot be carried; while there is any, nothing is written. */
export interface ExportRefusal {
  readonly code: string;
  /** Kind and name in the source. */
  readonly subject: string;
  /** What is wrong with it, as a sentence part. */
  readonly reason: string;
}

/** `datastore migrate export`, done or, with `--dry-run`, planned. */
export interface MigrationExportDocument extends DocumentHead<'MigrationExport'> {
  /** Path of the file, `-` for standard output; absent where nothing is written. */
  readonly file?: string | undefined;
  /** Whether the whole file was written. */
  readonly written: boolean;
  /** Revision of the source at which everything was read. */
  readonly revision?: string | undefined;
  /** How many objects and rows of a kind the file holds. */
  readonly counts: Readonly<Record<string, number>>;
  readonly nodes: readonly ExportedNode[];
  readonly skippedNodes: readonly string[];
  /** How many objects and rows of a kind were left out with the skipped nodes. */
  readonly leftOut: Readonly<Record<string, number>>;
  readonly healed: readonly ExportHealing[];
  readonly refusals: readonly ExportRefusal[];
  /** Whatever else the reader should know, in sentences. */
  readonly notes: readonly string[];
  /** The hash that the manifest of the file holds. */
  readonly sha256?: string | undefined;
}

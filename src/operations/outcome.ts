import type { SourceDescription } from '../datastore/datastore.ts';
import type { ExitName } from '../errors/exit-status.ts';
import type { ToolError } from '../errors/tool-error.ts';

/** How a completed operation ended; failures that leave no document are thrown instead. */
export type Verdict = ExitName;

/** A document and what it means for the exit status. The format never changes the verdict. */
export interface Outcome<D> {
  readonly document: D;
  readonly verdict: Verdict;
  /** What to tell on stderr beside the document; its status is the verdict's. */
  readonly error?: ToolError | undefined;
}

/** `source` of every document that was read from a datastore. */
export interface DocumentSource extends SourceDescription {
  readonly clusterGUID?: string | undefined;
}

/** Head of every document. Addresses in documents are text, counts are number or bigint and print as bare integers. */
export interface DocumentHead<K extends string> {
  readonly kind: K;
  readonly schemaVersion: 1;
  readonly source: DocumentSource;
}

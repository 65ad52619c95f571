import type { ResourceKind } from '../../ipam/model/resource.ts';
import type { DocumentHead } from '../outcome.ts';

/** Rows of one kind. */
export interface SnapshotCount {
  readonly kind: ResourceKind;
  /** What could not be read included: it is kept as it is. */
  readonly count: number;
}

/** `datastore snapshot`: what was written where. */
export interface DatastoreSnapshotDocument extends DocumentHead<'DatastoreSnapshot'> {
  /** Path of the file; `-` for standard output. */
  readonly file: string;
  /** False under `--dry-run`, and when the reader of standard output went away. */
  readonly written: boolean;
  /** RFC 3339: when reading began. */
  readonly takenAt: string;
  /** What was replaced; absent when nothing was. */
  readonly redacted?: 'names' | 'all' | undefined;
  /** Kinds that were read, empty ones too, in the order of the file. */
  readonly counts: readonly SnapshotCount[];
  /** Kinds that the server does not have. */
  readonly notInstalled: readonly ResourceKind[];
  /** Kinds that the source does not hold: the snapshot says nothing of them either. */
  readonly notHeld: readonly ResourceKind[];
  /** SHA-256 of the file as it is stored, in hexadecimal digits. */
  readonly sha256?: string | undefined;
  readonly bytes?: number | undefined;
}

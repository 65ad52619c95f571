import type { DocumentHead, DocumentSource } from '../outcome.ts';

/** Something that a command has begun, or has done, by the marks that it left. */
export interface MarkedWorkDocument {
  readonly what: 'split' | 'import' | 'rename';
  readonly finished: boolean;
  /** Name of the pool of a split. */
  readonly pool?: string | undefined;
  readonly says: string;
  /** What to do about it; absent for finished work. */
  readonly remedy?: string | undefined;
}

/** One datastore. */
export type StatusSide = ReadSide | UnreadSide;

interface SideHead {
  readonly side: 'kubernetes' | 'etcd' | 'snapshot' | 'memory';
  readonly source: DocumentSource;
}

/** A datastore that cannot be opened or read. */
export interface UnreadSide extends SideHead {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly hint?: string | undefined;
  };
}

/** A datastore that was read. */
export interface ReadSide extends SideHead {
  /** Whether there is a ClusterInformation. */
  readonly initialized: boolean;
  readonly locked: boolean;
  /** The flag as it is stored; absent when it is not set, which counts as not locked. */
  readonly datastoreReady?: boolean | undefined;
  /** Who locked it, as far as that was noted. */
  readonly lock?:
    { readonly by: string; readonly at: string; readonly reason?: string | undefined } | undefined;
  readonly marks: readonly MarkedWorkDocument[];
  /** What waits for somebody to do something, in sentences. */
  readonly waiting: readonly string[];
}

/** `datastore migrate status`. */
export interface MigrationStatusDocument extends DocumentHead<'DatastoreStatus'> {
  readonly sides: readonly StatusSide[];
}

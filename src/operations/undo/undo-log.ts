import type { WritableRow } from '../../datastore/datastore.ts';
import type { ObjectKind } from '../../datastore/object-store.ts';
import type { JsonObject, Revision } from '../../ipam/model/resource.ts';
import type { PlanAction, PlanSubject } from '../../ipam/plan.ts';

/** First line of an undo file. */
export interface UndoHeader {
  readonly kind: 'IPAMUndo';
  readonly schemaVersion: 1;
  readonly command: string;
  readonly clusterGUID: string;
  /** API group, or the datastore where it has none. */
  readonly apiGroup: string;
  /** RFC 3339. */
  readonly time: string;
}

/** A change of a whole object, as the newer API group shows it; undefined where there is none. */
export interface ObjectChange {
  readonly kind: ObjectKind;
  readonly before: JsonObject | undefined;
  readonly after: JsonObject | undefined;
}

/** A write that an undo file records, with what is known of its end. */
export interface RecordedWrite {
  readonly n: number;
  readonly action: PlanAction;
  readonly subject: PlanSubject;
  readonly before: WritableRow | undefined;
  readonly after: WritableRow | undefined;
  /** Set for a write of a whole object in place of a row. */
  readonly object?: ObjectChange | undefined;
  /** Undefined when the answer was never seen. */
  readonly result?: 'applied' | 'failed' | undefined;
}

/** A write that is about to be sent. */
export interface UndoEntry {
  readonly action: PlanAction;
  readonly subject: PlanSubject;
  readonly before: WritableRow | undefined;
  readonly after: WritableRow | undefined;
  readonly object?: ObjectChange | undefined;
}

/** Where the lines go; opened at the first write. */
export interface UndoSink {
  /**
   * Appends a line; settles once it is on the disk. The header is written first where the file is new.
   * @throws {@link UsageError} when it cannot be written.
   */
  append(line: JsonObject, header: UndoHeader): Promise<void>;
  /**
   * Appends a line soon, at the latest with the next one that is waited for. It may be lost, and that it cannot be
   * written is told by the next line that is waited for.
   */
  note(line: JsonObject, header: UndoHeader): void;
  /** Its path, once something was written. */
  readonly path: string | undefined;
  /** Why there is no file, once something should have been written; a sentence without its end. */
  readonly problem?: string | undefined;
}

/** What the undo file that a command goes on with says already. */
export interface UndoHistory {
  readonly header: UndoHeader;
  readonly writes: readonly RecordedWrite[];
}

/** Result of a write, for the line after its answer. */
export interface UndoResult {
  readonly result: 'applied' | 'failed';
  readonly revision?: Revision | undefined;
}

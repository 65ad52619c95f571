import type { WritableRow } from '../../datastore/datastore.ts';
import type { JsonObject } from '../../ipam/model/resource.ts';
import { storeRow } from './stored-row.ts';
import type { UndoEntry, UndoHeader, UndoResult, UndoSink } from './undo-log.ts';

/** Writes down each change before it is sent and how it ended, so that `ipam restore` can take it back. */
export class UndoJournal {
  readonly #sink: UndoSink;
  readonly #header: UndoHeader;
  #last: number;

  /** @param last Highest number that the file has used already. */
  constructor(sink: UndoSink, header: UndoHeader, last = 0) {
    this.#sink = sink;
    this.#header = header;
    this.#last = last;
  }

  /** Notes a write that is about to be sent; gives its number once the line is on the disk. */
  async begin({ action, subject, before, after, object }: UndoEntry): Promise<number> {
    const n = ++this.#last;
    const line = {
      n,
      action,
      subject: { ...subject } as unknown as JsonObject,
      before: object?.before ?? (before ? storeRow(before) : null),
      after: object?.after ?? (after ? storeRow(withoutObject(after)) : null),
    };
    await this.#sink.append(line, this.#header);
    return n;
  }

  /** Notes how a write ended; settles once the line is on the disk. */
  async end(n: number, result: UndoResult): Promise<void> {
    await this.#sink.append(endLine(n, result), this.#header);
  }

  /** Notes how a write ended, for a run that need not wait: without the line a restore judges by what stands there. */
  noteEnd(n: number, result: UndoResult): void {
    this.#sink.note(endLine(n, result), this.#header);
  }
}

function endLine(n: number, { result, revision }: UndoResult): JsonObject {
  return { n, result, ...(revision === undefined ? {} : { revision }) };
}

/** What the row itself does not say of a pool stands in its object only. */
function withoutObject(row: WritableRow): WritableRow {
  return row.kind === 'IPPool' ? row : { ...row, object: undefined };
}

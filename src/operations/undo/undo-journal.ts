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
    await this.#append({
      n,
      action,
      subject: { ...subject } as unknown as JsonObject,
      before: object?.before ?? (before ? storeRow(before) : null),
      after: object?.after ?? (after ? storeRow(withoutObject(after)) : null),
    });
    return n;
  }

  /** Notes how a write ended. */
  async end(n: number, { result, revision }: UndoResult): Promise<void> {
    await this.#append({ n, result, ...(revision === undefined ? {} : { revision }) });
  }

  async #append(line: JsonObject): Promise<void> {
    await this.#sink.append(line, this.#header);
  }
}

/** What the row itself does not say of a pool stands in its object only. */
function withoutObject(row: WritableRow): WritableRow {
  return row.kind === 'IPPool' ? row : { ...row, object: undefined };
}

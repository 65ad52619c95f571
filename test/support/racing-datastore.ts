/** A datastore in which somebody else is faster. */
import type { RowVersion, WritableDatastore, WritableRow } from '../../src/datastore/datastore.ts';
import { isReadable } from '../../src/ipam/model/row.ts';
import { CutDatastore } from './split-world.ts';

/** A write that is about to be sent. */
export interface ComingWrite {
  readonly verb: 'create' | 'update' | 'remove';
  readonly kind: string;
  readonly name: string;
  /** From 1. */
  readonly nth: number;
}

/** Runs something right before each write. */
export class RacingDatastore extends CutDatastore {
  private nth = 0;
  private readonly before: (write: ComingWrite) => Promise<void>;

  constructor(inner: WritableDatastore, before: (write: ComingWrite) => Promise<void>) {
    super(inner, Number.MAX_SAFE_INTEGER);
    this.before = before;
  }

  override async create<R extends WritableRow>(row: R): Promise<R> {
    await this.race('create', row);
    return super.create(row);
  }

  override async update<R extends WritableRow>(row: R): Promise<R> {
    await this.race('update', row);
    return super.update(row);
  }

  override async remove(row: RowVersion): Promise<void> {
    await this.race('remove', row);
    return super.remove(row);
  }

  private race(
    verb: ComingWrite['verb'],
    { kind, key }: Pick<WritableRow, 'kind' | 'key'> | RowVersion,
  ): Promise<void> {
    return this.before({ verb, kind, name: key.name, nth: ++this.nth });
  }
}

/** Writes a row as it is, so that whoever has read it before loses the race; nothing for a row that is not there. */
export async function touch(
  datastore: WritableDatastore,
  kind: WritableRow['kind'],
  name: string,
): Promise<void> {
  const row = await datastore.get(kind, { name });
  if (!row || !isReadable(row) || row.kind !== kind) return;
  const metadata = { ...(row.object?.['metadata'] as object | undefined) };
  const touched = {
    ...row,
    object: {
      ...row.object,
      metadata: { ...metadata, labels: { touched: String(Math.random()) } },
    },
  };
  await datastore.update(
    row.kind === 'IPAMBlock'
      ? { ...row, sequenceNumber: row.sequenceNumber + 1n }
      : (touched as WritableRow),
  );
}

import { CLAIMING_KINDS, type Fingerprints } from '../check/fingerprint.ts';
import type { RowReference } from '../check/rule.ts';
import {
  keyText,
  type ResourceKey,
  type ResourceKind,
  type Revision,
} from '../ipam/model/resource.ts';
import type { OperationContext } from './context.ts';

/**
 * Tells rows that are as they were by their revisions alone, of kinds of which many rows are concerned: to list
 * revisions costs a tenth of reading the rows, and a row that has not changed says what it said.
 */
export class UnchangedRows {
  readonly #before: Fingerprints;
  readonly #revisions: ReadonlyMap<ResourceKind, ReadonlyMap<string, Revision>>;

  private constructor(
    before: Fingerprints,
    revisions: ReadonlyMap<ResourceKind, ReadonlyMap<string, Revision>>,
  ) {
    this.#before = before;
    this.#revisions = revisions;
  }

  /**
   * Lists the revisions of all kinds concerned, since a finding rests on rows of several.
   * @param moreThan Nothing is listed where no kind has more rows than this: those are read one by one.
   */
  static async list(
    { datastore, signal }: OperationContext,
    rows: readonly RowReference[],
    { before, moreThan }: { readonly before: Fingerprints; readonly moreThan: number },
  ): Promise<UnchangedRows> {
    const concerned = CLAIMING_KINDS.map((kind) => ({ kind, keys: keysOf(rows, kind) }));
    const revisions = new Map<ResourceKind, ReadonlyMap<string, Revision>>();
    if (concerned.some(({ keys }) => keys.size > moreThan)) {
      await Promise.all(
        concerned.map(async ({ kind, keys }) => {
          if (keys.size === 0 || !datastore.revisions) return;
          const isWanted = (key: ResourceKey): boolean => keys.has(keyText(key));
          revisions.set(kind, await datastore.revisions(kind, { isWanted, signal }));
        }),
      );
    }
    return new UnchangedRows(before, revisions);
  }

  /** Whether a row is as it was; false for one of which that is not known. */
  has(row: RowReference): boolean {
    const revisions = this.#revisions.get(row.kind);
    return revisions !== undefined && this.#before.isAt(row, revisions.get(keyText(row.key)));
  }
}

function keysOf(rows: readonly RowReference[], kind: ResourceKind): ReadonlySet<string> {
  return new Set(rows.filter((row) => row.kind === kind).map(({ key }) => keyText(key)));
}

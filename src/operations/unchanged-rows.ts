import { ABSENT, type Fingerprints } from '../check/fingerprint.ts';
import type { RowReference } from '../check/rule.ts';
import {
  keyText,
  type ResourceKey,
  type ResourceKind,
  type Revision,
} from '../ipam/model/resource.ts';
import type { OperationContext } from './context.ts';

/** Kinds that an earlier look knows by the revisions of their rows. */
const CLAIMS: readonly ResourceKind[] = ['IPAMBlock', 'IPAMHandle', 'BlockAffinity'];

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
   * Lists the revisions.
   * @param moreThan Kinds with no more rows than this are left out: those are read one by one.
   */
  static async list(
    { datastore, signal }: OperationContext,
    rows: readonly RowReference[],
    { before, moreThan }: { readonly before: Fingerprints; readonly moreThan: number },
  ): Promise<UnchangedRows> {
    const revisions = new Map<ResourceKind, ReadonlyMap<string, Revision>>();
    await Promise.all(
      CLAIMS.map(async (kind) => {
        const concerned = rows.filter((row) => row.kind === kind);
        const keys = new Set(concerned.map(({ key }) => keyText(key)));
        if (keys.size <= moreThan || !datastore.revisions) return;
        const isWanted = (key: ResourceKey): boolean => keys.has(keyText(key));
        revisions.set(kind, await datastore.revisions(kind, { isWanted, signal }));
      }),
    );
    return new UnchangedRows(before, revisions);
  }

  /** Whether a row is as it was; false for one of which that is not known. */
  has(row: RowReference): boolean {
    const revisions = this.#revisions.get(row.kind);
    if (!revisions) return false;
    return this.#before.of(row) === (revisions.get(keyText(row.key)) ?? ABSENT);
  }
}

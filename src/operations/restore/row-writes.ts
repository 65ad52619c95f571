import type { WritableRow } from '../../datastore/datastore.ts';
import { rowText, slotText } from '../undo/same-row.ts';
import type { RecordedWrite } from '../undo/undo-log.ts';
import { StateChain } from './state-chain.ts';

/** All recorded writes of one row, in order. */
export class RowWrites {
  readonly #writes: readonly RecordedWrite[];
  #chain: StateChain | undefined;

  constructor(writes: readonly RecordedWrite[]) {
    this.#writes = [...writes].sort((a, b) => a.n - b.n);
  }

  /** Whether a row is as it was before an earlier write than this one; see {@link StateChain}. */
  isEarlier(row: WritableRow | undefined, write: RecordedWrite): boolean {
    if (this.#writes.length < 2) return false;
    this.#chain ??= new StateChain(
      this.#writes.map(({ before, after }) => ({ was: rowText(before), became: rowText(after) })),
    );
    return this.#chain.isEarlier(rowText(row), this.#writes.indexOf(write));
  }

  /** The same for an ordinal of a block, among the writes that have changed it; `state` as {@link slotText} tells it. */
  isEarlierSlot(state: string | undefined, write: RecordedWrite, ordinal: number): boolean {
    if (this.#writes.length < 2) return false;
    const changes = this.#writes
      .filter(({ n }) => n <= write.n)
      .map(({ before, after }) => ({
        was: textAt(before, ordinal),
        became: textAt(after, ordinal),
      }))
      .filter(({ was, became }) => was !== became);
    return new StateChain(changes).isEarlier(state, changes.length - 1);
  }
}

function textAt(row: WritableRow | undefined, ordinal: number): string | undefined {
  return row?.kind === 'IPAMBlock' ? slotText(row, ordinal) : undefined;
}

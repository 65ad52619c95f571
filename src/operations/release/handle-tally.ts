import { comparableHandleId } from '../../ipam/handle-id.ts';
import type { HandleRow } from '../../ipam/model/handle.ts';
import type { PlanItem } from '../../ipam/plan.ts';
import { type Cidr, cidrsEqual, formatCidr } from '../../net/cidr.ts';
import type { AddressUnit } from './release-plan.ts';

/** Addresses of one handle that were released in one block. */
export interface ReleasedCount {
  readonly cidr: Cidr;
  readonly count: number;
}

/** What is to be taken off one handle. */
export interface HandleLowering {
  readonly handleId: string;
  readonly counts: ReadonlyMap<string, ReleasedCount>;
  /** Items whose release includes it. */
  readonly items: readonly PlanItem[];
}

/** Sums what was released per handle, so that a handle of many addresses is written once. */
export class HandleTally {
  readonly #handles = new Map<string, { counts: Map<string, ReleasedCount>; items: PlanItem[] }>();

  /** Takes down released addresses of a block. */
  addUnits(units: readonly AddressUnit[]): void {
    for (const { handleId, cidr, item } of units) {
      if (handleId !== undefined) this.add(handleId, { cidr, count: 1 }, item);
    }
  }

  /** Takes down some addresses of one handle. */
  add(handleId: string, { cidr, count }: ReleasedCount, item: PlanItem): void {
    const id = comparableHandleId(handleId);
    const handle = this.#handles.get(id) ?? { counts: new Map<string, ReleasedCount>(), items: [] };
    const text = formatCidr(cidr);
    handle.counts.set(text, { cidr, count: (handle.counts.get(text)?.count ?? 0) + count });
    handle.items.push(item);
    this.#handles.set(id, handle);
  }

  /** By handle id. */
  get lowerings(): readonly HandleLowering[] {
    return [...this.#handles]
      .map(([handleId, handle]) => ({ handleId, ...handle }))
      .sort((a, b) => (a.handleId < b.handleId ? -1 : 1));
  }
}

/**
 * The row lowered by what was released, never below nothing: a count that is too low is no failure. Undefined when it
 * holds nothing any more; the same row when it counts none of it.
 */
export function loweredRow(
  row: HandleRow,
  released: Iterable<ReleasedCount>,
): HandleRow | undefined {
  const counts = [...row.counts];
  let isChanged = false;
  for (const { cidr, count } of released) {
    const at = counts.findIndex(
      (entry) => entry.cidr !== undefined && cidrsEqual(entry.cidr, cidr),
    );
    const entry = counts[at];
    if (entry === undefined) continue;
    isChanged = true;
    if (entry.count <= count) counts.splice(at, 1);
    else counts[at] = { ...entry, count: entry.count - count };
  }
  if (!isChanged) return row;
  return counts.length === 0 ? undefined : { ...row, counts };
}

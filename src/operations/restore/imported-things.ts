import { LOCK_MARK } from '../../ipam/marks.ts';
import { objectContent } from '../../ipam/migration/import-equal.ts';
import { readTexts } from '../../ipam/model/object-metadata.ts';
import { type JsonObject, keyText } from '../../ipam/model/resource.ts';
import { keyOf } from '../object-writer.ts';
import { rowText } from '../undo/same-row.ts';
import type { RecordedWrite } from '../undo/undo-log.ts';
import type { ImportedThing } from './judge-import.ts';
import { type StateChange, StateChain } from './state-chain.ts';

/**
 * Each row and object that was written, with what it was before the first write and after the last. Where somebody else has
 * changed it in between, what they made of it is what it was before.
 */
export function thingsOf(writes: readonly RecordedWrite[]): readonly ImportedThing[] {
  // What was refused was made by somebody else.
  const done = writes.filter(({ result }) => result !== 'failed').sort((a, b) => a.n - b.n);
  const changes = done.flatMap((write) => thingOf(write) ?? []);
  const byThing = Map.groupBy(changes, ({ kind, key }) => `${kind} ${keyText(key)}`);
  return [...byThing.values()].flatMap((all) => {
    const last = all.at(-1);
    const first = all[firstOf(all)];
    return first === undefined || last === undefined ? [] : joined(first, last);
  });
}

/** Calico itself writes the cluster's own row, which is judged by its fields. */
function firstOf(changes: readonly ImportedThing[]): number {
  if (changes.length < 2 || changes[0]?.kind === 'ClusterInformation') return 0;
  return new StateChain(changes.map(statesOf)).startOf(changes.length - 1);
}

function statesOf({ row, object }: ImportedThing): StateChange {
  if (!object) return { was: rowText(row?.before), became: rowText(row?.after) };
  const text = (state: JsonObject | undefined) => state && objectContent(object.kind, state);
  return { was: text(object.before), became: text(object.after) };
}

function thingOf({ before, after, object }: RecordedWrite): ImportedThing | undefined {
  if (object) {
    const shown = object.before ?? object.after;
    return shown && { kind: object.kind, key: keyOf(shown), object };
  }
  const row = before ?? after;
  return row && { kind: row.kind, key: row.key, row: { before, after } };
}

function joined(first: ImportedThing, last: ImportedThing): ImportedThing {
  const { row, object } = last;
  return {
    ...first,
    row: row && { before: first.row?.before, after: row.after },
    object: object && { ...object, before: first.object?.before },
  };
}

/**
 * The note of who locked the cluster while it was imported into, as a later write of the import found it; undefined when it
 * did not come to one, and so to no row of IPAM either.
 */
export function lockOfImport(writes: readonly RecordedWrite[]): string | undefined {
  const notes = [...writes]
    .sort((a, b) => a.n - b.n)
    .map(({ before }) =>
      before?.kind === 'ClusterInformation'
        ? readTexts(before.object, 'annotations')[LOCK_MARK]
        : undefined,
    );
  return notes.findLast((note) => note !== undefined);
}

import { LOCK_MARK } from '../../ipam/marks.ts';
import { readTexts } from '../../ipam/model/object-metadata.ts';
import { keyText } from '../../ipam/model/resource.ts';
import { keyOf } from '../object-writer.ts';
import type { RecordedWrite } from '../undo/undo-log.ts';
import type { ImportedThing } from './judge-import.ts';

/** Each row and object that was written, with what it was before the first write and after the last. */
export function thingsOf(writes: readonly RecordedWrite[]): readonly ImportedThing[] {
  const things = new Map<string, ImportedThing>();
  for (const write of [...writes].sort((a, b) => a.n - b.n)) {
    const thing = thingOf(write);
    // What was refused was made by somebody else.
    if (thing === undefined || write.result === 'failed') continue;
    const id = `${thing.kind} ${keyText(thing.key)}`;
    const first = things.get(id);
    things.set(id, first === undefined ? thing : joined(first, thing));
  }
  return [...things.values()];
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

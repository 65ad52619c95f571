import type { AffinityRow } from '../../ipam/model/affinity.ts';
import { already, repair } from './repair.ts';

interface LabelFacts {
  readonly row: string;
  readonly block: string;
}

/** Sets the labels by which the owner of a row finds it; a blank type is written as the host that it means. */
export const missingHostLabel = repair<LabelFacts>({
  code: 'missing-host-label',
  action: 'label-affinity',
  precondition: 'still without the labels',
  keyOf: ({ facts }) => `block ${facts.block}`,
  keep: () => undefined,
  async apply({ facts }, { access, writer, attempt }) {
    const row = await access.read('BlockAffinity', { name: facts.row }, attempt);
    if (row === undefined || row.deleted) return already('the row is gone');
    if (row.labelled !== false) return already('it has its labels');
    await writer.update(row, { ...withType(row), labelled: true }, { action: 'label-affinity' });
    return undefined;
  },
});

/** A row that names no type keeps it so when something else is written; here the type is part of the remedy. */
function withType(row: AffinityRow): AffinityRow {
  const spec = row.object?.['spec'];
  if (row.object === undefined || typeof spec !== 'object' || spec === null || Array.isArray(spec))
    return row;
  return { ...row, object: { ...row.object, spec: { ...spec, type: row.type } } };
}

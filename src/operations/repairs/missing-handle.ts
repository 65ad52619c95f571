import { comparableHandleId } from '../../ipam/handle-id.ts';
import type { HandleRow } from '../../ipam/model/handle.ts';
import { heldCounts, otherIdsOfRow } from './handle-counts.ts';
import { already, refusal, repair } from './repair.ts';

interface MissingFacts {
  readonly handle: string;
  readonly blocks: readonly string[];
}

/** Names that Kubernetes takes: a DNS subdomain. */
const OBJECT_NAME = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/;
const LONGEST_NAME = 253;

/** Creates the row of a handle from all blocks that name it. */
export const missingHandle = repair<MissingFacts>({
  code: 'missing-handle',
  action: 'create-handle',
  precondition: 'still without a row',
  isAboutHandle: true,
  keyOf: ({ facts }) => `handle ${facts.handle}`,
  keep({ facts: { handle } }, { state }) {
    if (state.unreadable.some(({ kind }) => kind === 'IPAMBlock')) {
      return refusal('a block cannot be read, and may hold addresses of it too');
    }
    const others = otherIdsOfRow(state, handle);
    return others.length > 0
      ? refusal(`its name is that of ${others.join(', ')} too, which differs in case only`)
      : undefined;
  },
  async apply({ facts: { handle } }, { look, access, writer, attempt }) {
    const key = writer.keys.handle(handle);
    // A key of etcd takes every id.
    if (writer.keys.form === 'object' && !isObjectName(key.name))
      return refusal(`"${handle}" cannot be a name in this datastore`);
    const row = await access.read('IPAMHandle', key, Math.max(2, attempt));
    if (row !== undefined && !row.deleted) {
      return comparableHandleId(row.id) === handle
        ? already('its row is there now')
        : refusal(`its name is taken by "${row.id}", which differs in case only`);
    }
    const counts = heldCounts(look.state, handle);
    if (counts.length === 0) return already('no address names it any more');
    const created: HandleRow = { kind: 'IPAMHandle', key, id: handle, counts, deleted: false };
    await writer.create(created, { action: 'create-handle' });
    return undefined;
  },
});

function isObjectName(name: string): boolean {
  return name.length <= LONGEST_NAME && OBJECT_NAME.test(name);
}

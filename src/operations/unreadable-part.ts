import type { ClusterState } from '../ipam/state/cluster-state.ts';
import type { UnreadablePart } from './documents/unreadable-entry.ts';

/** What a document that counts or looks up has to tell of rows that it could not read: they are in none of its figures. */
export function unreadablePart({ unreadable }: ClusterState): UnreadablePart {
  if (unreadable.length === 0) return {};
  return {
    unreadable: unreadable.map(({ kind, key: { namespace, name }, unreadable: problem }) => ({
      kind,
      ...(namespace === undefined ? {} : { namespace }),
      name,
      problem,
    })),
  };
}

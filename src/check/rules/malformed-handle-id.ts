import { comparableHandleId } from '../../ipam/handle-id.ts';
import type { ClusterState } from '../../ipam/state/cluster-state.ts';
import { formatAddress } from '../../net/address.ts';
import { notLoaded } from '../evidence.ts';
import { rule } from '../rule.ts';
import { counted, listed, quoted } from '../wording.ts';

type MalformedFacts = {
  /** The id as it is compared: cut at the first control character. */
  readonly handle: string;
  /** The ids as they are stored. */
  readonly spellings: readonly string[];
  /** Names of handle rows with such an id. */
  readonly rows: readonly string[];
  /** Addresses whose allocation has such an id, in order. */
  readonly addresses: readonly string[];
};

interface Occurrences {
  readonly spellings: Set<string>;
  readonly rows: string[];
  readonly addresses: string[];
}

/** A handle id with control characters, as an old migration wrote them. */
export const malformedHandleId = rule<MalformedFacts>({
  code: 'malformed-handle-id',
  severity: 'warning',
  needs: ['IPAMBlock'],
  title: 'A handle id holds control characters',
  why: 'Old migrations from another IPAM wrote the id, a line break and an interface name. Calico and ipamctl compare ids up to the first control character; tools that do not will call the handle missing or leaked.',
  remedy:
    'Nothing at once. The id goes away with its workload; where the handle row is missing too, `ipamctl ipam repair --only missing-handle` creates it under the cut id.',
  missingFor: (state) => notLoaded(state, ['IPAMHandle']),
  *evaluate(state) {
    const found = occurrencesIn(state);
    for (const handle of [...found.keys()].sort()) {
      const { spellings, rows, addresses } = found.get(handle) as Occurrences;
      yield {
        subject: {
          kind: 'IPAMHandle',
          name: rows[0] ?? state.keys.handle(handle).name,
          handle,
          address: addresses[0],
        },
        facts: { handle, spellings: [...spellings].sort(), rows, addresses },
      };
    }
  },
  reason: ({ spellings, rows, addresses }) => {
    const places = [
      ...(addresses.length > 0
        ? [`${counted(addresses.length, 'allocation')} (${listed(addresses)})`]
        : []),
      ...(rows.length > 0 ? [counted(rows.length, 'handle row')] : []),
    ];
    return `Handle id ${listed(spellings.map(quoted))} of ${listed(places)} holds control characters and is compared up to the first one.`;
  },
  remedyFor: () =>
    'Nothing needs to be done at once: the id goes away with its workload. Do not let other tools release by this handle; they may compare the whole id.',
});

function occurrencesIn(state: ClusterState): ReadonlyMap<string, Occurrences> {
  const found = new Map<string, Occurrences>();
  const at = (id: string): Occurrences => {
    const handle = comparableHandleId(id);
    const known = found.get(handle) ?? { spellings: new Set<string>(), rows: [], addresses: [] };
    found.set(handle, known);
    known.spellings.add(id);
    return known;
  };
  for (const row of state.handles()) {
    if (row.isCut) at(row.id).rows.push(row.key.name);
  }
  for (const allocation of state.allocations()) {
    if (!allocation.isHandleCut || allocation.cooling) continue;
    const { handle } = allocation;
    // An empty id and one that begins with a control character both have no comparable part; only the latter is damaged.
    if (handle) at(handle).addresses.push(formatAddress(allocation.address));
  }
  return found;
}

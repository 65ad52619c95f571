import type { WritableDatastore } from '../../src/datastore/datastore.ts';
import type { HandleRow } from '../../src/ipam/model/handle.ts';
import {
  countByPlace,
  countedByPlace,
  rowsOf,
  type StoredAddress,
  storedAddresses,
} from './ground.ts';
import type { Holdings } from './holdings.ts';
import type { Violations } from './violations.ts';
import { judgeBlocks, judgeHoldings } from './watch.ts';

/** What a last look needs to know. */
export interface FinalLook {
  readonly datastore: WritableDatastore;
  readonly holdings: Holdings;
  readonly violations: Violations;
  /** Whether a handle or address is one of the run's. */
  readonly isOurs: (handle: string) => boolean;
  /** Handles that a kill or a lost answer may have left with too high a count. */
  readonly mayCountMore: (handle: string) => boolean;
}

/** Compares rows at rest with what is held: addresses exactly, counts of handles exactly where nothing was cut short. */
export async function lookAtRest(look: FinalLook): Promise<void> {
  const { datastore, violations, holdings } = look;
  const blocks = await rowsOf(datastore, 'IPAMBlock');
  const handles = (await rowsOf(datastore, 'IPAMHandle')).filter(({ id }) => look.isOurs(id));
  judgeBlocks(blocks, violations);
  const stored = [...storedAddresses(blocks)].filter(({ handle = '' }) => look.isOurs(handle));
  judgeHoldings(holdings.all, stored, violations);
  judgeStored(look, stored);
  for (const { id, counts } of handles)
    if (counts.length === 0) violations.add(`handle ${id} counts nothing and stands`);
  compareCounts(look, stored, handles);
}

/** What stands in the rows was told to the one who asked for it, and belongs to whom it was given. */
function judgeStored({ holdings, violations }: FinalLook, stored: readonly StoredAddress[]): void {
  for (const { address, handle = 'nobody', tag, pod } of stored) {
    const held = holdings.at(address);
    if (held?.tag !== tag)
      violations.add(`${address} is assigned to ${handle}, though the worker was told otherwise`);
    else if (held?.pod !== undefined && held.pod !== pod)
      violations.add(`${address} belongs to ${pod ?? 'nobody'} and not to ${held.pod}`);
  }
}

function compareCounts(
  { mayCountMore, violations }: FinalLook,
  stored: readonly StoredAddress[],
  handles: readonly HandleRow[],
): void {
  const held = countByPlace(stored);
  const counted = countedByPlace(handles);
  const loose = countedByPlace(handles.filter(({ id }) => mayCountMore(id)));
  for (const place of new Set([...held.keys(), ...counted.keys()])) {
    const [has, says] = [held.get(place) ?? 0, counted.get(place) ?? 0];
    if (says === has || (says > has && loose.has(place))) continue;
    violations.add(`${place} counts ${says} and holds ${has}`);
  }
}

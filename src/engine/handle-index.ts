import { AlreadyExistsError } from '../errors/already-exists-error.ts';
import { EngineError } from '../errors/engine-error.ts';
import {
  assertBelowCap,
  type CountChange,
  type HandleCap,
  lowerCount,
  raiseCount,
} from '../ipam/allocator/handle-counts.ts';
import type { HandleRow } from '../ipam/model/handle.ts';
import { type EngineContext, RETRIES } from './engine-context.ts';
import { isLostRace, outOfTries } from './lost-race.ts';
import { assertStorableHandle } from './storable-handle.ts';

/** No limit on the addresses of a handle. */
const NO_CAP: HandleCap = { limit: 0, asked: 0 };

/**
 * Counts addresses that a handle is about to get. The handle comes first and the block second: a count that is too high
 * misleads nobody, one that is too low loses an address.
 *
 * @throws {@link EngineError} `handle-cap`, `max-retries`, and what {@link assertStorableHandle} throws.
 * Source: Calico libcalico-go lib/ipam, incrementing a handle.
 */
export async function raiseHandle(
  { store }: EngineContext,
  id: string,
  change: CountChange & { readonly cap?: HandleCap | undefined },
): Promise<void> {
  assertStorableHandle(store.keys, id);
  for (let attempt = 1; attempt <= RETRIES; attempt++) {
    const row = await store.handle(id);
    const base: HandleRow = row ?? {
      kind: 'IPAMHandle',
      key: store.keys.handle(id),
      id,
      counts: [],
      deleted: false,
    };
    assertBelowCap(base, change.block, change.cap ?? NO_CAP);
    const raised = raiseCount(base, change);
    try {
      await (row ? store.writeHandle(raised) : store.createHandle(raised));
      return;
    } catch (error) {
      if (!isLostRace(error)) throw error;
    }
  }
  throw outOfTries(`counting an address for handle "${id}"`);
}

/**
 * Counts addresses that a handle has lost; a row that counts nothing any more is removed.
 *
 * @throws {@link EngineError} `not-found` when there is no such row, or it counts less than that.
 * Source: Calico libcalico-go lib/ipam, decrementing a handle.
 */
export async function lowerHandle(
  { store }: EngineContext,
  id: string,
  change: CountChange,
): Promise<void> {
  for (let attempt = 1; attempt <= RETRIES; attempt++) {
    const row = await store.handle(id);
    if (!row) throw new EngineError('not-found', `there is no handle "${id}"`);
    const lowered = lowerCount(row, change);
    try {
      await (lowered ? store.writeHandle(lowered) : store.removeIfThere(row));
      return;
    } catch (error) {
      if (!isLostRace(error) || error instanceof AlreadyExistsError) throw error;
    }
  }
  throw outOfTries(`counting down handle "${id}"`);
}

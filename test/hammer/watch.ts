import { setTimeout as sleep } from 'node:timers/promises';
import type { WritableDatastore } from '../../src/datastore/datastore.ts';
import type { BlockRow } from '../../src/ipam/model/block.ts';
import { validateBlock } from '../../src/ipam/validate-block.ts';
import { formatCidr } from '../../src/net/cidr.ts';
import {
  countByPlace,
  countedByPlace,
  rowsOf,
  type StoredAddress,
  storedAddresses,
} from './ground.ts';
import type { Holding, Holdings } from './holdings.ts';
import type { Violations } from './violations.ts';

const EVERY_MS = 1500;

/** Where to look and what to know. */
export interface Watch {
  readonly datastore: WritableDatastore;
  readonly holdings: Holdings;
  readonly violations: Violations;
}

/** Looks at the rows again and again while workers work; answers how often it did once the signal aborts. */
export async function watchRows(watch: Watch, signal: AbortSignal): Promise<number> {
  let looks = 0;
  while (!signal.aborted) {
    await lookOnce(watch);
    looks++;
    await sleep(EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
  return looks;
}

/** What was held before the look and is held after it must be in the rows, under its handle, and be counted. */
async function lookOnce({ datastore, holdings, violations }: Watch): Promise<void> {
  const before = atRest(holdings);
  const blocks = await rowsOf(datastore, 'IPAMBlock');
  const counted = countedByPlace(await rowsOf(datastore, 'IPAMHandle'));
  const after = new Set(atRest(holdings));
  const stable = before.filter((holding) => after.has(holding));
  judgeBlocks(blocks, violations);
  judgeHoldings(stable, [...storedAddresses(blocks)], violations);
  for (const [place, least] of countByPlace(stable)) {
    const count = counted.get(place) ?? 0;
    if (count < least) violations.add(`${place} counts ${count} and holds ${least} at least`);
  }
}

/** Every address that is held stands in the rows for the task that got it. */
export function judgeHoldings(
  holdings: readonly Holding[],
  stored: readonly StoredAddress[],
  violations: Violations,
): void {
  const byAddress = new Map(stored.map((one) => [one.address, one]));
  for (const { address, handle, tag } of holdings) {
    const found = byAddress.get(address);
    if (found?.tag === tag && found.handle === handle) continue;
    violations.add(`${address} of ${handle} is lost: ${found?.handle ?? 'nobody'} holds it`);
  }
}

function atRest(holdings: Holdings): readonly Holding[] {
  return holdings.all.filter(({ state }) => state === 'held' || state === 'busy');
}

/** Every block is sound, and no address is in two. */
export function judgeBlocks(blocks: readonly BlockRow[], violations: Violations): void {
  for (const block of blocks) {
    const { defects } = validateBlock(block);
    if (defects.length > 0)
      violations.add(`block ${formatCidr(block.cidr)} is damaged: ${defects.join('; ')}`);
  }
  const seen = new Map<string, string>();
  for (const { address, block } of storedAddresses(blocks)) {
    const other = seen.get(address);
    if (other !== undefined) violations.add(`${address} is assigned in ${other} and in ${block}`);
    seen.set(address, block);
  }
}

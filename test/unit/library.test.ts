import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { isReadable, type Row } from '../../src/ipam/model/row.ts';
import {
  nearlyFullPercent,
  openCluster,
  OUTSIDE_POOLS,
  UsageTracker,
  type WritableDatastore,
} from '../../src/library.ts';
import { showUtilization } from '../../src/operations/show-utilization.ts';
import { contextOf } from '../support/scripted-datastore.ts';

const EXAMPLE = fileURLToPath(new URL('../../examples/troubled-cluster.yaml.gz', import.meta.url));

type CountedKind = 'IPAMBlock' | 'IPPool' | 'IPReservation';

/** A tracker that was given what a cluster holds, as a program would that watches it. */
async function trackerOf(datastore: WritableDatastore): Promise<UsageTracker> {
  const tracker = new UsageTracker();
  for (const kind of ['IPAMBlock', 'IPPool', 'IPReservation'] as const satisfies CountedKind[])
    for await (const rows of (await datastore.list(kind)).rows)
      rows.filter(isReadable).forEach((row) => count(tracker, row));
  return tracker;
}

function count(tracker: UsageTracker, row: Row): void {
  if ('unreadable' in row) return;
  if (row.kind === 'IPAMBlock') tracker.setBlock(row);
  if (row.kind === 'IPPool') tracker.setPool(row);
  if (row.kind === 'IPReservation') tracker.setReservation(row);
}

function nameOfFirst(pools: readonly { readonly name: string }[]): string {
  const [pool] = pools;
  if (pool === undefined) throw new Error('there is no pool');
  return pool.name;
}

function inUseOf(tracker: UsageTracker, pool: string): number {
  return tracker.summarize(pool)?.inUse ?? Number.NaN;
}

describe('library: usage of pools', () => {
  it('is what ipam show says, and stays so while rows change', async () => {
    const datastore = await openCluster({ snapshot: EXAMPLE });
    try {
      const tracker = await trackerOf(datastore);
      const { document } = await showUtilization(contextOf(datastore), {});
      expect(document.pools).to.not.be.empty;
      for (const { name, inUse, cooling, reserved, borrowed } of document.pools)
        expect(tracker.summarize(name), name).to.deep.include({
          inUse,
          cooling,
          reserved,
          borrowed,
        });
      const pool = nameOfFirst(document.pools);
      const [block] = tracker.blocks(pool);
      if (block === undefined) throw new Error('the pool has no blocks');
      const before = inUseOf(tracker, pool);
      tracker.removeBlock(block.cidr);
      expect(inUseOf(tracker, pool)).to.equal(before - block.inUse);
      expect(tracker.summarize(OUTSIDE_POOLS)).to.include({ inUse: document.outsidePools.inUse });
    } finally {
      await datastore.close();
    }
  });

  it('says of a pool whether it is nearly full', async () => {
    const counts = { total: 256n, inUse: 205, reserved: 0n, inUseReserved: 0 };
    expect(nearlyFullPercent(counts)).to.equal(80);
    expect(nearlyFullPercent({ ...counts, inUse: 204 })).to.equal(undefined);
  });
});

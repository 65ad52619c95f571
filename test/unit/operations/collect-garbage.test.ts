import { expect } from 'chai';
import { readMemory } from '../../../src/operations/gc/collector-memory.ts';
import { stringifyJson } from '../../../src/support/json.ts';
import {
  aBlock,
  anAffinity,
  aNode,
  aPod,
  coolingSlot,
  podSlot,
  tunnelSlot,
  withRows,
} from '../../support/builders.ts';
import { GC_GRACE_MS, GcWorld } from '../../support/gc-world.ts';
import { aClusterInformation, aConfig } from '../../support/settings-builders.ts';
import { failureOf } from '../../support/temp-folder.ts';

const NODE = aNode('node-a');

const GONE = withRows(aBlock('10.0.0.0/28', { 1: podSlot('shop/gone', 'node-a') }));

describe('operations/collect-garbage', () => {
  it('G-1: releases a leak at the first look more than the grace period later, and keeps the block', async () => {
    const world = new GcWorld([NODE, ...GONE]);
    expect((await world.at(0)).applied).to.deep.equal([]);
    expect((await world.at(15)).applied).to.deep.equal([]);
    expect((await world.at(16)).applied).to.deep.equal(['release-address 10.0.0.1']);
    expect(world.datastore.all('IPAMHandle')).to.deep.equal([]);
    expect(world.datastore.all('IPAMBlock')).to.have.length(1);
    expect((await world.at(60)).applied).to.deep.equal([]);
  });

  it('says since when it waits', async () => {
    const world = new GcWorld([NODE, ...GONE]);
    const { round, outcome } = await world.at(0);
    expect(round.isWaiting).to.equal(true);
    expect(outcome.document.items[0]?.reason).to.contain('2026-11-29T12:15:00Z');
  });

  it('G-2: releases nothing of a live node without a grace period', async () => {
    const world = new GcWorld([NODE, ...GONE], { leakGraceMs: 0 });
    await world.at(0);
    const { round, applied } = await world.at(600);
    expect(applied).to.deep.equal([]);
    expect(round.isWaiting).to.equal(false);
  });

  it('G-3, G-12: cleans up an absent node in one round', async () => {
    const slots = { 1: podSlot('shop/gone', 'node-a'), 2: tunnelSlot('node-a') };
    const world = new GcWorld(withRows(aBlock('10.0.0.0/28', slots)));
    expect((await world.at(0)).applied).to.deep.equal([
      'release-address 10.0.0.1',
      'release-address 10.0.0.2',
      'delete-block 10-0-0-0-28',
    ]);
    for (const kind of ['IPAMBlock', 'IPAMHandle', 'BlockAffinity'] as const)
      expect(world.datastore.all(kind), kind).to.deep.equal([]);
  });

  it('waits with the blocks of an absent node until its addresses have cooled', async () => {
    const world = new GcWorld([...GONE, aConfig({ ipCooldownSeconds: 600 })]);
    expect((await world.at(0)).applied).to.deep.equal(['release-address 10.0.0.1']);
    expect((await world.at(5)).applied).to.deep.equal([]);
    expect((await world.at(11)).applied).to.deep.equal([
      'collect-cooled 10-0-0-0-28',
      'delete-block 10-0-0-0-28',
    ]);
  });

  it('removes rows of an absent node that name no block', async () => {
    const world = new GcWorld([NODE, anAffinity('node-x', '10.0.7.0/28')]);
    expect((await world.at(0)).applied).to.deep.equal(['delete-affinity node-x-10-0-7-0-28']);
  });

  it('keeps the block of a node that comes back in between', async () => {
    const world = new GcWorld(
      withRows(aBlock('10.0.0.0/28')),
      {},
      {
        onRequest: ({ verb, kind, nth }, self) => {
          if (verb === 'get' && kind === 'Node' && nth === 1) self.put(NODE);
        },
      },
    );
    const { applied, outcome } = await world.at(0);
    expect(applied).to.deep.equal([]);
    expect([outcome.verdict, world.datastore.writes]).to.deep.equal(['ok', []]);
  });

  it('G-8: takes a handle whole or not at all', async () => {
    const slot = podSlot('shop/cart-0', 'node-a');
    const four = aBlock('10.0.0.0/28', { 1: slot });
    const other = aBlock('10.0.1.0/28', { 1: slot });
    const pod = aPod('shop/cart-0', 'node-a', '10.0.0.1');
    const world = new GcWorld([NODE, ...withRows(four), ...withRows(other), pod]);
    await world.at(0);
    expect((await world.at(20)).applied).to.deep.equal([]);
    world.datastore.put({ ...pod, finished: true });
    await world.at(21);
    expect((await world.at(40)).applied).to.deep.equal([
      'release-address 10.0.0.1',
      'release-address 10.0.1.1',
    ]);
    expect(world.datastore.all('IPAMHandle')).to.deep.equal([]);
  });

  it('leaves alone what is given out again between the look that confirms and the last one', async () => {
    const world = new GcWorld(
      [NODE, ...GONE],
      {},
      {
        onRequest: ({ verb, kind, nth }, self) => {
          // Two rounds: the third list is the last look of the second one.
          if (verb === 'list' && kind === 'IPAMBlock' && nth === 3)
            self.put(aPod('shop/gone', 'node-a', '10.0.0.1'));
        },
      },
    );
    await world.at(0);
    const { applied, outcome } = await world.at(16);
    expect(applied).to.deep.equal([]);
    expect([outcome.verdict, world.datastore.writes]).to.deep.equal(['ok', []]);
  });

  it('leaves young allocations alone, however short the grace period is', async () => {
    const owner = {
      namespace: 'shop',
      pod: 'gone',
      node: 'node-a',
      timestamp: '2026-11-29 11:59:00 +0000 UTC',
    };
    const rows = withRows(aBlock('10.0.0.0/28', { 1: podSlot('shop/gone', 'node-a', { owner }) }));
    const world = new GcWorld([NODE, ...rows], { leakGraceMs: 1000 });
    await world.at(0);
    expect((await world.at(1)).applied).to.deep.equal([]);
    expect((await world.at(5)).applied).to.deep.equal(['release-address 10.0.0.1']);
  });

  it('G-13: releases empty blocks after the grace period, and never the last one', async () => {
    const blocks = [0, 1, 2, 3, 4].flatMap((i) => withRows(aBlock(`10.0.${i}.0/28`)));
    const world = new GcWorld([NODE, ...blocks]);
    expect((await world.at(0)).applied).to.deep.equal([]);
    expect((await world.at(16)).applied).to.have.length(4);
    expect(world.datastore.all('IPAMBlock')).to.have.length(1);
    expect(world.datastore.all('BlockAffinity')).to.have.length(1);
    await world.at(32);
    expect((await world.at(60)).applied).to.deep.equal([]);
  });

  it('G-14: releases the empty one of two blocks, unless it was used in between', async () => {
    const full = aBlock('10.0.0.0/28', { 1: podSlot('shop/cart-0', 'node-a') });
    const pod = aPod('shop/cart-0', 'node-a', '10.0.0.1');
    const empty = aBlock('10.0.1.0/28');
    const world = new GcWorld([NODE, ...withRows(full), pod, ...withRows(empty)]);
    await world.at(0);
    world.datastore.put({ ...empty, sequenceNumber: empty.sequenceNumber + 2n });
    expect((await world.at(16)).applied).to.deep.equal([]);
    expect((await world.at(32)).applied).to.deep.equal(['delete-block 10-0-1-0-28']);
  });

  it('G-18: goes on with other blocks when one is written under it', async () => {
    const rows = [0, 1].flatMap((i) => withRows(aBlock(`10.0.${i}.0/28`, { 1: coolingSlot() })));
    const world = new GcWorld(
      [NODE, ...rows],
      {},
      {
        onRequest: ({ verb, kind, nth }, self) => {
          if (verb !== 'update' || kind !== 'IPAMBlock' || nth !== 1) return;
          self.put(aBlock('10.0.0.0/28', { 5: podSlot('shop/cart-0', 'node-a') }));
        },
      },
    );
    const { outcome, applied } = await world.at(0);
    expect(applied).to.deep.equal(['collect-cooled 10-0-1-0-28']);
    expect(outcome.verdict).to.equal('ok');
  });

  it('G-21: does nothing on a locked datastore, and says so', async () => {
    const locked = aClusterInformation({ datastoreReady: false });
    const world = new GcWorld([NODE, ...GONE, locked]);
    const { round, outcome } = await world.at(0);
    expect(round.isLocked).to.equal(true);
    expect(outcome.verdict).to.equal('ok');
    expect(outcome.document.notes.join()).to.contain('locked');
    expect(world.collector.metrics).to.deep.equal([]);
    expect(world.datastore.writes).to.deep.equal([]);
  });

  it('does not call anything leaked for want of evidence', async () => {
    const world = new GcWorld([NODE, ...GONE], {}, { without: ['Pod'] });
    await world.at(0);
    const { outcome, applied } = await world.at(16);
    expect(applied).to.deep.equal([]);
    expect(outcome.verdict).to.equal('partial');
    expect(outcome.document.notes.join()).to.contain('Pod');
  });

  it('counts a wait that the clock does not show', async () => {
    const world = new GcWorld([NODE, ...GONE]);
    await world.collector.round();
    const { mutation } = await world.collector.round(GC_GRACE_MS + 1);
    expect(mutation.plan.document.items).to.have.length(1);
  });

  it('counts what it has released, until its node is gone with all that it had', async () => {
    const world = new GcWorld(GONE);
    const counted = () => world.collector.metrics.find(({ type }) => type === 'counter')?.samples;
    await world.at(0);
    expect(counted()).to.deep.equal([{ labels: { ippool: 'main', node: 'node-a' }, value: 1 }]);
    await world.at(1);
    expect(counted()).to.deep.equal([]);
  });

  it('remembers what it has seen from run to run', async () => {
    const world = new GcWorld([NODE, ...GONE]);
    await world.at(0);
    const memory = readMemory(stringifyJson(world.collector.document), 'gc.json');
    const next = world.another({ memory, memoryName: 'state file gc.json' });
    expect((await world.at(16, next)).applied).to.deep.equal(['release-address 10.0.0.1']);
    const again = readMemory(stringifyJson(next.document), 'gc.json');
    expect([...again.reclamations.values()]).to.deep.equal([
      { pool: 'main', node: 'node-a', count: 1 },
    ]);
  });

  it('refuses what was remembered of another cluster', async () => {
    const world = new GcWorld([NODE, ...GONE]);
    await world.at(0);
    const memory = readMemory(stringifyJson(world.collector.document), 'gc.json');
    world.datastore.put(aClusterInformation({ clusterGUID: 'other' }));
    const next = world.another({ memory, memoryName: 'state file gc.json' });
    expect(await failureOf(world.at(16, next))).to.include({ status: 6 });
    // A cluster that was rebuilt behind its address is another one, too.
    expect(await failureOf(world.at(16))).to.include({ status: 6 });
  });

  it('keeps no state of a cluster that does not say which it is', async () => {
    const nameless = aClusterInformation({ clusterGUID: undefined });
    const world = new GcWorld([NODE, nameless], { memoryName: 'state file gc.json' });
    expect(await failureOf(world.at(0))).to.include({ status: 6 });
  });
});

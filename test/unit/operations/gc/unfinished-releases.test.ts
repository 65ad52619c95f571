import { expect } from 'chai';
import { aBlock, anAffinity, aNode, aPod, podSlot } from '../../../support/builders.ts';
import { GcWorld } from '../../../support/gc-world.ts';

const NODE = aNode('node-a');
const LEAVING = anAffinity('node-a', '10.0.7.0/28', { state: 'pendingDeletion' });

describe('operations/gc/unfinished-releases', () => {
  it('finishes the release of a block of a live node that was cut short, and leaves other rows alone', async () => {
    const others = [
      anAffinity('node-a', '10.0.8.0/28'),
      anAffinity('node-a', '10.0.9.0/28', { state: 'pending' }),
      aBlock('10.0.10.0/28', { 1: podSlot('shop/live', 'node-a') }, { affinity: 'host:node-b' }),
      anAffinity('node-a', '10.0.10.0/28', { state: 'pendingDeletion' }),
      anAffinity('node-a', '10.0.11.0/28', { state: 'pendingDeletion', type: 'virtual' }),
    ];
    const world = new GcWorld([NODE, LEAVING, ...others]);
    expect((await world.at(0)).applied).to.deep.equal(['delete-affinity node-a-10-0-7-0-28']);
    expect(world.datastore.writes).to.deep.equal(['remove BlockAffinity node-a-10-0-7-0-28']);
  });

  it('leaves the row of a release that was cut short to a live workload in its range', async () => {
    const pod = aPod('shop/cart-0', 'node-a', '10.0.7.1');
    const world = new GcWorld([NODE, LEAVING, pod]);
    expect((await world.at(0)).applied).to.deep.equal([]);
  });

  it('leaves the row of a release that was cut short when its host claims the block again', async () => {
    const world = new GcWorld(
      [NODE, LEAVING],
      {},
      {
        onRequest: ({ verb, kind, nth }, self) => {
          if (verb === 'list' && kind === 'Pod' && nth === 2)
            self.put({ ...LEAVING, state: 'pending' });
        },
      },
    );
    const { applied, outcome } = await world.at(0);
    expect(applied).to.deep.equal([]);
    expect(outcome.document.items.map(({ reason }) => reason)).to.deep.equal([
      'its host has claimed the block again',
    ]);
    expect(world.datastore.all('BlockAffinity')[0]).to.include({ state: 'pending' });
  });
});

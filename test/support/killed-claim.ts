import { expect } from 'chai';
import { net } from './builders.ts';
import { endOf, EngineWorld } from './engine-world.ts';

/** The block of {@link afterKilledClaim}. */
export const CLAIMED_BLOCK = '10.0.0.0/26';

/** Old enough for every row of a test. */
const LATER_MS = 3_600_000;

/** A block that its owner h1 gave up while it held an address of handle `held`, and which h2 was killed at claiming. */
export async function afterKilledClaim(): Promise<EngineWorld> {
  const world = new EngineWorld();
  world.pool('p', CLAIMED_BLOCK);
  world.node('h1', 'h2');
  for (const kind of ['Pod', 'Service', 'ClusterInformation'] as const)
    world.datastore.declare(kind);
  await world.assign('h1', 1, { handle: 'held' });
  await world.engine.releaseAffinity('h1', net(CLAIMED_BLOCK), false);
  const killed = world.engineWith(({ verb, row }) => {
    if (verb === 'remove' && row.kind === 'BlockAffinity') throw new Error('killed');
  });
  const claim = async (): Promise<void> => {
    const { error } = await killed.claimAffinity({ type: 'host', host: 'h2' }, net(CLAIMED_BLOCK));
    if (error !== undefined) throw error as Error;
  };
  expect(await endOf(claim())).to.equal('killed');
  world.now += LATER_MS;
  return world;
}

import { expect } from 'chai';
import { Holdings } from '../../hammer/holdings.ts';
import { clearGround, repairLeftovers, type Settlement } from '../../hammer/settle.ts';
import { Violations } from '../../hammer/violations.ts';
import { aBlock, aPool } from '../../support/builders.ts';
import type { EngineWorld } from '../../support/engine-world.ts';
import { afterKilledClaim, CLAIMED_BLOCK } from '../../support/killed-claim.ts';

const ROW = 'h2-10-0-0-0-26';

/** The end of a run in a world where one address is held. */
function endOfRun(world: EngineWorld) {
  const violations = new Violations(() => undefined);
  const holdings = new Holdings(violations, () => undefined);
  const [host, pod] = ['h1', undefined];
  holdings.assigned({
    ...{ address: '10.0.0.0', block: CLAIMED_BLOCK, handle: 'held', host, tag: 'held', pod },
  });
  const ground = {
    ...{ kubeconfig: '', hosts: ['h1', 'h2'], isOwn: true, cooldownSeconds: 0 },
    pools: [aPool('p', CLAIMED_BLOCK)],
  };
  const { datastore } = world;
  const settlement: Settlement = { datastore, ground, violations, isOurs: () => true };
  return { settlement, holdings, violations };
}

describe('hammer, the last look', () => {
  it('lets the row of a claim that was cut short wait for the addresses of its block, and then sees it go', async () => {
    const world = await afterKilledClaim();
    const { settlement, holdings, violations } = endOfRun(world);
    const waiting = await repairLeftovers(settlement);
    expect([...waiting]).to.deep.equal([ROW]);
    await clearGround(settlement, holdings, waiting);
    expect(violations.list).to.deep.equal([]);
    expect(await world.affinity('h2', CLAIMED_BLOCK)).to.equal(undefined);
  });

  it('tells of a row that is left without having had to wait', async () => {
    const world = await afterKilledClaim();
    const { settlement, holdings, violations } = endOfRun(world);
    await clearGround(settlement, holdings, new Set());
    expect(violations.list).to.deep.equal([
      `BlockAffinity ${ROW} is left after everything was released`,
    ]);
  });

  it('lets nothing else wait', async () => {
    const world = await afterKilledClaim();
    await world.datastore.create(aBlock('10.9.0.0/26', {}, { affinity: 'host:h1' }));
    const { settlement, violations } = endOfRun(world);
    expect([...(await repairLeftovers(settlement))]).to.deep.equal([ROW]);
    expect(violations.list).to.have.length(1);
    expect(violations.list[0]).to.contain('check finds block-outside-pools after the repair');
  });
});

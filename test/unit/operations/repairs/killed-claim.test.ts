import { expect } from 'chai';
import type { Finding } from '../../../../src/check/finding.ts';
import { planRepair } from '../../../../src/operations/repair-findings.ts';
import { runCheck } from '../../../../src/operations/run-check.ts';
import type { EngineWorld } from '../../../support/engine-world.ts';
import { afterKilledClaim, CLAIMED_BLOCK } from '../../../support/killed-claim.ts';
import { contextOf } from '../../../support/scripted-datastore.ts';
import { CHECK_OPTIONS } from '../../../support/writing-runs.ts';

async function findingsOf(world: EngineWorld): Promise<readonly Finding[]> {
  const context = contextAt(world);
  const options = { ...CHECK_OPTIONS, skip: ['leaked-address'] };
  return (await runCheck(context, options)).document.findings;
}

async function repair(world: EngineWorld, only: readonly string[]) {
  const options = { only, reports: [], minAgeMs: 300_000, isMismatchAllowed: true };
  return (await planRepair(contextAt(world), options)).apply();
}

function contextAt(world: EngineWorld) {
  const clock = { now: () => world.now, sleep: () => Promise.resolve() };
  return contextOf(world.datastore, { clock });
}

describe('a claim that was killed at a block without owner', () => {
  it('leaves a row that the repair keeps while the block holds an address', async () => {
    const world = await afterKilledClaim();
    expect((await world.affinity('h2', CLAIMED_BLOCK))?.state).to.equal('pending');
    const codes = (await findingsOf(world)).map(({ code }) => code);
    expect(codes).to.deep.equal(['conflicting-affinity', 'stuck-affinity']);
    const { document, verdict } = await repair(world, ['conflicting-affinity']);
    expect(verdict).to.equal('refused');
    expect(document.items.map(({ result }) => result)).to.deep.equal(['skipped']);
    expect((await world.affinity('h2', CLAIMED_BLOCK))?.state).to.equal('pending');
  });

  it('leaves a row that goes as its finding says, once the block has gone with its last address', async () => {
    const world = await afterKilledClaim();
    const [conflict] = await findingsOf(world);
    const said = /--only (?<code>[a-z-]+)/.exec(conflict?.remedy ?? '')?.groups?.['code'];
    await world.engine.releaseByHandle('held');
    expect(await world.block(CLAIMED_BLOCK)).to.equal(undefined);
    // As Calico does, the release takes no row along.
    expect((await world.affinity('h2', CLAIMED_BLOCK))?.state).to.equal('pending');
    expect((await findingsOf(world)).map(({ code }) => code)).to.deep.equal([said]);
    const { verdict } = await repair(world, [said ?? '']);
    expect(verdict).to.equal('ok');
    expect(await findingsOf(world)).to.deep.equal([]);
    expect(await world.affinity('h2', CLAIMED_BLOCK)).to.equal(undefined);
  });

  it('leaves a row that its host removes at its next assignment, or goes on with once the block is gone', async () => {
    const world = await afterKilledClaim();
    expect((await world.assign('h2', 1, { handle: 'own' })).ips).to.deep.equal(['10.0.0.1/26']);
    expect(await world.affinity('h2', CLAIMED_BLOCK), 'after borrowing').to.equal(undefined);
    const other = await afterKilledClaim();
    await other.engine.releaseByHandle('held');
    expect((await other.assign('h2', 1, { handle: 'own' })).ips).to.deep.equal(['10.0.0.0/26']);
    expect((await other.affinity('h2', CLAIMED_BLOCK))?.state).to.equal('confirmed');
    expect(await findingsOf(other)).to.deep.equal([]);
  });
});

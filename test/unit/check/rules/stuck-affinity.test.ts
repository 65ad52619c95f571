import { expect } from 'chai';
import { stuckAffinity } from '../../../../src/check/rules/stuck-affinity.ts';
import { NOW, aBlock, anAffinity, clusterOf, podSlot } from '../../../support/builders.ts';
import { judge, restsOn } from '../../../support/judge.ts';

const CIDR = '10.0.0.0/28';
const HELD = aBlock(CIDR, { 5: podSlot('shop/a', 'node-a') });

describe('check/rules/stuck-affinity', () => {
  it('is quiet for confirmed rows, rows without block, fresh rows and rows without a time', () => {
    const quiet = [
      [HELD, anAffinity('node-a', CIDR)],
      [HELD, anAffinity('node-a', CIDR, { state: '' })],
      [anAffinity('node-a', CIDR, { state: 'pending' })],
      [HELD, anAffinity('node-a', CIDR, { state: 'pending', createdAt: NOW - 299_999 })],
      [HELD, anAffinity('node-a', CIDR, { state: 'pendingDeletion', createdAt: undefined })],
    ];
    for (const rows of quiet) expect(judge(stuckAffinity, clusterOf(rows))).to.be.empty;
  });

  it('fires for a claim that was never confirmed', () => {
    const state = clusterOf([
      HELD,
      anAffinity('node-a', CIDR, { state: 'pending', createdAt: NOW - 300_000 }),
    ]);
    const [finding] = judge(stuckAffinity, state);
    expect(finding?.subject).to.deep.equal({
      kind: 'BlockAffinity',
      name: 'node-a-10-0-0-0-28',
      cidr: CIDR,
      node: 'node-a',
    });
    expect(finding?.reason).to.contain('made at 2026-11-29T11:55:00Z and is still pending');
    expect(finding?.remedy).to.match(
      /^Confirm the row with `ipamctl ipam repair --only stuck-affinity`/,
    );
    expect(restsOn(stuckAffinity, state)).to.deep.equal([
      'IPAMBlock 10-0-0-0-28',
      'BlockAffinity node-a-10-0-0-0-28',
    ]);
  });

  it('has a release finished when the block is empty, and the row confirmed when it is not', () => {
    const row = anAffinity('node-a', CIDR, { state: 'pendingDeletion' });
    expect(judge(stuckAffinity, clusterOf([aBlock(CIDR), row]))[0]?.remedy).to.match(
      /^Finish the release of the empty block/,
    );
    expect(judge(stuckAffinity, clusterOf([HELD, row]))[0]?.remedy).to.match(/^Confirm the row/);
  });

  it('sends the row of another owner to the rule about conflicts', () => {
    const [finding] = judge(
      stuckAffinity,
      clusterOf([HELD, anAffinity('node-b', CIDR, { state: 'pending' })]),
    );
    expect(finding?.facts['ownsBlock']).to.equal(false);
    expect(finding?.remedy).to.contain('`ipamctl ipam repair --only conflicting-affinity`');
  });
});

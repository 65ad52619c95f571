import { expect } from 'chai';
import { type ScanContext, scanCluster } from '../../../../src/ipam/collector/collector-scan.ts';
import {
  NO_OBSERVATIONS,
  type Observations,
  observe,
} from '../../../../src/ipam/collector/observations.ts';
import type { Row } from '../../../../src/ipam/model/row.ts';
import type { Revision } from '../../../../src/ipam/model/resource.ts';
import { aBlock, aNode, clusterOf, NOW, podSlot } from '../../../support/builders.ts';

const GRACE = 900_000;

/** A look so many milliseconds after the first. */
function look(rows: readonly Row[], afterMs: number, before: Observations, leakGraceMs = GRACE) {
  const context: ScanContext = {
    now: NOW + afterMs,
    leakGraceMs,
    minAgeMs: 300_000,
    cooldownSeconds: 0,
  };
  return observe(before, scanCluster(clusterOf(rows), context), context);
}

const NODE = aNode('node-a');
const leaked = (number = 7n) =>
  aBlock(
    '10.0.0.0/28',
    { 1: podSlot('shop/gone', 'node-a') },
    { sequenceNumbers: new Map([[1, number]]) },
  );

describe('ipam/collector/observations', () => {
  it('confirms a leak that was seen for longer than the grace period, and not before', () => {
    const rows = [NODE, leaked()];
    const first = look(rows, 0, NO_OBSERVATIONS);
    expect(first.confirmedLeaks.size).to.equal(0);
    const second = look(rows, GRACE, first.observations);
    expect(second.confirmedLeaks.size).to.equal(0);
    expect(look(rows, GRACE + 1, second.observations).confirmedLeaks.size).to.equal(1);
  });

  it('G-2: never confirms one without a grace period', () => {
    const rows = [NODE, leaked()];
    const { observations } = look(rows, 0, NO_OBSERVATIONS, 0);
    expect(look(rows, 100 * GRACE, observations, 0).confirmedLeaks.size).to.equal(0);
  });

  it('confirms one of an absent node at once', () => {
    expect(look([leaked()], 0, NO_OBSERVATIONS, 0).confirmedLeaks.size).to.equal(1);
  });

  it('G-16: begins anew when the same address is given out again', () => {
    const { observations } = look([NODE, leaked(7n)], 0, NO_OBSERVATIONS);
    const again = look([NODE, leaked(8n)], GRACE + 1, observations);
    expect(again.confirmedLeaks.size).to.equal(0);
    expect([...again.observations.leaks.values()].map(({ since }) => since)).to.deep.equal([
      NOW + GRACE + 1,
    ]);
  });

  it('forgets what is no longer leaked', () => {
    const { observations } = look([NODE, leaked()], 0, NO_OBSERVATIONS);
    const sound = look([NODE], 1000, observations);
    expect(sound.observations.leaks.size).to.equal(0);
  });

  it('begins anew after a clock that was ahead', () => {
    const { observations } = look([NODE, leaked()], 10 * GRACE, NO_OBSERVATIONS);
    const back = look([NODE, leaked()], 0, observations);
    expect([...back.observations.leaks.values()][0]?.since).to.equal(NOW);
  });

  it('confirms an empty block whose row nobody has written for the grace period', () => {
    const blocks = (revision: string) => [
      NODE,
      aBlock('10.0.0.0/28', {}, { revision: revision as Revision }),
      aBlock('10.0.1.0/28', {}, { revision: '9' as Revision }),
    ];
    const first = look(blocks('1'), 0, NO_OBSERVATIONS);
    expect(first.confirmedEmpty.size).to.equal(0);
    const written = look(blocks('2'), GRACE + 1, first.observations);
    expect([...written.confirmedEmpty]).to.deep.equal(['10.0.1.0/28 9 node-a']);
  });
});

import { expect } from 'chai';
import type { PlanItem } from '../../../../src/ipam/plan.ts';
import { changeLines } from '../../../../src/render/views/changes.ts';
import { plainSurface } from '../../../support/surface.ts';

describe('render/views/changes', () => {
  it('names a pool with its range, in a table and in a list', async () => {
    const item: PlanItem = {
      action: 'create-pool',
      subject: { kind: 'IPPool', name: 'split-main-0', cidr: '10.0.0.0/26' },
      precondition: '',
      reason: 'part 1 of 4',
    };
    expect(changeLines([item], await plainSurface(120)).join('\n'))
      .to.contain('| IPPool split-main-0 (10.0.0.0/26) | part 1 of 4 |')
      .and.to.not.contain('BLOCK');
    expect(changeLines([item], await plainSurface(30)).join(' ')).to.contain('(10.0.0.0/26)');
  });

  it('never hides a reason: what finds no room for its table is a list', async () => {
    const item: PlanItem = {
      action: 'create-object',
      subject: { kind: 'Tier', name: 'a' },
      precondition: '',
      reason: 'the target does not have it, which is long',
    };
    const wide = changeLines([item], await plainSurface(120));
    expect(wide.join('\n')).to.contain('| REASON').and.contain('which is long');
    expect(changeLines([item], await plainSurface(40))).to.deep.equal([
      '  - create-object Tier a: the target',
      '    does not have it, which is long',
    ]);
  });
});

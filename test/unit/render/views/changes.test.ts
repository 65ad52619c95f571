import { expect } from 'chai';
import type { PlanItem } from '../../../../src/ipam/plan.ts';
import { changeLines, changeTable } from '../../../../src/render/views/changes.ts';
import { plainSurface } from '../../../support/surface.ts';

function made(kind: 'IPAMHandle' | 'Tier', name: string): PlanItem {
  return {
    action: 'create-object',
    subject: { kind, name },
    precondition: '',
    reason: 'the target does not have it',
  };
}

describe('render/views/changes', () => {
  it('shows the first of very many new objects of a kind, and how many more there are', () => {
    const handles = Array.from({ length: 100_000 }, (_, at) => made('IPAMHandle', `h-${at}`));
    const { rows } = changeTable([made('Tier', 'a'), ...handles, made('Tier', 'b')]);
    const subjects = [...rows].map((row) => row[1]);
    expect(subjects).to.have.length(13);
    expect(subjects.slice(0, 2)).to.deep.equal(['Tier a', 'handle h-0']);
    expect(subjects.slice(-2)).to.deep.equal(['99,990 more of IPAMHandle', 'Tier b']);
  });

  it('lists all of a few, and whatever is no new object', () => {
    const released = Array.from({ length: 80 }, (_, at): PlanItem => ({
      action: 'release-address',
      subject: { kind: 'Address', name: `10.0.0.${at}`, address: `10.0.0.${at}` },
      precondition: '',
      reason: 'leaked',
    }));
    const few = Array.from({ length: 50 }, (_, at) => made('IPAMHandle', `h-${at}`));
    expect([...changeTable([...released, ...few]).rows]).to.have.length(130);
  });

  it('never hides a reason: what finds no room for its table is a list', async () => {
    const item = { ...made('Tier', 'a'), reason: 'the target does not have it, which is long' };
    const wide = changeLines([item], await plainSurface(120));
    expect(wide.join('\n')).to.contain('| REASON').and.contain('which is long');
    expect(changeLines([item], await plainSurface(40))).to.deep.equal([
      '  - create-object Tier a: the target',
      '    does not have it, which is long',
    ]);
  });
});

import { expect } from 'chai';
import { EngineError } from '../../../../src/errors/engine-error.ts';
import {
  assertConsistent,
  changeOwners,
  type OwnerPreconditions,
  type OwnerUpdates,
} from '../../../../src/ipam/allocator/owner-attributes.ts';
import type { BlockAttribute } from '../../../../src/ipam/model/block.ts';
import { aBlock, coolingSlot, ip } from '../../../support/builders.ts';

const SOURCE = { namespace: 'n', pod: 'source' };
const TARGET = { namespace: 'n', pod: 'target' };

const slot = (
  owner: Readonly<Record<string, string>>,
  alternateOwner?: Readonly<Record<string, string>>,
): BlockAttribute => ({
  ...{ handle: 'vm', owner, alternateOwner },
});

/** The record after a change of the first address, or the category of the refusal. */
function change(
  record: BlockAttribute,
  updates: OwnerUpdates,
  preconditions?: OwnerPreconditions,
  handle = 'vm',
): BlockAttribute | string | undefined {
  const block = aBlock('10.0.0.0/30', { 0: record, 1: slot(TARGET) });
  try {
    const changed = changeOwners(block, {
      address: ip('10.0.0.0'),
      handle,
      updates,
      preconditions,
    });
    expect(changed.attributes[1]).to.equal(block.attributes[1]);
    return changed.attributes[0];
  } catch (error) {
    if (error instanceof EngineError) return error.category;
    throw error;
  }
}

describe('ipam/allocator/owner-attributes', () => {
  it('O-1 does not clear an owner that is another', () => {
    const active = { namespace: 'n', name: 'other' };
    expect(change(slot(SOURCE), { clearActive: true }, { active })).to.equal('owner-precondition');
    expect(
      change(slot(SOURCE), { clearActive: true }, { active: { namespace: 'n', name: 'source' } }),
    ).to.deep.equal(slot({}));
  });

  it('O-2 sets an owner where there must be none', () => {
    expect(change(slot(SOURCE), { active: TARGET }, { activeEmpty: true })).to.equal(
      'owner-precondition',
    );
    expect(change(slot({}), { active: TARGET }, { activeEmpty: true })).to.deep.equal(slot(TARGET));
  });

  it('O-3 swaps both sides or neither', () => {
    const swap = { active: TARGET, alternate: SOURCE };
    const wrong = {
      active: { namespace: 'n', name: 'source' },
      alternate: { namespace: 'n', name: 'third' },
    };
    expect(change(slot(SOURCE, TARGET), swap, wrong)).to.equal('owner-precondition');
    const right = { ...wrong, alternate: { namespace: 'n', name: 'target' } };
    expect(change(slot(SOURCE, TARGET), swap, right)).to.deep.equal(slot(TARGET, SOURCE));
  });

  it('O-4 changes nothing with empty updates, and looks at no precondition of a side that stays', () => {
    expect(change(slot(SOURCE), {}, { activeEmpty: true })).to.deep.equal(slot(SOURCE));
  });

  it('O-5 refuses another handle, an address without one, and one that cools', () => {
    expect(change(slot(SOURCE), {}, undefined, 'other')).to.equal('wrong-handle');
    expect(change({ owner: SOURCE }, {}, undefined, '')).to.equal('wrong-handle');
    expect(change(coolingSlot(), {})).to.equal('wrong-handle');
  });

  it('refuses an address that is free', () => {
    const act = (): unknown =>
      changeOwners(aBlock('10.0.0.0/30'), { address: ip('10.0.0.0'), handle: 'vm', updates: {} });
    expect(act).to.throw(EngineError).with.property('category', 'not-found');
  });

  it('takes an owner with blank names for nobody', () => {
    const nobody = { namespace: '', name: '' };
    expect(change(slot({}), { active: TARGET }, { active: nobody })).to.deep.equal(slot(TARGET));
    expect(change(slot(SOURCE), { active: TARGET }, { active: nobody })).to.equal(
      'owner-precondition',
    );
  });

  it('clears a side with an empty map', () => {
    expect(change(slot(SOURCE, TARGET), { alternate: {} })).to.deep.equal(slot(SOURCE));
    expect(change(slot(SOURCE, TARGET), { active: {}, clearAlternate: true })).to.deep.equal(
      slot({}),
    );
  });

  it('checks the alternate owner, too', () => {
    expect(
      change(slot(SOURCE, TARGET), { clearAlternate: true }, { alternateEmpty: true }),
    ).to.equal('owner-precondition');
    expect(change(slot(SOURCE), { alternate: TARGET }, { alternateEmpty: true })).to.deep.equal(
      slot(SOURCE, TARGET),
    );
  });

  it('changes the record, and so every address that shares it', () => {
    const shared = aBlock(
      '10.0.0.0/30',
      { 0: slot(SOURCE) },
      { allocations: [0, 0, null, null], unallocated: [2, 3] },
    );
    const changed = changeOwners(shared, {
      address: ip('10.0.0.1'),
      handle: 'vm',
      updates: { active: TARGET },
    });
    expect(changed.attributes).to.deep.equal([slot(TARGET)]);
  });

  it('refuses changes and expectations that contradict each other', () => {
    const contradictions: readonly (readonly [OwnerUpdates, OwnerPreconditions])[] = [
      [{ active: SOURCE, clearActive: true }, {}],
      [{ alternate: SOURCE, clearAlternate: true }, {}],
      [{}, { active: { namespace: 'n', name: 'p' }, activeEmpty: true }],
      [{}, { alternate: { namespace: 'n', name: 'p' }, alternateEmpty: true }],
    ];
    for (const [updates, preconditions] of contradictions) {
      const act = (): void => assertConsistent(updates, preconditions);
      expect(act).to.throw(EngineError).with.property('category', 'contradictory-arguments');
    }
    expect(() => assertConsistent({ active: SOURCE, clearAlternate: true })).not.to.throw();
  });
});

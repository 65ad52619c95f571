import { expect } from 'chai';
import { nearestOf } from '../../../src/support/nearest.ts';

const CODES = [
  'leaked-address',
  'orphan-handle',
  'missing-handle',
  'block-overlap',
  'block-size-mismatch',
];

describe('support/nearest', () => {
  it('finds a word with a typing error', () => {
    expect(nearestOf('leaked-adress', CODES)[0]).to.equal('leaked-address');
    expect(nearestOf('LEAKED-ADDRESS', CODES)[0]).to.equal('leaked-address');
    // Two letters in the wrong order are one error.
    expect(nearestOf('chekc', ['check'])).to.deep.equal(['check']);
  });

  it('finds words that share a part, plural or not', () => {
    expect(nearestOf('handles', CODES)).to.have.members(['orphan-handle', 'missing-handle']);
    expect(nearestOf('overlap', CODES)).to.deep.equal(['block-overlap']);
  });

  it('finds nothing for something else', () => {
    expect(nearestOf('zebra', CODES)).to.deep.equal([]);
    expect(nearestOf('', CODES)).to.deep.equal([]);
  });
});

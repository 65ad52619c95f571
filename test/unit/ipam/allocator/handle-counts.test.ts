import { expect } from 'chai';
import { EngineError } from '../../../../src/errors/engine-error.ts';
import {
  assertBelowCap,
  lowerCount,
  raiseCount,
} from '../../../../src/ipam/allocator/handle-counts.ts';
import type { HandleRow } from '../../../../src/ipam/model/handle.ts';
import { aHandle, net } from '../../../support/builders.ts';

const block = net('10.0.0.0/26');
const counts = (row: HandleRow | undefined): unknown =>
  row && Object.fromEntries(row.counts.map(({ text, count }) => [text, count]));

describe('ipam/allocator/handle-counts', () => {
  it('raises a count, or makes it, in the order of the blocks', () => {
    const row = aHandle('h', { '10.0.0.64/26': 1 });
    const raised = raiseCount(raiseCount(row, { block, by: 2 }), { block, by: 1 });
    expect(counts(raised)).to.deep.equal({ '10.0.0.0/26': 3, '10.0.0.64/26': 1 });
    expect(raised.counts.map(({ text }) => text)).to.deep.equal(['10.0.0.0/26', '10.0.0.64/26']);
  });

  it('lowers a count, drops one that reaches 0, and with the last one the row', () => {
    const row = aHandle('h', { '10.0.0.0/26': 3, '10.0.0.64/26': 1 });
    expect(counts(lowerCount(row, { block, by: 1 }))).to.deep.equal({
      '10.0.0.0/26': 2,
      '10.0.0.64/26': 1,
    });
    expect(counts(lowerCount(row, { block, by: 3 }))).to.deep.equal({ '10.0.0.64/26': 1 });
    expect(lowerCount(aHandle('h', { '10.0.0.0/26': 1 }), { block, by: 1 })).to.equal(undefined);
  });

  it('leaves a row as it is that counts less, or knows nothing of the block', () => {
    for (const row of [aHandle('h', { '10.0.0.0/26': 1 }), aHandle('h', { '10.0.0.64/26': 5 })]) {
      expect(() => lowerCount(row, { block, by: 2 }))
        .to.throw(EngineError)
        .with.property('category', 'not-found');
    }
  });

  it('tests what is asked for against the addresses of the same family', () => {
    const row = aHandle('h', { '10.0.0.0/26': 1, 'fd00::/122': 5 });
    expect(() => assertBelowCap(row, block, { limit: 2, asked: 1 })).not.to.throw();
    expect(() => assertBelowCap(row, block, { limit: 2, asked: 2 }))
      .to.throw(EngineError)
      .with.property('category', 'handle-cap');
    expect(() => assertBelowCap(row, net('fd00::/122'), { limit: 5, asked: 1 })).to.throw(
      EngineError,
    );
  });

  it('knows no limit of 0', () => {
    expect(() =>
      assertBelowCap(aHandle('h', { '10.0.0.0/26': 9 }), block, { limit: 0, asked: 9 }),
    ).not.to.throw();
  });
});

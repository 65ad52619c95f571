import { expect } from 'chai';
import { handleCountMismatch } from '../../../../src/check/rules/handle-count-mismatch.ts';
import type { Row } from '../../../../src/ipam/model/row.ts';
import { aBlock, aHandle, clusterOf, podSlot } from '../../../support/builders.ts';
import { judge, restsOn } from '../../../support/judge.ts';

const slot = podSlot('shop/a', 'node-a', { handle: 'net.a' });
const TWO = aBlock('10.0.0.0/28', { 5: slot, 6: slot });
const mismatches = (rows: readonly Row[]) =>
  judge(handleCountMismatch, clusterOf(rows)).map(({ facts }) => [
    facts['block'],
    facts['recorded'],
    facts['held'],
  ]);

describe('check/rules/handle-count-mismatch', () => {
  it('is quiet when counts and blocks agree', () => {
    expect(mismatches([TWO, aHandle('net.a', { '10.0.0.0/28': 2 })])).to.be.empty;
    const other = aBlock('fd00::/124', { 1: slot });
    expect(mismatches([TWO, other, aHandle('net.a', { '10.0.0.0/28': 2, 'fd00::0/124': 1 })])).to.be
      .empty;
  });

  it('fires for a count that is too high or too low', () => {
    expect(mismatches([TWO, aHandle('net.a', { '10.0.0.0/28': 3 })])).to.deep.equal([
      ['10.0.0.0/28', 3, 2],
    ]);
    expect(mismatches([TWO, aHandle('net.a', { '10.0.0.0/28': 1 })])).to.deep.equal([
      ['10.0.0.0/28', 1, 2],
    ]);
    const [finding] = judge(
      handleCountMismatch,
      clusterOf([TWO, aHandle('net.a', { '10.0.0.0/28': 1 })]),
    );
    expect(finding?.subject).to.deep.equal({
      kind: 'IPAMHandle',
      name: 'net.a',
      handle: 'net.a',
      cidr: '10.0.0.0/28',
    });
    expect(finding?.reason).to.equal(
      'Handle "net.a" counts 1 address in block 10.0.0.0/28, which holds 2 for it.',
    );
  });

  it('fires for each block in which they differ, in order', () => {
    const rows = [
      TWO,
      aBlock('10.0.0.16/28'),
      aHandle('net.a', { nonsense: 1, '10.0.0.16/28': 1, '10.0.0.32/28': 1 }),
    ];
    expect(mismatches(rows)).to.deep.equal([
      ['10.0.0.0/28', 0, 2],
      ['10.0.0.16/28', 1, 0],
      ['10.0.0.32/28', 1, 0],
      ['nonsense', 1, 0],
    ]);
    expect(judge(handleCountMismatch, clusterOf(rows))[2]?.reason).to.contain(
      'there is no such block',
    );
  });

  it('is quiet for an orphan', () => {
    expect(mismatches([aBlock('10.0.0.0/28'), aHandle('net.a', { '10.0.0.0/28': 1 })])).to.be.empty;
  });

  it('adds the counts of all rows of an id', () => {
    const malformed = aHandle(
      'net.a\neth0',
      { '10.0.0.0/28': 1 },
      { key: { name: 'net.a\neth0' } },
    );
    expect(mismatches([TWO, aHandle('net.a', { '10.0.0.0/28': 1 }), malformed])).to.be.empty;
    expect(mismatches([TWO, aHandle('net.a', { '10.0.0.0/28': 2 }), malformed])).to.deep.equal([
      ['10.0.0.0/28', 3, 2],
    ]);
  });

  it('says nothing of a block that cannot be read', () => {
    const damaged = {
      kind: 'IPAMBlock',
      key: { name: '10-0-0-16-28' },
      unreadable: 'no allocations',
    } as const;
    expect(mismatches([TWO, damaged, aHandle('net.a', { '10.0.0.0/28': 2, '10.0.0.16/28': 1 })])).to
      .be.empty;
  });

  it('rests on the handle and on all its blocks', () => {
    const other = aBlock('10.0.0.16/28', { 1: slot });
    const handle = aHandle('net.a', { '10.0.0.0/28': 2, '10.0.0.32/28': 1, nonsense: 0 });
    const references = restsOn(handleCountMismatch, clusterOf([TWO, other, handle]));
    expect(new Set(references)).to.deep.equal(
      new Set([
        'IPAMHandle net.a',
        'IPAMBlock 10-0-0-0-28',
        'IPAMBlock 10-0-0-16-28',
        'IPAMBlock 10-0-0-32-28',
      ]),
    );
  });
});

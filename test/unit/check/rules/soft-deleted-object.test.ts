import { expect } from 'chai';
import { softDeletedObject } from '../../../../src/check/rules/soft-deleted-object.ts';
import { aBlock, aHandle, anAffinity, clusterOf } from '../../../support/builders.ts';
import { judge, restsOn, subjectsOf } from '../../../support/judge.ts';

describe('check/rules/soft-deleted-object', () => {
  it('is quiet for rows without the mark', () => {
    const rows = [aBlock('10.0.0.0/28'), anAffinity('node-a', '10.0.0.0/28'), aHandle('net.a', {})];
    expect(judge(softDeletedObject, clusterOf(rows))).to.be.empty;
  });

  it('fires for each marked row of any kind', () => {
    const rows = [
      aHandle('net.a', {}, { deleted: true }),
      aBlock('10.0.0.0/28', {}, { deleted: true }),
      anAffinity('node-a', '10.0.0.0/28', { deleted: true }),
    ];
    const state = clusterOf(rows);
    expect(subjectsOf(softDeletedObject, state)).to.deep.equal([
      'node-a-10-0-0-0-28',
      '10-0-0-0-28',
      'net.a',
    ]);
    expect(judge(softDeletedObject, state).map(({ reason }) => reason)).to.deep.equal([
      'BlockAffinity node-a-10-0-0-0-28 (10.0.0.0/28) is marked deleted, but it is still there.',
      'IPAMBlock 10-0-0-0-28 (10.0.0.0/28) is marked deleted, but it is still there.',
      'IPAMHandle net.a is marked deleted, but it is still there.',
    ]);
    expect(restsOn(softDeletedObject, state)).to.deep.equal([
      'BlockAffinity node-a-10-0-0-0-28',
      'IPAMBlock 10-0-0-0-28',
      'IPAMHandle net.a',
    ]);
  });

  it('judges the kinds that were read and names those that were not', () => {
    const state = clusterOf([aBlock('10.0.0.0/28', {}, { deleted: true })], {
      without: ['IPAMHandle', 'BlockAffinity'],
    });
    expect(subjectsOf(softDeletedObject, state)).to.deep.equal(['10-0-0-0-28']);
    expect(softDeletedObject.missingFor?.(state)).to.deep.equal(['IPAMHandle', 'BlockAffinity']);
  });

  it('gives the creation time where there is one', () => {
    const of = (createdAt: number | undefined) =>
      judge(softDeletedObject, clusterOf([aHandle('net.a', {}, { deleted: true, createdAt })]))[0]
        ?.facts['createdAt'];
    expect(of(Date.UTC(2026, 10, 9))).to.equal('2026-11-09T00:00:00Z');
    expect(of(undefined)).to.equal(undefined);
  });
});

import { expect } from 'chai';
import { orphanHandle } from '../../../../src/check/rules/orphan-handle.ts';
import {
  NOW,
  aBlock,
  aHandle,
  clusterOf,
  coolingSlot,
  podSlot,
} from '../../../support/builders.ts';
import { judge, restsOn, subjectsOf } from '../../../support/judge.ts';

const BLOCK = aBlock('10.0.0.0/28', { 5: podSlot('shop/a', 'node-a', { handle: 'net.a' }) });

describe('check/rules/orphan-handle', () => {
  it('is quiet for a handle that an allocation names', () => {
    expect(subjectsOf(orphanHandle, clusterOf([BLOCK, aHandle('net.a', { '10.0.0.0/28': 1 })]))).to
      .be.empty;
  });

  it('compares ids up to a control character', () => {
    const block = aBlock('10.0.0.0/28', { 5: { handle: 'net.a\r\neth0', owner: {} } });
    expect(subjectsOf(orphanHandle, clusterOf([block, aHandle('net.a', { '10.0.0.0/28': 1 })]))).to
      .be.empty;
  });

  it('fires for a handle that no allocation names, and lets an old one go', () => {
    const [finding] = judge(
      orphanHandle,
      clusterOf([BLOCK, aHandle('Net.B', { '10.0.0.0/28': 2 })]),
    );
    expect(finding?.subject).to.deep.equal({ kind: 'IPAMHandle', name: 'net.b', handle: 'Net.B' });
    expect(finding?.releasable).to.equal(true);
    expect(finding?.reason).to.equal(
      'No allocation refers to handle "Net.B", although it counts 2 addresses in 10.0.0.0/28.',
    );
    expect(finding?.remedy).to.contain('`ipamctl ipam repair --only orphan-handle`');
  });

  it('does not let a young one go', () => {
    const [finding] = judge(
      orphanHandle,
      clusterOf([aHandle('net.b', {}, { createdAt: NOW - 2000 })]),
    );
    expect(finding?.releasable).to.equal(false);
    expect(finding?.reason).to.contain('made only at 2026-11-29T11:59:58Z');
    expect(finding?.remedy).to.match(/^Look again/);
  });

  it('takes a handle without a creation time for old', () => {
    expect(
      judge(orphanHandle, clusterOf([aHandle('net.b', {}, { createdAt: undefined })]))[0]
        ?.releasable,
    ).to.equal(true);
  });

  it('does not take a cooling address for a reference', () => {
    const block = aBlock('10.0.0.0/28', { 5: { ...coolingSlot(), handle: 'net.b' } });
    expect(subjectsOf(orphanHandle, clusterOf([block, aHandle('net.b', {})]))).to.deep.equal([
      'net.b',
    ]);
  });

  it('is one finding for two rows of one id', () => {
    const rows = [
      aHandle('net.b', {}),
      aHandle('net.b\neth0', {}, { key: { name: 'net.b\neth0' }, createdAt: NOW - 1000 }),
    ];
    const [finding, second] = judge(orphanHandle, clusterOf(rows));
    expect(second).to.equal(undefined);
    expect(finding?.facts['rows']).to.deep.equal(['net.b', 'net.b\neth0']);
    expect(finding?.releasable).to.equal(false);
  });

  it('is quiet where a block that it counts cannot be read', () => {
    const damaged = {
      kind: 'IPAMBlock',
      key: { name: '10-0-0-0-28' },
      unreadable: 'no allocations',
    } as const;
    expect(subjectsOf(orphanHandle, clusterOf([damaged, aHandle('net.b', { '10.0.0.0/28': 1 })])))
      .to.be.empty;
  });

  it('is quiet where a block without readable name may be one that it counts', () => {
    const nameless = { kind: 'IPAMBlock', key: { name: '' }, unreadable: 'no name' } as const;
    const handle = aHandle('net.b', { '10.0.0.0/28': 1 });
    expect(subjectsOf(orphanHandle, clusterOf([nameless, handle]))).to.be.empty;
  });

  it('does not let one go while a block that it counts is damaged', () => {
    const damaged = aBlock('10.0.0.0/28', {}, { misreadings: ['attributes[0] 5 is no object'] });
    const [finding] = judge(
      orphanHandle,
      clusterOf([damaged, aHandle('net.b', { '10.0.0.0/28': 1 })]),
    );
    expect(finding?.releasable).to.equal(false);
    expect(finding?.reason).to.contain('Block 10.0.0.0/28 is damaged');
    expect(finding?.remedy).to.match(/^Mend block 10\.0\.0\.0\/28 first/);
  });

  it('rests on the row and on the blocks that it counts', () => {
    const handle = aHandle('net.b', { '10.0.0.0/28': 1, '10.0.0.16/28': 1, nonsense: 1 });
    expect(restsOn(orphanHandle, clusterOf([BLOCK, handle]))).to.deep.equal([
      'IPAMHandle net.b',
      'IPAMBlock 10-0-0-0-28',
      'IPAMBlock 10-0-0-16-28',
    ]);
  });
});

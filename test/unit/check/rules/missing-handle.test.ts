import { expect } from 'chai';
import { missingHandle } from '../../../../src/check/rules/missing-handle.ts';
import {
  aBlock,
  aHandle,
  clusterOf,
  coolingSlot,
  podSlot,
  windowsSlot,
} from '../../../support/builders.ts';
import { judge, restsOn, subjectsOf } from '../../../support/judge.ts';

const slot = (handle: string) => podSlot('shop/a', 'node-a', { handle });
const BLOCK = aBlock('10.0.0.0/28', { 5: slot('Net.A'), 6: slot('Net.A') });

describe('check/rules/missing-handle', () => {
  it('is quiet while the row exists', () => {
    expect(subjectsOf(missingHandle, clusterOf([BLOCK, aHandle('Net.A', { '10.0.0.0/28': 2 })]))).to
      .be.empty;
  });

  it('fires once for a handle id, naming its addresses', () => {
    const [finding, second] = judge(missingHandle, clusterOf([BLOCK]));
    expect(second).to.equal(undefined);
    expect(finding?.subject).to.include({
      kind: 'IPAMHandle',
      name: 'net.a',
      handle: 'Net.A',
      address: undefined,
    });
    expect(finding?.releasable).to.equal(false);
    expect(finding?.reason).to.equal(
      'Allocations 10.0.0.5 and 10.0.0.6 name handle "Net.A", which has no row, so Calico will not find them to release.',
    );
    expect(finding?.remedy).to.contain('`ipamctl ipam repair --only missing-handle`');
  });

  it('compares ids up to a control character', () => {
    const block = aBlock('10.0.0.0/28', { 5: slot('net.a\r\neth0'), 6: slot('net.b\r\neth0') });
    expect(subjectsOf(missingHandle, clusterOf([block, aHandle('net.a', {})]))).to.deep.equal([
      '10.0.0.6',
    ]);
  });

  it('asks for no handle of reserved slots, cooling addresses and allocations without one', () => {
    const block = aBlock('10.0.0.0/28', {
      0: windowsSlot(),
      1: { handle: 'Windows-Reserved-IPAM-Handle', owner: {} },
      2: { ...coolingSlot(), handle: 'net.c' },
      3: { owner: {} },
      4: { handle: '', owner: {} },
    });
    expect(subjectsOf(missingHandle, clusterOf([block]))).to.be.empty;
  });

  it('is quiet for a row that is there but cannot be read', () => {
    const damaged = {
      kind: 'IPAMHandle',
      key: { name: 'net.a' },
      unreadable: 'spec.block is no object',
    } as const;
    expect(subjectsOf(missingHandle, clusterOf([BLOCK, damaged]))).to.be.empty;
  });

  it('rests on the absent row and on the blocks that name it', () => {
    expect(restsOn(missingHandle, clusterOf([BLOCK]))).to.deep.equal([
      'IPAMHandle net.a',
      'IPAMBlock 10-0-0-0-28',
    ]);
  });
});

import { expect } from 'chai';
import { addressConflict } from '../../../../src/check/rules/address-conflict.ts';
import {
  aBlock,
  aNode,
  aPod,
  aPool,
  aService,
  clusterOf,
  coolingSlot,
  podSlot,
  serviceSlot,
  tunnelSlot,
} from '../../../support/builders.ts';
import { aControllersConfiguration, aMachine } from '../../../support/settings-builders.ts';
import { judge, restsOn, subjectsOf } from '../../../support/judge.ts';

const A = aPod('shop/a', 'node-a', '10.0.0.5');
const B = aPod('shop/b', 'node-b', '10.0.0.5');
const NODES = [aNode('node-a'), aNode('node-b')];
const forA = aBlock('10.0.0.0/28', { 5: podSlot('shop/a', 'node-a') });
const formsOf = (rows: Parameters<typeof clusterOf>[0]) =>
  judge(addressConflict, clusterOf([...NODES, ...rows])).map(({ facts }) => facts['forms']);

describe('check/rules/address-conflict', () => {
  it('is quiet for one carrier of its own allocation, or of none', () => {
    expect(formsOf([forA, A])).to.be.empty;
    expect(formsOf([A])).to.be.empty;
  });

  it('fires once for two pods with one address', () => {
    const [finding, second] = judge(addressConflict, clusterOf([...NODES, forA, A, B]));
    expect(second).to.equal(undefined);
    expect(finding?.releasable).to.equal(false);
    expect(finding?.reason).to.equal(
      '10.0.0.5 is carried at the same time by pod shop/a on node node-a and pod shop/b on node node-b.',
    );
    expect(finding?.remedy).to.contain('`ipamctl ipam show --ip 10.0.0.5`');
  });

  it('fires for a node and a pod, and for a Service and a pod', () => {
    expect(formsOf([forA, A, aNode('node-c', { vxlan: '10.0.0.5' })])).to.deep.equal([
      ['two-carriers'],
    ]);
    expect(
      formsOf([forA, A, aControllersConfiguration(), aService('edge/gw', '10.0.0.5')]),
    ).to.deep.equal([['two-carriers']]);
  });

  it('fires for an address allocated to a waiting pod and carried by another one', () => {
    const [finding] = judge(
      addressConflict,
      clusterOf([...NODES, forA, aPod('shop/a', 'node-a'), B]),
    );
    expect(finding?.facts['forms']).to.deep.equal(['other-owner']);
    expect(finding?.reason).to.equal(
      '10.0.0.5 is allocated to pod shop/a but carried by pod shop/b on node node-b.',
    );
    expect(finding?.remedy).to.match(/^Recreate pod shop\/b/);
  });

  it('fires for an address of a pod that lives on another one, when a third carries it', () => {
    expect(formsOf([forA, aPod('shop/a', 'node-a', '10.0.0.9'), B])).to.deep.equal([
      ['other-owner'],
    ]);
  });

  it('is quiet when the owner is gone, has finished or waits on another node', () => {
    expect(formsOf([forA, B])).to.be.empty;
    expect(formsOf([forA, { ...A, finished: true }, B])).to.be.empty;
    expect(formsOf([forA, aPod('shop/a', 'node-b'), B])).to.be.empty;
  });

  it('leaves an address that only another kind carries to leaked-address', () => {
    const tunnel = aBlock('10.0.0.0/28', { 5: tunnelSlot('node-a') });
    expect(formsOf([tunnel, A])).to.be.empty;
  });

  it('fires for a tunnel address and a Service address that something of their kind carries', () => {
    const tunnel = aBlock('10.0.0.0/28', { 5: tunnelSlot('node-a') });
    expect(formsOf([tunnel, aNode('node-c', { vxlan: '10.0.0.5' })])).to.deep.equal([
      ['other-owner'],
    ]);
    const service = aBlock('10.0.0.0/28', { 5: serviceSlot('edge/gw') });
    expect(formsOf([service, aService('edge/gw'), aService('edge/two', '10.0.0.5')])).to.deep.equal(
      [['other-owner']],
    );
  });

  it('fires for an address allocated in two blocks', () => {
    const wide = aBlock('10.0.0.0/27', { 5: podSlot('shop/b', 'node-b') });
    const [finding] = judge(addressConflict, clusterOf([...NODES, forA, wide, A]));
    expect(finding?.facts['forms']).to.deep.equal(['two-blocks']);
    expect(finding?.reason).to.equal(
      '10.0.0.5 is allocated in blocks 10.0.0.0/27 and 10.0.0.0/28.',
    );
    expect(finding?.remedy).to.contain('--block CIDR');
    expect(formsOf([forA, wide, A, B])).to.deep.equal([['two-carriers', 'two-blocks']]);
  });

  it('does not count a cooling allocation', () => {
    expect(formsOf([forA, aBlock('10.0.0.0/27', { 5: coolingSlot() }), A])).to.be.empty;
    expect(formsOf([aBlock('10.0.0.0/28', { 5: coolingSlot() }), A])).to.be.empty;
  });

  it('takes both sides of a live migration for one carrier', () => {
    const owner = { namespace: 'shop', pod: 'a', node: 'node-a', 'vmi-name': 'web' };
    const slot = { handle: 'k8s-pod-network.vmi.shop.web', owner };
    const moving = { ...slot, alternateOwner: { namespace: 'shop', pod: 'b', node: 'node-b' } };
    expect(formsOf([aBlock('10.0.0.0/28', { 5: moving }), A, B])).to.be.empty;
    expect(formsOf([aBlock('10.0.0.0/28', { 5: slot }), A, B])).to.deep.equal([['two-carriers']]);
    const launcher = aPod('shop/virt-launcher-web-x7k2p', 'node-b', '10.0.0.5');
    expect(formsOf([aMachine('shop/web'), aBlock('10.0.0.0/28', { 5: slot }), A, launcher])).to.be
      .empty;
  });

  it('ignores a terminating pod unless the allocation names it', () => {
    expect(formsOf([forA, A, { ...B, terminating: true }])).to.be.empty;
    expect(formsOf([forA, { ...A, terminating: true }, B])).to.deep.equal([['two-carriers']]);
  });

  it('ignores a Service of another controller', () => {
    const other = aService('edge/gw', '10.0.0.5', { loadBalancerClass: 'example.com/other' });
    expect(formsOf([forA, A, aControllersConfiguration(), other])).to.be.empty;
  });

  it('orders findings by address', () => {
    const rows = [
      ...['10.0.0.30', '10.0.0.4'].flatMap((ip) => [
        aPod(`a/x${ip}`, 'n', ip),
        aPod(`a/y${ip}`, 'n', ip),
      ]),
      aBlock('10.0.0.0/28', { 9: podSlot('a/b', 'node-a') }),
      aBlock('10.0.0.0/27', { 9: podSlot('a/c', 'node-a') }),
    ];
    expect(subjectsOf(addressConflict, clusterOf(rows))).to.deep.equal([
      '10.0.0.4',
      '10.0.0.9',
      '10.0.0.30',
    ]);
  });

  it('rests on blocks, carriers and the pods for which the address is allocated', () => {
    const pool = aPool('main', '10.0.0.0/24', { blockSize: 28 });
    expect(
      restsOn(addressConflict, clusterOf([...NODES, pool, forA, aPod('shop/a', 'node-a'), B])),
    ).to.have.members(['IPAMBlock 10-0-0-0-28', 'Pod shop/a', 'Pod shop/b']);
  });

  it('rests on the Service or the machine for which the address is allocated', () => {
    const service = aBlock('10.0.0.0/28', { 5: serviceSlot('edge/gw') });
    const rows = [service, aService('edge/gw'), aService('edge/two', '10.0.0.5')];
    expect(restsOn(addressConflict, clusterOf(rows))).to.deep.equal([
      'IPAMBlock 10-0-0-0-28',
      'Service edge/two',
      'Service edge/gw',
    ]);
    const machine = aBlock('10.0.0.0/28', {
      5: { handle: 'x', owner: { namespace: 'shop', 'vmi-name': 'web' } },
    });
    const other = aPod('else/b', 'node-b', '10.0.0.5');
    expect(
      restsOn(addressConflict, clusterOf([...NODES, aMachine('shop/web'), machine, other])),
    ).to.deep.equal([
      'IPAMBlock 10-0-0-0-28',
      'Pod else/b',
      'VirtualMachine shop/web',
      'VirtualMachineInstance shop/web',
    ]);
  });
});

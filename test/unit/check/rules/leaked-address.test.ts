import { expect } from 'chai';
import { leakedAddress } from '../../../../src/check/rules/leaked-address.ts';
import {
  NOW,
  aBlock,
  aNode,
  aPod,
  aService,
  clusterOf,
  coolingSlot,
  podSlot,
  serviceSlot,
  tunnelSlot,
  windowsSlot,
} from '../../../support/builders.ts';
import { aControllersConfiguration } from '../../../support/settings-builders.ts';
import { judge, subjectsOf } from '../../../support/judge.ts';

const NODE = aNode('node-a');
const onePod = (more = {}) => aBlock('10.0.0.0/28', { 5: podSlot('shop/cart-0', 'node-a', more) });
const timestamp = '2026-11-29 11:59:00.5 +0000 UTC';

describe('check/rules/leaked-address', () => {
  it('is quiet while the pod carries its address', () => {
    expect(
      subjectsOf(
        leakedAddress,
        clusterOf([NODE, onePod(), aPod('shop/cart-0', 'node-a', '10.0.0.5')]),
      ),
    ).to.be.empty;
  });

  it('fires for a pod that does not exist', () => {
    const [finding] = judge(leakedAddress, clusterOf([NODE, onePod()]));
    expect(finding?.subject).to.deep.equal({
      kind: 'Address',
      name: '10.0.0.5',
      address: '10.0.0.5',
      cidr: '10.0.0.0/28',
      node: 'node-a',
      handle: 'k8s-pod-network.shop-cart-0',
    });
    expect(finding?.releasable).to.equal(true);
    expect(finding?.facts).to.include({ why: 'pod-absent', sequenceNumber: 1764426000123456005n });
    expect(finding?.reason).to.equal(
      '10.0.0.5 is allocated for pod shop/cart-0, but there is no such pod.',
    );
    expect(finding?.remedy).to.contain('`ipamctl ipam release --from-report REPORT`');
  });

  it('says that a pod has finished', () => {
    const finished = aPod('shop/cart-0', 'node-a', '10.0.0.5', { finished: true });
    expect(judge(leakedAddress, clusterOf([NODE, onePod(), finished]))[0]?.reason).to.contain(
      'has finished',
    );
  });

  it('says that the pod lives on another address now', () => {
    const moved = aPod('shop/cart-0', 'node-a', '10.0.0.9');
    expect(judge(leakedAddress, clusterOf([NODE, onePod(), moved]))[0]?.reason).to.contain(
      'another address now',
    );
  });

  it('says that the node of a tunnel address does not exist', () => {
    const [finding] = judge(
      leakedAddress,
      clusterOf([aBlock('10.0.0.0/28', { 0: tunnelSlot('node-z') })]),
    );
    expect(finding?.reason).to.equal(
      '10.0.0.0 is allocated for a tunnel of node node-z, but its node node-z does not exist.',
    );
  });

  it('says that an allocation records no owner', () => {
    const [finding] = judge(
      leakedAddress,
      clusterOf([NODE, aBlock('10.0.0.0/28', { 0: { owner: {} } }, { affinity: undefined })]),
    );
    expect(finding?.reason).to.match(/^10\.0\.0\.0 is allocated, but it does not say for what/);
  });

  it('names another kind that carries the address, and does not let it go', () => {
    const [finding] = judge(
      leakedAddress,
      clusterOf([aNode('node-a', { vxlan: '10.0.0.5' }), onePod()]),
    );
    expect(finding?.releasable).to.equal(false);
    expect(finding?.facts['keptBecause']).to.equal('carried-otherwise');
    expect(finding?.reason).to.contain('because node node-a carries it all the same');
    expect(finding?.remedy).to.match(/^Leave the address alone/);
  });

  it('does not let a young allocation go', () => {
    const owner = { namespace: 'shop', pod: 'cart-0', node: 'node-a', timestamp };
    const [finding] = judge(leakedAddress, clusterOf([NODE, onePod({ owner })]));
    expect(finding?.releasable).to.equal(false);
    expect(finding?.reason).to.contain('only just now');
    expect(
      judge(leakedAddress, clusterOf([NODE, onePod({ owner })]), {
        now: NOW + 600_000,
        minAgeMs: 300_000,
      })[0]?.releasable,
    ).to.equal(true);
  });

  it('does not let an address go whose handle also holds a live one', () => {
    const services = [aControllersConfiguration(), aService('edge/moved', '10.0.0.4')];
    const block = aBlock(
      '10.0.0.0/28',
      { 3: serviceSlot('edge/moved'), 4: serviceSlot('edge/moved') },
      { affinity: 'virtual:load-balancer' },
    );
    const [finding] = judge(leakedAddress, clusterOf([...services, block]));
    expect(finding?.subject.address).to.equal('10.0.0.3');
    expect(finding?.releasable).to.equal(false);
    expect(finding?.reason).to.contain(
      'another address of handle lb-edge-moved is or may be alive',
    );
    expect(finding?.remedy).to.contain('when Service edge/moved goes away');
  });

  it('passes over cooling, reserved and unknown allocations', () => {
    const unknown = { handle: 'x', owner: { type: 'somethingNew' } };
    const block = aBlock('10.0.0.0/28', { 0: windowsSlot(), 1: coolingSlot(), 2: unknown });
    expect(subjectsOf(leakedAddress, clusterOf([block]))).to.be.empty;
  });

  it('reports in order of address', () => {
    const slots = { 2: podSlot('a/b', 'node-a'), 10: podSlot('a/c', 'node-a') };
    const state = clusterOf([
      NODE,
      aBlock('fd00::/124', { 1: podSlot('a/d', 'node-a') }),
      aBlock('10.0.0.0/28', slots),
    ]);
    expect(subjectsOf(leakedAddress, state)).to.deep.equal(['10.0.0.2', '10.0.0.10', 'fd00::1']);
  });

  it('lacks only the kinds that an allocation would need', () => {
    const machine = aBlock('10.0.0.0/28', {
      1: { handle: 'n.vmi.vms.db', owner: { namespace: 'vms', 'vmi-name': 'db' } },
    });
    const without = ['Service', 'VirtualMachine', 'VirtualMachineInstance'] as const;
    expect(leakedAddress.missingFor?.(clusterOf([NODE, onePod()], { without }))).to.be.empty;
    expect(leakedAddress.missingFor?.(clusterOf([NODE, machine], { without }))).to.deep.equal([
      'VirtualMachine',
      'VirtualMachineInstance',
    ]);
    expect(
      leakedAddress.missingFor?.(clusterOf([onePod()], { without: ['Pod', 'Node'] })),
    ).to.deep.equal(['Pod']);
  });

  it('does not let a leak go while a kind that may carry it was not read', () => {
    const [finding] = judge(leakedAddress, clusterOf([NODE, onePod()], { without: ['Service'] }));
    expect(finding?.releasable).to.equal(false);
    expect(finding?.reason).to.contain('not every kind');
  });
});

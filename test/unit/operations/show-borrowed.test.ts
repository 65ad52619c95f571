import { expect } from 'chai';
import type { BlockAttribute } from '../../../src/ipam/model/block.ts';
import { showBorrowed } from '../../../src/operations/show-borrowed.ts';
import {
  aBlock,
  coolingSlot,
  podSlot,
  serviceSlot,
  tunnelSlot,
  windowsSlot,
} from '../../support/builders.ts';
import { ScriptedDatastore, contextOf } from '../../support/scripted-datastore.ts';

async function borrowedIn(slot: BlockAttribute, affinity: string | undefined = 'host:node-a') {
  const datastore = new ScriptedDatastore([aBlock('10.0.0.0/29', { 1: slot }, { affinity })]);
  const { document, verdict } = await showBorrowed(contextOf(datastore));
  expect(verdict).to.equal('ok');
  expect(datastore.requests).to.have.members(['list ClusterInformation', 'list IPAMBlock']);
  return document.borrowed;
}

describe('operations/show-borrowed', () => {
  it('lists an address that a pod on another node holds', async () => {
    expect(await borrowedIn(podSlot('shop/cart', 'node-b'))).to.deep.equal([
      {
        ip: '10.0.0.1',
        borrowingNode: 'node-b',
        block: '10.0.0.0/29',
        blockOwner: 'node-a',
        type: 'pod',
        allocatedTo: 'shop/cart',
      },
    ]);
  });

  it('lists a tunnel address with its own type', async () => {
    const [row] = await borrowedIn(tunnelSlot('node-b'));
    expect(row).to.include({
      borrowingNode: 'node-b',
      type: 'vxlanTunnelAddress',
      allocatedTo: '',
    });
  });

  it('lists the address of a machine under its name', async () => {
    const slot = podSlot('vms/virt-launcher-db-x', 'node-b');
    const [row] = await borrowedIn({ ...slot, owner: { ...slot.owner, 'vmi-name': 'db' } });
    expect(row).to.include({ type: 'vmi', allocatedTo: 'vms/db' });
  });

  it('leaves the owner empty where nobody owns the block', async () => {
    const datastore = new ScriptedDatastore([
      aBlock('10.0.0.0/29', { 1: podSlot('a/b', 'node-b') }, { affinity: undefined }),
    ]);
    const { document } = await showBorrowed(contextOf(datastore));
    expect(document.borrowed[0]).to.include({ blockOwner: '' });
  });

  it('keeps everything after the type of an owner', async () => {
    expect((await borrowedIn(podSlot('a/b', 'node-b'), 'host:a:b'))[0]).to.include({
      blockOwner: 'a:b',
    });
    expect((await borrowedIn(podSlot('a/b', 'node-b'), 'alder'))[0]).to.include({
      blockOwner: 'alder',
    });
  });

  const NEVER: readonly [string, BlockAttribute][] = [
    ["on the block's own node", podSlot('shop/cart', 'node-a')],
    ['without a node', { handle: 'h', owner: {} }],
    ['with an empty node', { handle: 'h', owner: { node: '' } }],
    ['that cools down', coolingSlot()],
    ['that Windows keeps', windowsSlot()],
    ['of a Service', serviceSlot('edge/gw')],
  ];
  for (const [fact, slot] of NEVER) {
    it(`leaves out an address ${fact}`, async () => {
      expect(await borrowedIn(slot)).to.deep.equal([]);
    });
  }
});

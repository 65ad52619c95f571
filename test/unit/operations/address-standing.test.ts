import { expect } from 'chai';
import type { BlockAttribute } from '../../../src/ipam/model/block.ts';
import type { Row } from '../../../src/ipam/model/row.ts';
import { showAddress } from '../../../src/operations/show-address.ts';
import { aBlock, aNode, aPod, aPool, ip, podSlot } from '../../support/builders.ts';
import { ScriptedDatastore, contextOf } from '../../support/scripted-datastore.ts';

const POOL = aPool('main', '10.0.0.0/24', { blockSize: 29 });

async function show(address: string, rows: readonly Row[]) {
  const context = contextOf(new ScriptedDatastore(rows));
  return (await showAddress(context, { address: ip(address) })).document;
}

/** Document of 10.0.0.2 when this slot holds it in node-a's block. */
async function showSlot(slot: BlockAttribute, rows: readonly Row[] = [aNode('node-a')]) {
  return show('10.0.0.2', [POOL, aBlock('10.0.0.0/29', { 2: slot }), ...rows]);
}

describe('operations/address-standing', () => {
  it('sees no conflict in one carrier that is the owner, and none in a free address', async () => {
    const rows = [aNode('node-a'), aPod('shop/cart', 'node-a', '10.0.0.2')];
    const held = await showSlot(podSlot('shop/cart', 'node-a'), rows);
    expect(held).to.include({ standing: 'carried' }).and.to.not.have.property('conflict');
    const free = await show('10.0.0.9', [POOL, ...rows]);
    expect(free).to.not.have.any.keys('conflict', 'standing', 'carriedBy', 'unreadable');
  });

  it('says that an address is leaked, and why', async () => {
    const document = await showSlot(podSlot('shop/gone', 'node-a'), [aNode('node-a')]);
    expect(document).to.include({
      standing: 'leaked',
      standingReason: 'its pod does not exist (pod shop/gone)',
    });
  });

  it('tells since when an address is held in the form of all other times', async () => {
    const owner = {
      pod: 'cart',
      namespace: 'shop',
      node: 'node-a',
      timestamp: '2026-01-02 05:04:05.25 +0200 CEST',
    };
    const document = await showSlot(podSlot('shop/cart', 'node-a', { owner }));
    expect(document.allocatedAt).to.equal('2026-01-02T03:04:05.250Z');
  });

  it('names rows that cannot be read, one of which may hold the address', async () => {
    const damaged: Row = {
      kind: 'IPAMBlock',
      key: { name: '10-0-0-8-29' },
      unreadable: 'spec.cidr is no CIDR',
    };
    const document = await show('10.0.0.9', [POOL, damaged]);
    expect(document.allocated).to.equal(false);
    expect(document.unreadable).to.deep.equal([
      { kind: 'IPAMBlock', name: '10-0-0-8-29', problem: 'spec.cidr is no CIDR' },
    ]);
  });
});

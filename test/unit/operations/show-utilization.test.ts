import { expect } from 'chai';
import { NotFoundError } from '../../../src/errors/not-found-error.ts';
import type { Row } from '../../../src/ipam/model/row.ts';
import {
  type ShowUtilizationOptions,
  showUtilization,
} from '../../../src/operations/show-utilization.ts';
import {
  aBlock,
  aNode,
  aPod,
  aPool,
  aReservation,
  coolingSlot,
  net,
  podSlot,
  tunnelSlot,
} from '../../support/builders.ts';
import { aClusterInformation, aConfig } from '../../support/settings-builders.ts';
import { ScriptedDatastore, contextOf } from '../../support/scripted-datastore.ts';

const ROWS: readonly Row[] = [
  aClusterInformation({ clusterGUID: 'guid' }),
  aPool('main', '10.0.0.0/24', { blockSize: 29 }),
  aPool('old', '10.1.0.0/24', { disabled: true }),
  aReservation('r', '10.0.0.6/31'),
  aBlock('10.0.0.0/29', {
    0: tunnelSlot('node-a'),
    1: podSlot('shop/cart', 'node-a'),
    2: podSlot('shop/gone', 'node-a'),
    3: podSlot('pay/till', 'node-b'),
    4: coolingSlot(),
  }),
  aBlock('10.0.0.8/29', {}, { affinity: 'host:node-x' }),
  aBlock('10.0.0.16/29', {}, { affinity: undefined }),
  aBlock('10.0.0.24/29', {}, { affinity: 'virtual:load-balancer' }),
  aBlock(
    '10.9.0.0/29',
    { 1: podSlot('pay/lost', 'node-b'), 2: { handle: 'h', owner: {} } },
    { affinity: undefined },
  ),
  aNode('node-a', { vxlan: '10.0.0.0' }),
  aNode('node-b'),
  aPod('shop/cart', 'node-a', '10.0.0.1'),
  aPod('pay/till', 'node-b', '10.0.0.3'),
];

async function show(options: ShowUtilizationOptions = {}, rows = ROWS) {
  const { document } = await showUtilization(contextOf(new ScriptedDatastore(rows)), options);
  return document;
}

describe('operations/show-utilization', () => {
  it('names rows that cannot be read, since it cannot count them, and is silent without any', async () => {
    const damaged: readonly Row[] = [
      { kind: 'IPPool', key: { name: 'odd' }, unreadable: 'spec.blockSize 33 is no size' },
      { kind: 'IPAMBlock', key: { name: '' }, unreadable: 'it has no name' },
    ];
    expect((await show({}, [...ROWS, ...damaged])).unreadable).to.deep.equal([
      { kind: 'IPAMBlock', name: '', problem: 'it has no name' },
      { kind: 'IPPool', name: 'odd', problem: 'spec.blockSize 33 is no size' },
    ]);
    expect(await show()).to.not.have.property('unreadable');
  });

  it('says first that the datastore is locked, when it is', async () => {
    const locked = ROWS.map((row) =>
      row.kind === 'ClusterInformation' ? aClusterInformation({ datastoreReady: false }) : row,
    );
    const [hint] = (await show({ pool: 'main' }, locked)).hints;
    expect(hint?.code).to.equal('datastore-locked');
    expect(hint?.message).to.contain('ipamctl datastore migrate status');
    expect((await show()).hints.map(({ code }) => code)).to.not.include('datastore-locked');
  });

  it('counts pools by name and what lies outside', async () => {
    const document = await show();
    expect(document.pools).to.deep.equal([
      {
        name: 'main',
        cidr: '10.0.0.0/24',
        disabled: false,
        blockSize: 29,
        total: 256n,
        inUse: 5,
        cooling: 1,
        reserved: 2n,
        free: 249n,
        borrowed: 1,
        blocks: {
          inUse: 4,
          possible: 32n,
          byState: { affine: 2, virtual: 1, unaffined: 1, missingNode: undefined },
        },
      },
      {
        name: 'old',
        cidr: '10.1.0.0/24',
        disabled: true,
        blockSize: 26,
        total: 256n,
        inUse: 0,
        cooling: 0,
        reserved: 0n,
        free: 256n,
        borrowed: 0,
        blocks: {
          inUse: 0,
          possible: 4n,
          byState: { affine: 0, virtual: 0, unaffined: 0, missingNode: undefined },
        },
      },
    ]);
    expect(document.outsidePools).to.deep.include({ inUse: 2, cooling: 0, borrowed: 1 });
    expect(document.source).to.include({ datastore: 'kubernetes', clusterGUID: 'guid' });
    expect(document).to.not.have.any.keys('nodes', 'namespaces');
  });

  it('reads five kinds of a live cluster when nothing more is asked for', async () => {
    const datastore = new ScriptedDatastore(ROWS);
    await showUtilization(contextOf(datastore), { showBlocks: true, by: 'namespace' });
    expect(datastore.requests).to.have.members([
      'list ClusterInformation',
      'list IPPool',
      'list IPReservation',
      'list IPAMBlock',
      'list IPAMConfig',
    ]);
  });

  it('answers on a snapshot as on a live cluster', async () => {
    class Snapshot extends ScriptedDatastore {
      override readonly capabilities = { live: false, writable: false };
    }
    const { document } = await showUtilization(contextOf(new Snapshot(ROWS)), {});
    expect(document).to.deep.equal(await show());
  });

  it('reads nodes too under strict affinity, where one without a block can assign nothing', async () => {
    const datastore = new ScriptedDatastore([...ROWS, aConfig({ strictAffinity: true })]);
    await showUtilization(contextOf(datastore), {});
    expect(datastore.requests).to.include('list Node');
  });

  it('lists blocks with their owners', async () => {
    const { pools, outsidePools } = await show({ showBlocks: true });
    expect(pools[0]?.blockList?.map(({ cidr, affinity }) => [cidr, affinity])).to.deep.equal([
      ['10.0.0.0/29', 'host:node-a'],
      ['10.0.0.8/29', 'host:node-x'],
      ['10.0.0.16/29', undefined],
      ['10.0.0.24/29', 'virtual:load-balancer'],
    ]);
    expect(pools[0]?.blockList?.[0]).to.include({
      total: 8n,
      inUse: 5,
      cooling: 1,
      reserved: 2n,
      free: 1n,
      borrowed: 1,
    });
    expect(outsidePools.blockList).to.have.length(1);
  });

  it('draws each address of a block', async () => {
    const { pools } = await show({ map: true });
    expect(pools[0]?.blockList?.[0]?.cells).to.equal('##Lbc.rr');
  });

  it('draws no leak that it has no evidence for', async () => {
    const pending = { ...aPod('shop/gone', 'node-a'), addresses: [] };
    const { pools } = await show({ map: true }, [...ROWS, pending]);
    expect(pools[0]?.blockList?.[0]?.cells).to.equal('###bc.rr');
  });

  it('does not draw a block of more addresses than a screen could hold', async () => {
    const large = aBlock(
      'fd00::/122',
      {},
      { cidr: net('fd00::/64'), allocations: [], unallocated: [] },
    );
    const { outsidePools } = await show({ map: true }, [...ROWS, large]);
    expect(outsidePools.blockList?.at(-1)).to.include({ cidr: 'fd00::/64', total: 2n ** 64n });
    expect(outsidePools.blockList?.at(-1)).to.not.have.property('cells');
  });

  it('counts by node, blocks of absent nodes and addresses of no node included', async () => {
    const { nodes, pools } = await show({ by: 'node' });
    expect(nodes).to.deep.equal([
      { name: 'node-a', exists: true, blocks: 1, assigned: 3, borrowed: 0, freeInOwnBlocks: 1n },
      { name: 'node-b', exists: true, blocks: 0, assigned: 2, borrowed: 2, freeInOwnBlocks: 0n },
      { name: 'node-x', exists: false, blocks: 1, assigned: 0, borrowed: 0, freeInOwnBlocks: 8n },
      { blocks: 0, assigned: 1, borrowed: 0, freeInOwnBlocks: 0n },
    ]);
    expect(pools[0]?.blocks.byState).to.deep.equal({
      affine: 1,
      virtual: 1,
      unaffined: 1,
      missingNode: 1,
    });
  });

  it('takes a node whose row cannot be read for one that exists', async () => {
    const row: Row = {
      kind: 'Node',
      key: { name: 'node-x' },
      unreadable: 'metadata.labels is a list',
    };
    const { nodes, pools } = await show({ by: 'node' }, [...ROWS, row]);
    expect(nodes?.find(({ name }) => name === 'node-x')).to.include({ exists: true });
    expect(pools[0]?.blocks.byState).to.include({ affine: 2, missingNode: 0 });
  });

  it('counts by namespace', async () => {
    const { namespaces } = await show({ by: 'namespace' });
    expect(namespaces).to.deep.equal([
      { name: 'pay', assigned: 2 },
      { name: 'shop', assigned: 2 },
      { assigned: 2 },
    ]);
  });

  it('counts one pool only when asked for it', async () => {
    const { pools, nodes } = await show({ pool: 'main', by: 'node', showBlocks: true });
    expect(pools.map(({ name }) => name)).to.deep.equal(['main']);
    expect(nodes?.find(({ name }) => name === 'node-b')).to.include({ assigned: 1, borrowed: 1 });
  });

  it('tells of one node only when asked for it', async () => {
    const { nodes, pools } = await show({ node: 'node-x', showBlocks: true });
    expect(nodes?.map(({ name }) => name)).to.deep.equal(['node-x']);
    expect(pools[0]?.blockList?.map(({ cidr }) => cidr)).to.deep.equal(['10.0.0.8/29']);
  });

  it('names the pools and nodes that exist when another is asked for', async () => {
    await refused({ pool: 'mian' }, 'pool mian does not exist', 'There is main, old.');
    await refused(
      { node: 'node-c' },
      'node node-c does not exist',
      'There is node-a, node-b, node-x.',
    );
  });

  it('finds a node that is gone but still holds addresses', async () => {
    const rows = ROWS.filter((row) => row.kind !== 'Node');
    const { nodes } = await show({ node: 'node-b' }, rows);
    expect(nodes).to.deep.include({
      name: 'node-b',
      exists: false,
      blocks: 0,
      assigned: 2,
      borrowed: 2,
      freeInOwnBlocks: 0n,
    });
  });
});

async function refused(
  options: ShowUtilizationOptions,
  message: string,
  hint: string,
): Promise<void> {
  const error: unknown = await show(options).catch((reason: unknown) => reason);
  expect(error).to.be.instanceOf(NotFoundError);
  expect(error).to.include({ message, hint });
}

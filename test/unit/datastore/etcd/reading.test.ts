import { expect } from 'chai';
import { type Datastore, StreamRestart } from '../../../../src/datastore/datastore.ts';
import { EtcdDatastore } from '../../../../src/datastore/etcd/etcd-datastore.ts';
import { AccessDeniedError } from '../../../../src/errors/access-denied-error.ts';
import type { ResourceKind } from '../../../../src/ipam/model/resource.ts';
import type { Row } from '../../../../src/ipam/model/row.ts';
import { drain } from '../../../support/drain.ts';
import { MemoryEtcd } from '../../../support/memory-etcd.ts';
import { failureOf } from '../../../support/temp-folder.ts';

const IPAM = '/calico/ipam/v2';
const RESOURCES = '/calico/resources/v3/projectcalico.org';
const BLOCK = `${IPAM}/assignment/ipv4/block/10.0.0.0-30`;

async function rowsOf(datastore: Datastore, kind: ResourceKind): Promise<readonly Row[]> {
  return drain((await datastore.list(kind, { keep: () => true })).rows);
}

describe('datastore/etcd/etcd-reader', () => {
  let etcd: MemoryEtcd;
  let datastore: EtcdDatastore;

  beforeEach(() => {
    etcd = new MemoryEtcd();
    datastore = new EtcdDatastore(etcd, { pageSize: 2 });
  });

  it('says where it is, and that rows may change', () => {
    expect(datastore.describe()).to.deep.equal({
      datastore: 'etcd',
      server: etcd.displayEndpoints,
    });
    expect(datastore.capabilities).to.deep.equal({ live: true, writable: true });
  });

  it('reads blocks of old releases: without attributes and numbers, with a dead owner field', async () => {
    etcd.put(
      BLOCK,
      '{"cidr":"10.0.0.0/30","affinity":null,"hostAffinity":"node-a","allocations":[null,null,null,null],"unallocated":[0,1,2,3],"attributes":null}',
    );
    const [row] = await rowsOf(datastore, 'IPAMBlock');
    expect(row).to.deep.include({
      revision: '2',
      attributes: [],
      sequenceNumber: 0n,
      affinity: undefined,
      misreadings: [],
    });
  });

  it('lists affinities of hosts, virtual owners and the historic type, also empty ones, but no marks of hosts', async () => {
    etcd.put(`${IPAM}/@/host/ipv4/block/10.0.0.0-30`, '{}');
    etcd.put(`${IPAM}/host/node-a`, '{}');
    etcd.put(`${IPAM}/host/node-a/ipv4/block/10.0.0.4-30`, '');
    etcd.put(`${IPAM}/virtual/load-balancer/ipv6/block/fd00::-126`, '{"state":"confirmed"}');
    const rows = await rowsOf(datastore, 'BlockAffinity');
    expect(rows.map(({ key }) => key.name)).to.deep.equal([
      'host/node-a/ipv4/block/10.0.0.4-30',
      'virtual/load-balancer/ipv6/block/fd00::-126',
      '@/host/ipv4/block/10.0.0.0-30',
    ]);
    expect(rows.map((row) => 'state' in row && row.state)).to.deep.equal(['', 'confirmed', '']);
  });

  it('lists handles whose id holds a slash, and keeps the case of ids', async () => {
    etcd.put(`${IPAM}/handle/a/B`, '{"block":{"10.0.0.0/30":1},"deleted":false}');
    const [row] = await rowsOf(datastore, 'IPAMHandle');
    expect(row).to.deep.include({ id: 'a/B', key: { name: 'a/B' } });
    expect(await datastore.get('IPAMHandle', { name: 'a/B' })).to.deep.include({ id: 'a/B' });
  });

  it('gives an unreadable row for each value that does not parse, and drops none', async () => {
    etcd.put(`${IPAM}/handle/one`, 'no json');
    etcd.put(`${IPAM}/handle/two`, '');
    etcd.put(`${IPAM}/handle/three`, undefined);
    etcd.put(`${IPAM}/handle/four`, '[]');
    const rows = await rowsOf(datastore, 'IPAMHandle');
    expect(rows.map((row) => [row.key.name, 'unreadable' in row && row.unreadable])).to.deep.equal([
      ['four', 'its value […] is no object'],
      ['one', 'its value "no json" is no object'],
      ['three', 'its key or its value is no text in UTF-8'],
      ['two', 'its value is empty'],
    ]);
    expect(rows.map(({ revision }) => revision)).to.deep.equal(['5', '2', '4', '3']);
  });

  it('reads the configuration of IPAM, not the resource of that name', async () => {
    etcd.put(`${RESOURCES}/ipamconfigurations/default`, '{"spec":{"strictAffinity":true}}');
    expect(await rowsOf(datastore, 'IPAMConfig')).to.deep.equal([]);
    etcd.put(`${IPAM}/config`, '{}');
    const [row] = await rowsOf(datastore, 'IPAMConfig');
    expect(row).to.include({ strictAffinity: false, autoAllocateBlocks: false });
  });

  it('knows nothing of pods, services and machines', async () => {
    for (const kind of ['Pod', 'Service', 'VirtualMachine', 'VirtualMachineInstance'] as const) {
      expect((await datastore.list(kind)).absent).to.equal('not-loaded');
      expect(await datastore.get(kind, { namespace: 'a', name: 'b' })).to.equal(undefined);
    }
    expect(etcd.requests).to.deep.equal([]);
  });

  it('gives the stored entry beside a row that is kept, and beside no other', async () => {
    etcd.put(`${IPAM}/host/node-a/ipv4/block/10.0.0.4-30`, '');
    etcd.put(`${IPAM}/host/node-b/ipv4/block/10.0.0.8-30`, '{"state":"pending","more":1}');
    const { rows } = await datastore.list('BlockAffinity', {
      keep: ({ key }) => key.name.includes('node-b'),
    });
    const [one, other] = await drain(rows);
    expect(one).to.not.have.property('entry');
    expect(other).to.have.deep.property('object', { state: 'pending', more: 1 });
    expect(other?.entry?.path).to.equal(`${IPAM}/host/node-b/ipv4/block/10.0.0.8-30`);
  });

  it('reads all folders of a kind at the revision of the first page', async () => {
    for (const n of [0, 4, 8]) etcd.put(`${IPAM}/host/node-a/ipv4/block/10.0.0.${n}-30`, '');
    etcd.put(`${IPAM}/virtual/load-balancer/ipv4/block/10.0.1.0-30`, '');
    etcd.onRequest = (request) => {
      if (request.startsWith('range') && request.includes('virtual'))
        etcd.put(`${IPAM}/virtual/load-balancer/ipv4/block/10.0.2.0-30`, '');
    };
    const listing = await datastore.list('BlockAffinity');
    expect(listing.revision).to.equal('5');
    expect(await drain(listing.rows)).to.have.length(4);
    expect(etcd.requests.slice(1).every((request) => request.endsWith(' at 5'))).to.equal(true);
  });

  it('has the list taken again when its revision is compacted meanwhile', async () => {
    for (const n of [1, 2, 3]) etcd.put(`${IPAM}/handle/${n}`, '{}');
    const { rows } = await datastore.list('IPAMHandle');
    etcd.put(`${IPAM}/handle/4`, '{}');
    etcd.compacted = 5n;
    expect(await failureOf(drain(rows))).to.be.instanceOf(StreamRestart);
    expect(await rowsOf(datastore, 'IPAMHandle')).to.have.length(4);
  });

  it('names all folders that a user may not read', async () => {
    etcd.onRequest = (request) => {
      const resource = request.split(' ')[1] ?? '';
      throw new AccessDeniedError(`no ${resource}`, {
        details: { denied: [{ verb: 'list', resource }] },
      });
    };
    const error = await failureOf(datastore.list('BlockAffinity'));
    expect(error).to.be.instanceOf(AccessDeniedError);
    expect(error.message).to.equal(
      `access denied: list ${IPAM}/host/, list ${IPAM}/virtual/, list ${IPAM}/@/`,
    );
    expect(error).to.have.nested.property('details.denied').with.length(3);
    expect((await failureOf(datastore.list('IPPool'))).message).to.equal(
      `no ${RESOURCES}/ippools/`,
    );
  });

  it('compares revisions as numbers', () => {
    const compare = (a: string, b: string) => datastore.compareRevisions(a as never, b as never);
    expect([compare('9', '10'), compare('10', '10'), compare('11', '9')]).to.deep.equal([-1, 0, 1]);
    expect(compare('content-1', '2')).to.equal(undefined);
  });

  it('pins a view that nothing changes', async () => {
    etcd.put(BLOCK, '{"cidr":"10.0.0.0/30"}');
    const view = await datastore.pin();
    etcd.drop(BLOCK);
    etcd.put(`${IPAM}/handle/late`, '{}');
    expect(view.revision).to.equal('2');
    expect(view.datastore.capabilities.live).to.equal(false);
    expect(await rowsOf(view.datastore, 'IPAMBlock')).to.have.length(1);
    expect(await rowsOf(view.datastore, 'IPAMHandle')).to.deep.equal([]);
    expect(await view.datastore.get('IPAMBlock', { name: 'ipv4/block/10.0.0.0-30' })).to.include({
      revision: '2',
    });
    expect(await rowsOf(datastore, 'IPAMBlock')).to.deep.equal([]);
    etcd.compacted = 4n;
    expect(await failureOf(rowsOf(view.datastore, 'IPAMBlock'))).to.include({
      name: 'CompactedError',
    });
  });

  it('closes the client, and reads nothing afterwards', async () => {
    await datastore.close();
    expect(etcd.isClosed).to.equal(true);
    expect(await failureOf(datastore.list('IPPool'))).to.include({ name: 'InternalError' });
    expect(await failureOf(datastore.objects.list('Tier'))).to.include({ name: 'InternalError' });
  });
});

import { expect } from 'chai';
import { MemoryDatastore } from '../../../../src/datastore/memory/memory-datastore.ts';
import { InternalError } from '../../../../src/errors/internal-error.ts';
import type { HandleRow } from '../../../../src/ipam/model/handle.ts';
import type { Revision } from '../../../../src/ipam/model/resource.ts';
import { parseCidr } from '../../../../src/net/cidr.ts';
import { failureOf } from '../../../support/temp-folder.ts';

const NOW = Date.UTC(2026, 10, 29, 12);

const memory = (flavor: 'crd' | 'v3' | 'etcd'): MemoryDatastore =>
  new MemoryDatastore({ datastore: 'memory' }, { flavor, now: () => NOW });

const handle = (datastore: MemoryDatastore, id: string): HandleRow => ({
  kind: 'IPAMHandle',
  key: datastore.keys.handle(id),
  id,
  counts: [],
  deleted: false,
});

describe('datastore/memory: writing', () => {
  it('stamps new rows the same way each time', async () => {
    const datastore = memory('crd');
    const row = await datastore.create(handle(datastore, 'A'));
    expect(row).to.deep.include({
      key: { name: 'a' },
      id: 'A',
      revision: '1',
      uid: '00000000-0000-4000-8000-000000000001',
      createdAt: NOW,
    });
  });

  it('counts revisions on above every one that was put', async () => {
    const datastore = memory('crd');
    datastore.put('IPPool', {
      apiVersion: 'crd.projectcalico.org/v1',
      kind: 'IPPool',
      metadata: { name: 'p', resourceVersion: '9007199254740993' },
      spec: { cidr: '192.0.2.0/24' },
    });
    const row = await datastore.create(handle(datastore, 'a'));
    expect(row.revision).to.equal('9007199254740994');
  });

  it('counts the generation of an object, and keeps the revision of a write that changes nothing', async () => {
    const datastore = memory('v3');
    const created = await datastore.create(handle(datastore, 'a'));
    const same = await datastore.update(created);
    expect(same.revision).to.equal(created.revision);
    const counts = [{ text: '192.0.2.0/26', cidr: parseCidr('192.0.2.0/26'), count: 1 }];
    const updated = await datastore.update({ ...created, counts });
    expect(updated.object).to.have.nested.property('metadata.generation', 2);
  });

  it('keeps rows of etcd under their keys, each write under a new revision', async () => {
    const datastore = memory('etcd');
    const created = await datastore.create(handle(datastore, 'With/Slash'));
    expect(created.key).to.deep.equal({ name: 'With/Slash' });
    expect(datastore.storedObjects()).to.deep.equal([
      {
        kind: 'IPAMHandle',
        path: '/calico/ipam/v2/handle/With/Slash',
        value: { block: {}, deleted: false },
      },
    ]);
    const again = await datastore.update(created);
    expect(again.revision).not.to.equal(created.revision);
    expect(await datastore.get('IPAMHandle', created.key)).to.include({ id: 'With/Slash' });
    await datastore.remove({ ...again, revision: again.revision as Revision });
    expect(datastore.storedObjects()).to.deep.equal([]);
  });

  it('names the rows of etcd by owner and block', () => {
    const cidr = parseCidr('2001:db8::/122')!;
    const { keys } = memory('etcd');
    expect(keys.block(cidr).name).to.equal('ipv6/block/2001:db8::-122');
    expect(keys.affinity({ type: 'virtual', host: 'load-balancer' }, cidr).name).to.equal(
      'virtual/load-balancer/ipv6/block/2001:db8::-122',
    );
  });

  it('gives rows of a dump without revisions one that is made of their content', async () => {
    const open = (count: number): MemoryDatastore => {
      const datastore = memory('crd');
      datastore.put('IPAMHandle', {
        apiVersion: 'crd.projectcalico.org/v1',
        kind: 'IPAMHandle',
        metadata: { name: 'a' },
        spec: { handleID: 'a', block: { '192.0.2.0/26': count }, deleted: false },
      });
      return datastore;
    };
    const revisionOf = async (datastore: MemoryDatastore) =>
      (await datastore.get('IPAMHandle', { name: 'a' }))?.revision;
    expect(await revisionOf(open(1))).to.equal(await revisionOf(open(1)));
    expect(await revisionOf(open(1))).not.to.equal(await revisionOf(open(2)));
    const { rows } = await open(1).list('IPAMHandle');
    for await (const [row] of rows) expect(row?.revision).to.equal(await revisionOf(open(1)));
  });

  it('does not update a row without its revision', async () => {
    const datastore = memory('crd');
    const { revision: _revision, ...row } = await datastore.create(handle(datastore, 'a'));
    expect(await failureOf(datastore.update(row))).to.be.instanceOf(InternalError);
  });
});

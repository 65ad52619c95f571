import { expect } from 'chai';
import type { WritableRow } from '../../../../src/datastore/datastore.ts';
import { EtcdDatastore } from '../../../../src/datastore/etcd/etcd-datastore.ts';
import { AlreadyExistsError } from '../../../../src/errors/already-exists-error.ts';
import { ConflictError } from '../../../../src/errors/conflict-error.ts';
import { NotFoundError } from '../../../../src/errors/not-found-error.ts';
import type { Revision } from '../../../../src/ipam/model/resource.ts';
import { ENTRY_KEYS } from '../../../../src/ipam/model/row-keys.ts';
import { aBlock, aHandle, aPool, anAffinity, net, podSlot } from '../../../support/builders.ts';
import { MemoryEtcd } from '../../../support/memory-etcd.ts';
import { failureOf } from '../../../support/temp-folder.ts';

const IPAM = '/calico/ipam/v2';
const RESOURCES = '/calico/resources/v3/projectcalico.org';
const NOON = Date.UTC(2026, 10, 29, 12);
const UID = '0f1e2d3c-4b5a-4697-8877-665544332211';
const HANDLE = `${IPAM}/handle/One`;

/** A row under its key in etcd. */
function inEtcd<R extends WritableRow>(row: R): R {
  const fresh = { ...row, revision: undefined, uid: undefined, createdAt: undefined };
  if (row.kind === 'IPAMBlock') return { ...fresh, key: ENTRY_KEYS.block(row.cidr) };
  if (row.kind === 'BlockAffinity') return { ...fresh, key: ENTRY_KEYS.affinity(row, row.cidr) };
  return row.kind === 'IPAMHandle' ? { ...fresh, key: ENTRY_KEYS.handle(row.id) } : fresh;
}

const handle = () => inEtcd(aHandle('One', { '10.0.0.0/30': 1 }));
const versionOf = ({ kind, key, revision }: WritableRow) => ({
  ...{ kind, key, revision: revision as Revision },
});

describe('datastore/etcd/row-writer', () => {
  let etcd: MemoryEtcd;
  let datastore: EtcdDatastore;

  beforeEach(() => {
    etcd = new MemoryEtcd();
    datastore = new EtcdDatastore(etcd, { stamps: { now: () => NOON + 999, uid: () => UID } });
  });

  it('writes a block as Calico does, with numbers of members in the order of their texts', async () => {
    const slots = { 2: podSlot('a/b', 'node-<1>'), 10: podSlot('a/b', 'node-<1>') };
    const block = inEtcd(aBlock('10.0.0.0/28', slots));
    const numbers = new Map([2, 10].map((ordinal) => [ordinal, 1764426000123456789n] as const));
    await datastore.create({ ...block, sequenceNumbers: numbers });
    const text = etcd.text(`${IPAM}/assignment/ipv4/block/10.0.0.0-28`) ?? '';
    expect(text).to.include(
      '"sequenceNumberForAllocation":{"10":1764426000123456789,"2":1764426000123456789}',
    );
    expect(text).to.include('"node":"node-\\u003c1\\u003e"').and.not.include('strictAffinity');
  });

  it('writes affinities under their type and handles under their id as it is', async () => {
    await datastore.create(inEtcd(anAffinity('node/a', '10.0.0.0/30')));
    await datastore.create(inEtcd(anAffinity('lb', 'fd00::/126', { type: 'virtual' })));
    await datastore.create({ ...handle(), id: 'a/B', key: ENTRY_KEYS.handle('a/B') });
    expect(etcd.text(`${IPAM}/host/node%2fa/ipv4/block/10.0.0.0-30`)).to.equal(
      '{"state":"confirmed","deleted":false}',
    );
    expect(etcd.text(`${IPAM}/virtual/lb/ipv6/block/fd00::-126`)).to.be.a('string');
    expect(etcd.text(`${IPAM}/handle/a/B`)).to.equal('{"block":{"10.0.0.0/30":1},"deleted":false}');
  });

  it('gives a pool that it makes a uid and a time of its own', async () => {
    const pool = { ...aPool('main', '10.0.0.0/16'), revision: undefined };
    const created = await datastore.create(pool);
    const text = etcd.text(`${RESOURCES}/ippools/main`) ?? '';
    expect(text).to.match(
      new RegExp(
        `^{"kind":"IPPool","apiVersion":"projectcalico.org/v3","metadata":{"name":"main","uid":"${UID}","creationTimestamp":"2026-11-29T12:00:00Z"},"spec":{`,
      ),
    );
    expect(created).to.include({ revision: '2', uid: UID, createdAt: NOON });
    const { object } = await datastore.update({ ...created, disabled: true });
    expect(object).to.have.nested.include({ 'metadata.uid': UID, 'spec.disabled': true });
  });

  it('refuses what is there, and replaces the leftover of a soft deletion in one step', async () => {
    etcd.put(HANDLE, '{"block":{},"deleted":true}');
    const created = await datastore.create(handle());
    expect(created.deleted).to.equal(false);
    expect(etcd.requests).to.deep.equal([`create ${HANDLE}`, `replace ${HANDLE}`]);
    expect(await failureOf(datastore.create(handle()))).to.be.instanceOf(AlreadyExistsError);
  });

  it('keeps members that it does not know, of a row that came without its value too', async () => {
    etcd.put(HANDLE, '{"block":{"10.0.0.0/30":1},"deleted":false,"later":[1]}');
    await datastore.update({ ...handle(), revision: '2' as Revision, counts: [] });
    expect(etcd.text(HANDLE)).to.equal('{"block":{},"deleted":false,"later":[1]}');
  });

  it('tells a row that changed from one that is gone', async () => {
    const created = await datastore.create(handle());
    etcd.put(HANDLE, '{"block":{}}');
    const { object: _object, ...bare } = created;
    for (const row of [created, bare])
      expect(await failureOf(datastore.update(row))).to.be.instanceOf(ConflictError);
    expect(await failureOf(datastore.remove(versionOf(created)))).to.be.instanceOf(ConflictError);
    etcd.drop(HANDLE);
    for (const row of [created, bare])
      expect(await failureOf(datastore.update(row))).to.be.instanceOf(NotFoundError);
    expect(await failureOf(datastore.remove(versionOf(created)))).to.be.instanceOf(NotFoundError);
  });

  it('finds out what became of a write whose answer was lost', async () => {
    etcd.faults.push('answer-lost', 'answer-lost', 'answer-lost');
    const created = await datastore.create(handle());
    const updated = await datastore.update({ ...created, counts: [] });
    expect(updated.revision).to.equal('3');
    await datastore.remove(versionOf(updated));
    expect(etcd.text(HANDLE)).to.equal(undefined);
  });

  it('fails when a write did not arrive', async () => {
    etcd.faults.push('never-sent');
    expect(await failureOf(datastore.create(handle()))).to.include({ code: 'UNAVAILABLE' });
    const created = await datastore.create(handle());
    etcd.faults.push('never-sent', 'never-sent');
    const update = datastore.update({ ...created, counts: [] });
    expect(await failureOf(update)).to.include({ code: 'UNAVAILABLE' });
    expect(await failureOf(datastore.remove(versionOf(created)))).to.include({
      code: 'UNAVAILABLE',
    });
    expect((await datastore.get('IPAMHandle', { name: 'One' }))?.revision).to.equal(
      created.revision,
    );
  });

  it('does not take the write of somebody else for its own when an answer is lost', async () => {
    const created = await datastore.create(handle());
    etcd.faults.push('answer-lost');
    etcd.onRequest = (request) => {
      if (request.startsWith('get')) etcd.put(HANDLE, '{"block":{"10.0.0.4/30":1}}');
    };
    expect(await failureOf(datastore.update({ ...created, counts: [] }))).to.be.instanceOf(
      ConflictError,
    );
    etcd.onRequest = () => undefined;
    etcd.faults.push('never-sent');
    etcd.drop(HANDLE);
    etcd.put(HANDLE, '{"block":{}}');
    await datastore.remove(versionOf(created));
    expect(etcd.text(HANDLE)).to.equal('{"block":{}}');
  });

  it('forgets a host only as it is, and one that is not there', async () => {
    etcd.put(`${IPAM}/host/node-a`, '{}');
    let changes = 2;
    etcd.onRequest = (request) => {
      if (request.startsWith('remove') && changes-- > 0) etcd.put(`${IPAM}/host/node-a`, '{}');
    };
    await datastore.forgetHost('node-a');
    await datastore.forgetHost('node-b');
    expect(etcd.text(`${IPAM}/host/node-a`)).to.equal(undefined);
  });

  it('refuses before it writes what nobody could read', async () => {
    const row = { ...handle(), counts: [{ text: 'x', cidr: undefined, count: -1 }] };
    expect(await failureOf(datastore.create(row))).to.include({ name: 'InternalError' });
    expect(etcd.requests).to.deep.equal([]);
  });

  it('writes the configuration at its one key', async () => {
    await datastore.create({
      kind: 'IPAMConfig',
      key: { name: 'default' },
      strictAffinity: true,
      autoAllocateBlocks: false,
      maxBlocksPerHost: 2,
      kubeVirtVMAddressPersistence: 'Disabled',
      ipCooldownSeconds: 60,
    });
    expect(etcd.text(`${IPAM}/config`)).to.equal(
      '{"strict_affinity":true,"maxBlocksPerHost":2,"kubeVirtVMAddressPersistence":"Disabled","ipCooldownSeconds":60}',
    );
  });

  it('cuts its keys from prefixes, whatever their spelling', () => {
    expect(ENTRY_KEYS.block(net('fd00:10:244::40/122'))).to.deep.equal({
      name: 'ipv6/block/fd00:10:244::40-122',
    });
  });
});

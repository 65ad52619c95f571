import { expect } from 'chai';
import { EtcdDatastore } from '../../../../src/datastore/etcd/etcd-datastore.ts';
import { AlreadyExistsError } from '../../../../src/errors/already-exists-error.ts';
import { ConflictError } from '../../../../src/errors/conflict-error.ts';
import { DataError } from '../../../../src/errors/data-error.ts';
import { NotFoundError } from '../../../../src/errors/not-found-error.ts';
import type { JsonObject } from '../../../../src/ipam/model/resource.ts';
import { drain } from '../../../support/drain.ts';
import { MemoryEtcd } from '../../../support/memory-etcd.ts';
import { failureOf } from '../../../support/temp-folder.ts';

const ROOT = '/calico/resources/v3/projectcalico.org';
const UID = '0f1e2d3c-4b5a-4697-8877-665544332211';
const NOON = '2026-11-29T12:00:00Z';

const policy: JsonObject = {
  apiVersion: 'projectcalico.org/v3',
  kind: 'NetworkPolicy',
  metadata: { name: 'allow', namespace: 'shop', labels: { b: '1', a: '2' } },
  spec: { order: 7, selector: "role == 'web' && has(tier)" },
};

describe('datastore/etcd/etcd-objects', () => {
  let etcd: MemoryEtcd;
  let objects: EtcdDatastore['objects'];

  beforeEach(() => {
    etcd = new MemoryEtcd();
    const stamps = { now: () => Date.parse(NOON), uid: () => UID };
    ({ objects } = new EtcdDatastore(etcd, { pageSize: 2, stamps }));
  });

  async function all(kind: Parameters<typeof objects.list>[0]): Promise<readonly JsonObject[]> {
    return await drain((await objects.list(kind)).objects);
  }

  it('makes an object as Calico does: stamped, sorted, and a policy with its name once more', async () => {
    const created = await objects.create('NetworkPolicy', policy);
    expect(etcd.text(`${ROOT}/networkpolicies/shop/allow`)).to.equal(
      `{"kind":"NetworkPolicy","apiVersion":"projectcalico.org/v3","metadata":{"name":"allow","namespace":"shop","uid":"${UID}","creationTimestamp":"${NOON}","labels":{"a":"2","b":"1"},"annotations":{"projectcalico.org/metadata":"{\\"name\\":\\"allow\\"}"}},"spec":{"order":7,"selector":"role == 'web' \\u0026\\u0026 has(tier)"}}`,
    );
    expect(created).to.deep.equal({
      ...policy,
      metadata: {
        ...(policy['metadata'] as JsonObject),
        uid: UID,
        creationTimestamp: NOON,
        resourceVersion: '2',
      },
    });
    expect(await objects.get('NetworkPolicy', { namespace: 'shop', name: 'allow' })).to.deep.equal(
      created,
    );
    expect(await failureOf(objects.create('NetworkPolicy', policy))).to.be.instanceOf(
      AlreadyExistsError,
    );
  });

  it('lists every object of a kind over all pages, whatever page they are on', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e'])
      etcd.put(`${ROOT}/tiers/${name}`, `{"kind":"Tier","metadata":{"name":"${name}"},"spec":{}}`);
    const names = (await all('Tier')).map(({ metadata }) => (metadata as JsonObject)['name']);
    expect(names).to.deep.equal(['a', 'b', 'c', 'd', 'e']);
    expect(await all('BGPPeer')).to.deep.equal([]);
  });

  it('updates under the revision that was read, and keeps fields, uid and creation time', async () => {
    etcd.put(
      `${ROOT}/nodes/node-a`,
      `{"kind":"Node","apiVersion":"projectcalico.org/v3","metadata":{"name":"node-a","uid":"u","creationTimestamp":"t"},"spec":{"later":1},"status":{}}`,
    );
    const [node] = await all('Node');
    const bare = { name: 'node-a', resourceVersion: '2' };
    const updated = await objects.update('Node', { ...node, metadata: bare });
    expect(updated).to.deep.nested.include({
      'metadata.uid': 'u',
      'metadata.creationTimestamp': 't',
      'metadata.resourceVersion': '3',
      'spec.later': 1,
    });
    expect(etcd.text(`${ROOT}/nodes/node-a`)).to.not.include('resourceVersion');
    expect(await failureOf(objects.update('Node', node ?? {}))).to.be.instanceOf(ConflictError);
    expect(await failureOf(objects.remove('Node', node ?? {}))).to.be.instanceOf(ConflictError);
    await objects.remove('Node', updated);
    expect(await failureOf(objects.remove('Node', updated))).to.be.instanceOf(NotFoundError);
    expect(await objects.get('Node', { name: 'node-a' })).to.equal(undefined);
  });

  for (const [problem, value] of [
    ['no JSON', 'x'],
    ['no object', '[]'],
    ['another name than its key', '{"metadata":{"name":"other"}}'],
  ] as const) {
    it(`fails, naming the key, for a value that is ${problem}`, async () => {
      etcd.put(`${ROOT}/felixconfigurations/default`, value);
      const error = await failureOf(all('FelixConfiguration'));
      expect(error).to.be.instanceOf(DataError);
      expect(error.message).to.include(`${ROOT}/felixconfigurations/default cannot be read`);
    });
  }

  it('needs a revision to write', async () => {
    expect(await failureOf(objects.update('NetworkPolicy', policy))).to.include({
      name: 'InternalError',
    });
  });
});

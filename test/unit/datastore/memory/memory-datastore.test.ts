import { expect } from 'chai';
import { MemoryDatastore } from '../../../../src/datastore/memory/memory-datastore.ts';
import type { JsonObject, ResourceKind, Revision } from '../../../../src/ipam/model/resource.ts';
import type { Row } from '../../../../src/ipam/model/row.ts';

function node(name: string, more: JsonObject = {}): JsonObject {
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, ...more } };
}

async function rowsOf(datastore: MemoryDatastore, kind: ResourceKind): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const batch of (await datastore.list(kind)).rows) rows.push(...batch);
  return rows;
}

describe('datastore/memory', () => {
  it('replaces an object of the same name', async () => {
    const datastore = new MemoryDatastore();
    datastore.put('Node', node('n', { resourceVersion: '1' }));
    datastore.put('Node', node('n', { resourceVersion: '2' }));
    expect((await rowsOf(datastore, 'Node')).map(({ revision }) => revision)).to.deep.equal(['2']);
  });

  it('keeps pods of one name in two namespaces apart', async () => {
    const datastore = new MemoryDatastore();
    for (const namespace of ['a', 'b']) {
      datastore.put('Pod', { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace } });
    }
    expect(await rowsOf(datastore, 'Pod')).to.have.length(2);
    expect((await datastore.get('Pod', { namespace: 'b', name: 'p' }))?.key.namespace).to.equal(
      'b',
    );
    expect(await datastore.get('Pod', { name: 'p' })).to.equal(undefined);
  });

  it('ignores a namespace on an object that lives in none', async () => {
    const datastore = new MemoryDatastore();
    datastore.put('Node', node('n', { namespace: 'default' }));
    expect((await datastore.get('Node', { name: 'n' }))?.key).to.deep.equal({ name: 'n' });
  });

  it('finds a Calico node where there is no Kubernetes node of the name', async () => {
    const datastore = new MemoryDatastore();
    const calico = { ...node('n'), apiVersion: 'projectcalico.org/v3' };
    datastore.put('Node', calico);
    expect(await datastore.get('Node', { name: 'n' })).to.include({ origin: 'calico' });
    datastore.put('Node', node('n'));
    expect(await datastore.get('Node', { name: 'n' })).to.include({ origin: 'kubernetes' });
    expect(await rowsOf(datastore, 'Node')).to.have.length(2);
  });

  it('keeps values of etcd paths, and knows their kind', async () => {
    const datastore = new MemoryDatastore();
    const value = { block: { '10.0.0.0/26': 1 }, deleted: false };
    expect(datastore.putEntry('/calico/ipam/v2/handle/Some.ID', value)).to.equal('IPAMHandle');
    expect(datastore.putEntry('/calico/felix/v1/host', {})).to.equal(undefined);
    const row = await datastore.get('IPAMHandle', { name: 'Some.ID' });
    expect(row).to.include({ kind: 'IPAMHandle', id: 'Some.ID' });
    expect(row?.object).to.deep.equal(value);
    expect(await datastore.get('IPAMHandle', { name: 'some.id' })).to.equal(undefined);
  });

  it('compares decimal revisions by value and others only for equality', () => {
    const datastore = new MemoryDatastore();
    const compare = (a: string, b: string) =>
      datastore.compareRevisions(a as Revision, b as Revision);
    expect(compare('9', '10')).to.equal(-1);
    expect(compare('18446744073709551616', '18446744073709551615')).to.equal(1);
    expect(compare('7', '7')).to.equal(0);
    expect(compare('x', 'x')).to.equal(0);
    expect(compare('x', '1')).to.equal(undefined);
  });

  it('lists what was there when the list began', async () => {
    const datastore = new MemoryDatastore();
    datastore.put('Node', node('a'));
    const { rows } = await datastore.list('Node');
    datastore.put('Node', node('b'));
    const names: string[] = [];
    for await (const batch of rows) names.push(...batch.map((row) => row.key.name));
    expect(names).to.deep.equal(['a']);
  });
});

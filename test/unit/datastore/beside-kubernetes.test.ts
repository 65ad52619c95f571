import { expect } from 'chai';
import { BesideKubernetes } from '../../../src/datastore/beside-kubernetes.ts';
import { EtcdDatastore } from '../../../src/datastore/etcd/etcd-datastore.ts';
import type { Revision } from '../../../src/ipam/model/resource.ts';
import type { Row } from '../../../src/ipam/model/row.ts';
import { loadClusterState } from '../../../src/operations/load-cluster-state.ts';
import { aNode, aPod } from '../../support/builders.ts';
import { drain } from '../../support/drain.ts';
import { MemoryEtcd } from '../../support/memory-etcd.ts';
import { contextOf, ScriptedDatastore } from '../../support/scripted-datastore.ts';
import { failureOf } from '../../support/temp-folder.ts';

const NODES = '/calico/resources/v3/projectcalico.org/nodes';

function nodeText(name: string, kubernetesName: string): string {
  return `{"kind":"Node","apiVersion":"projectcalico.org/v3","metadata":{"name":"${name}"},"spec":{"orchRefs":[{"nodeName":"${kubernetesName}","orchestrator":"k8s"}]}}`;
}

describe('datastore/beside-kubernetes', () => {
  let etcd: MemoryEtcd;
  let kubernetes: ScriptedDatastore;
  let datastore: BesideKubernetes;
  /** Requests to both, in order. */
  let requests: string[];

  beforeEach(() => {
    etcd = new MemoryEtcd();
    requests = [];
    etcd.onRequest = (request) => void requests.push(`etcd: ${request.split(' ')[0]}`);
    kubernetes = new ScriptedDatastore(
      [aNode('k-a'), aNode('k-b'), aPod('shop/a', 'k-a', '10.0.0.1')],
      ({ verb, kind }) => void requests.push(`kubernetes: ${verb} ${kind}`),
    );
    datastore = new BesideKubernetes(new EtcdDatastore(etcd), kubernetes);
  });

  async function rowsOf(kind: 'Node' | 'Pod' | 'IPPool'): Promise<readonly Row[]> {
    return await drain((await datastore.list(kind)).rows);
  }

  it('is the datastore of Calico to whoever asks where it is and how its rows are called', () => {
    expect(datastore.describe()).to.deep.equal({
      datastore: 'etcd',
      server: etcd.displayEndpoints,
    });
    expect(datastore.keys.form).to.equal('entry');
    expect(datastore.capabilities).to.deep.equal({ live: true, writable: true });
  });

  it('takes pods from Kubernetes and pools from etcd', async () => {
    expect(await rowsOf('Pod')).to.have.length(1);
    expect(await rowsOf('IPPool')).to.deep.equal([]);
    expect(await datastore.get('Pod', { namespace: 'shop', name: 'a' })).to.include({
      kind: 'Pod',
    });
    expect(requests).to.deep.equal(['kubernetes: list Pod', 'etcd: range', 'kubernetes: get Pod']);
  });

  it('gives no revision to a list of Kubernetes, so that it is compared with none of etcd', async () => {
    expect((await kubernetes.list('Pod')).revision).to.be.a('string');
    for (const kind of ['Pod', 'Node', 'Service'] as const)
      expect((await datastore.list(kind)).revision).to.equal(undefined);
    expect((await datastore.list('IPPool')).revision).to.equal('1');
  });

  it('takes evidence of Kubernetes as it comes, whatever the revision of etcd is', async () => {
    for (let n = 0; n < 3000; n++) etcd.put('/calico/ipam/v2/handle/one', '{"block":{}}');
    const state = await loadClusterState(contextOf(datastore), { kinds: ['IPAMHandle', 'Pod'] });
    expect([...state.pods()]).to.have.length(1);
    expect(requests).to.deep.equal(['etcd: range', 'kubernetes: list Pod']);
  });

  it('lists the nodes of both, those of Calico asked for first', async () => {
    etcd.put(`${NODES}/a`, nodeText('a', 'k-a'));
    const rows = await rowsOf('Node');
    expect(
      rows.map((row) => ('origin' in row ? [row.key.name, row.origin] : [])),
    ).to.have.deep.members([
      ['a', 'calico'],
      ['k-a', 'kubernetes'],
      ['k-b', 'kubernetes'],
    ]);
    expect(requests).to.deep.equal(['etcd: range', 'kubernetes: list Node']);
  });

  it('counts a Calico node while the Kubernetes node exists to which it refers', async () => {
    etcd.put(`${NODES}/a`, nodeText('a', 'k-a'));
    etcd.put(`${NODES}/gone`, nodeText('gone', 'k-gone'));
    const state = await loadClusterState(contextOf(datastore), { kinds: ['Node'] });
    expect(state.nodes.map(({ name }) => name)).to.deep.equal(['a']);
    expect(state.hasCalicoNodes).to.equal(true);
  });

  it('gets the node of Calico before that of Kubernetes', async () => {
    etcd.put(`${NODES}/k-a`, nodeText('k-a', 'k-a'));
    expect(await datastore.get('Node', { name: 'k-a' })).to.include({ origin: 'calico' });
    expect(await datastore.get('Node', { name: 'k-b' })).to.include({ origin: 'kubernetes' });
    expect(await datastore.get('Node', { name: 'k-c' })).to.equal(undefined);
  });

  it('pins what is in etcd, and closes both', async () => {
    const view = await datastore.pin();
    expect((await view.datastore.list('Pod')).absent).to.equal('not-loaded');
    let isClosed = false;
    kubernetes.close = async () => void (isClosed = true);
    await datastore.close();
    expect(etcd.isClosed && isClosed).to.equal(true);
    expect(await failureOf(datastore.list('IPPool'))).to.be.an('error');
  });

  it('hands on the whole objects of etcd, those of a view as of its revision', async () => {
    etcd.put(`${NODES}/a`, nodeText('a', 'k-a'));
    const view = await datastore.pin();
    etcd.put(`${NODES}/b`, nodeText('b', 'k-b'));
    const key = { name: 'b' };
    expect(await datastore.objects?.get('Node', key)).to.have.nested.property('metadata.name', 'b');
    expect(await view.datastore.objects?.get('Node', key)).to.equal(undefined);
    const pool = { metadata: { name: 'main' }, spec: { cidr: '10.0.0.0/16' } };
    await datastore.objects?.create('IPPool', pool);
    expect(await rowsOf('IPPool')).to.have.length(1);
  });

  it('compares revisions of etcd', () => {
    expect(datastore.compareRevisions('9' as Revision, '10' as Revision)).to.equal(-1);
  });
});

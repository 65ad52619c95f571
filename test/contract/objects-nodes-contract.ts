import { expect } from 'chai';
import type { WritableDatastore } from '../../src/datastore/datastore.ts';
import type { ObjectStore } from '../../src/datastore/object-store.ts';
import { AlreadyExistsError } from '../../src/errors/already-exists-error.ts';
import { ConflictError } from '../../src/errors/conflict-error.ts';
import { NotFoundError } from '../../src/errors/not-found-error.ts';
import type { PoolRow } from '../../src/ipam/model/pool.ts';
import type { JsonObject } from '../../src/ipam/model/resource.ts';
import { SHOWN_NODES } from './objects-seed.ts';
import {
  bare,
  byName,
  demandObject,
  failureOf,
  metadataOf,
  nameOf,
  takeAll,
  withoutMachine,
  withSpec,
} from './objects-support.ts';

/** The datastore of a test and its objects. */
export interface Opened {
  readonly datastore: WritableDatastore;
  readonly objects: ObjectStore;
}

/** What is open now. */
export type Current = () => Opened;

/** Registers that rows and objects are one truth. */
export function describeRows(current: Current): void {
  it('shows the same pools as rows and as objects', async () => {
    const { objects, datastore } = current();
    const row = (await datastore.get('IPPool', { name: 'main' })) as PoolRow;
    await datastore.update({ ...row, disabled: true });
    const object = await demandObject(objects, 'IPPool', 'main');
    expect(object).to.have.nested.property('spec.disabled', true);
    await objects.update('IPPool', withSpec(object, { disabled: false }));
    expect(await datastore.get('IPPool', { name: 'main' })).to.include({ disabled: false });
    await objects.remove('IPPool', await demandObject(objects, 'IPPool', 'main'));
    expect(await datastore.get('IPPool', { name: 'main' })).to.equal(undefined);
  });
}

/** Registers what holds where Calico's nodes are annotations of Kubernetes nodes. */
export function describeKubernetesNodes(current: Current): void {
  it('shows what the annotations of Kubernetes nodes say', async () => {
    const listed = byName((await takeAll(current().objects, 'Node')).map(withoutMachine));
    expect(listed).to.deep.equal(byName(SHOWN_NODES));
  });

  it('sets the fields of a node and erases none', async () => {
    const { objects, datastore } = current();
    const before = await demandObject(objects, 'Node', 'alder');
    const object = {
      ...before,
      metadata: {
        ...metadataOf(before),
        labels: { rack: 'r2', zone: 'z' },
        annotations: { a: 'b' },
      },
      spec: {
        bgp: { ipv4IPIPTunnelAddr: '198.18.0.2', asNumber: 65001 },
        wireguard: { interfaceIPv4Address: '198.18.0.3' },
      },
      status: { wireguardPublicKey: 'key' },
    };
    const updated = await objects.update('Node', object);
    await datastore.flush?.();
    expect(updated).to.deep.equal(await demandObject(objects, 'Node', 'alder'));
    expect(updated).to.have.nested.property('spec.bgp').that.deep.equals({
      ipv4Address: '192.0.2.11/24',
      asNumber: 65001,
      ipv4IPIPTunnelAddr: '198.18.0.2',
    });
    expect(updated).to.deep.nested.include({
      'spec.ipv4VXLANTunnelAddr': '198.18.0.1',
      'spec.wireguard.interfaceIPv4Address': '198.18.0.3',
      'status.wireguardPublicKey': 'key',
      'metadata.labels': { rack: 'r2', zone: 'a' },
    });
    expect(metadataOf(updated)['annotations']).to.include({ a: 'b' });
    const row = await datastore.get('Node', { name: 'alder' });
    expect(row).to.have.nested.property('object.metadata.labels.zone', 'a');
    expect(row).to.have.nested.property('object.metadata.annotations.example\\.com/note', 'kept');
  });

  it('writes nothing when the node has it all', async () => {
    const { objects } = current();
    const before = await demandObject(objects, 'Node', 'alder');
    expect(await objects.update('Node', before)).to.deep.equal(before);
  });

  it('refuses to write over a change of a node, and one that is gone', async () => {
    const { objects } = current();
    const before = await demandObject(objects, 'Node', 'alder');
    await objects.update('Node', withSpec(before, { ipv4VXLANTunnelAddr: '198.18.0.9' }));
    const stale = withSpec(before, { ipv4VXLANTunnelAddr: '198.18.0.10' });
    expect(await failureOf(objects.update('Node', stale))).to.be.instanceOf(ConflictError);
    const metadata = { ...metadataOf(before), name: 'nobody' };
    const gone = { ...before, metadata };
    expect(await failureOf(objects.update('Node', gone))).to.be.instanceOf(NotFoundError);
  });

  it('makes no nodes, and removes none', async () => {
    const { objects } = current();
    const known = { ...aNode('alder') };
    expect(await failureOf(objects.create('Node', known))).to.be.instanceOf(AlreadyExistsError);
    expect(await failureOf(objects.create('Node', aNode('nobody')))).to.be.instanceOf(
      NotFoundError,
    );
    const node = await demandObject(objects, 'Node', 'birch');
    expect(await failureOf(objects.remove('Node', node))).to.have.property('code', 'UNSUPPORTED');
    expect(await objects.get('Node', { name: 'birch' })).to.deep.equal(node);
  });
}

/** Registers what holds where Calico keeps nodes of its own. */
export function describeCalicoNodes(current: Current): void {
  it('creates, changes and removes nodes', async () => {
    const { objects, datastore } = current();
    const created = await objects.create('Node', aNode('cedar'));
    const changed = withSpec(created, { ipv4VXLANTunnelAddr: '198.18.0.9' });
    await objects.update('Node', changed);
    await datastore.flush?.();
    const found = await demandObject(objects, 'Node', 'cedar');
    expect(bare(found)).to.deep.equal(bare(changed));
    expect(await datastore.get('Node', { name: 'cedar' })).to.include({ origin: 'calico' });
    await objects.remove('Node', found);
    expect(await objects.get('Node', { name: 'cedar' })).to.equal(undefined);
    expect((await takeAll(objects, 'Node')).map(nameOf).sort()).to.deep.equal(['alder', 'birch']);
  });
}

function aNode(name: string): JsonObject {
  return {
    apiVersion: 'projectcalico.org/v3',
    kind: 'Node',
    metadata: { name },
    spec: { orchRefs: [{ nodeName: name, orchestrator: 'k8s' }] },
  };
}

import { expect } from 'chai';
import type { WritableDatastore } from '../../src/datastore/datastore.ts';
import type { ObjectListing } from '../../src/datastore/object-store.ts';
import { AlreadyExistsError } from '../../src/errors/already-exists-error.ts';
import { ConflictError } from '../../src/errors/conflict-error.ts';
import { NotFoundError } from '../../src/errors/not-found-error.ts';
import type { JsonObject } from '../../src/ipam/model/resource.ts';
import { EXACT_INTEGER, newNetworkSet, newPeer, SEEDED_OBJECTS } from './objects-seed.ts';
import {
  type Current,
  describeCalicoNodes,
  describeKubernetesNodes,
  describeRows,
  type Opened,
} from './objects-nodes-contract.ts';
import {
  bare,
  byName,
  demandObject,
  drain,
  drainOf,
  failureOf,
  keyOf,
  metadataOf,
  nameOf,
  takeAll,
  withSpec,
  withTexts,
} from './objects-support.ts';

/** A backend as the contract of whole objects sees it. */
export interface ObjectBackend {
  /**
   * Opens a datastore that holds the seeded objects and, as `nodes` says, the seeded nodes: those of Kubernetes, or
   * Calico's own. It knows no other kind.
   */
  open(): Promise<WritableDatastore>;
  readonly nodes: 'kubernetes' | 'calico';
  /** What listing says of a kind that nobody seeded; undefined where it looks empty. */
  readonly unseeded: ObjectListing['absent'];
  /** Whether a write that changes nothing keeps the revision; true when absent. */
  readonly keepsUnchanged?: boolean;
}

/** A kind that no seed holds. */
const UNSEEDED = 'BGPFilter';
/** Writers that race for one object. */
const WRITERS = 8;

/** Registers what every backend with whole objects has to pass. */
export function describeObjectsContract(name: string, backend: ObjectBackend): void {
  describe(`objects contract: ${name}`, () => {
    let opened: Opened;

    beforeEach(async () => {
      const datastore = await backend.open();
      const { objects } = datastore;
      if (objects === undefined) throw new Error('the backend has no objects');
      opened = { datastore, objects };
    });

    afterEach(async () => {
      await opened.datastore.close();
    });

    const current = () => opened;
    describeReading(current, backend);
    describeCreating(current);
    describeUpdating(current, backend.keepsUnchanged ?? true);
    describeRemoving(current);
    describeRows(current);
    if (backend.nodes === 'kubernetes') describeKubernetesNodes(current);
    else describeCalicoNodes(current);
  });
}

function describeReading(current: Current, backend: ObjectBackend): void {
  it('lists every object of every kind as the newer group shows it', async () => {
    const { objects } = current();
    for (const kind of new Set(SEEDED_OBJECTS.map((one) => one.kind))) {
      const seeded = SEEDED_OBJECTS.filter((one) => one.kind === kind);
      const listed = await takeAll(objects, kind);
      expect(byName(listed), kind).to.deep.equal(byName(seeded.map(({ shown }) => shown)));
    }
  });

  it('gets what it lists, revision and all', async () => {
    const { objects } = current();
    for (const { kind, shown } of SEEDED_OBJECTS) {
      const { name, namespace } = metadataOf(shown);
      const found = await objects.get(kind, keyOf(name, namespace));
      const listed = (await takeAll(objects, kind)).find((one) => nameOf(one) === nameOf(shown));
      expect(found, `${kind} ${nameOf(shown)}`).to.deep.equal(listed);
      expect(metadataOf(found ?? {})['resourceVersion']).to.be.a('string');
    }
  });

  it('gets undefined for what is not there', async () => {
    const { objects } = current();
    expect(await objects.get('BGPPeer', { name: 'nobody' })).to.equal(undefined);
    expect(await objects.get('NetworkSet', { name: 'peers', namespace: 'none' })).to.equal(
      undefined,
    );
    expect(await objects.get('GlobalNetworkPolicy', { name: 'default.deny-all' })).to.equal(
      undefined,
    );
    expect(await objects.get(UNSEEDED, { name: 'nobody' })).to.equal(undefined);
  });

  it('tells a kind that nobody knows of', async () => {
    const listing = await current().objects.list(UNSEEDED);
    expect(listing.absent).to.equal(backend.unseeded);
    expect(await drain(listing)).to.deep.equal([]);
  });

  it('keeps integers beyond 2^53 exact', async () => {
    const peer = await demandObject(current().objects, 'BGPPeer', 'rack');
    expect(peer).to.have.nested.property('spec.unknownToAll.kept', EXACT_INTEGER);
  });

  it('reads nothing once the signal has aborted, or the datastore is closed', async () => {
    const { objects, datastore } = current();
    const reason = new Error('enough');
    const signal = AbortSignal.abort(reason);
    expect(await failureOf(drainOf(objects.list('IPPool', { signal })))).to.equal(reason);
    expect(await failureOf(objects.get('IPPool', { name: 'main' }, { signal }))).to.equal(reason);
    await datastore.close();
    expect(await failureOf(drainOf(objects.list('IPPool')))).to.be.an('error');
  });
}

function describeCreating(current: Current): void {
  it('creates objects that read back as they were written', async () => {
    const { objects, datastore } = current();
    for (const [kind, object] of [
      ['BGPPeer', newPeer()],
      ['NetworkSet', newNetworkSet('others', 'kube-system')],
      ['StagedKubernetesNetworkPolicy', staged('sknp')],
    ] as const) {
      const created = await objects.create(kind, object);
      await datastore.flush?.();
      expect(bare(created), kind).to.deep.equal(object);
      const { name, namespace } = metadataOf(object);
      const found = await objects.get(kind, keyOf(name, namespace));
      expect(found, kind).to.deep.equal(created);
      expect(metadataOf(created)['resourceVersion'], kind).to.be.a('string');
    }
  });

  it('makes uid, revision and times its own, whatever the object brings along', async () => {
    const { objects } = current();
    const object = newPeer();
    const foreign = {
      uid: '00000000-0000-4000-8000-00000000dead',
      resourceVersion: '9999999',
      creationTimestamp: '2001-01-01T00:00:00Z',
    };
    const created = await objects.create('BGPPeer', {
      ...object,
      metadata: { ...metadataOf(object), ...foreign },
    });
    expect(metadataOf(created)).to.include({ name: 'spine' });
    for (const [name, value] of Object.entries(foreign)) {
      expect(metadataOf(created)[name], name).not.to.equal(value);
    }
  });

  it('refuses to create what is there, and leaves it as it is', async () => {
    const { objects } = current();
    for (const { kind, shown } of SEEDED_OBJECTS) {
      const { name, namespace } = metadataOf(shown);
      const before = await objects.get(kind, keyOf(name, namespace));
      const other = withTexts(shown, { labels: { team: 'other' }, annotations: {} });
      const failure = await failureOf(objects.create(kind, other));
      expect(failure, `${kind} ${nameOf(shown)}`).to.be.instanceOf(AlreadyExistsError);
      expect(await objects.get(kind, keyOf(name, namespace))).to.deep.equal(before);
    }
  });
}

function describeUpdating(current: Current, keepsUnchanged: boolean): void {
  it('writes labels, annotations and spec under the revision that was read', async () => {
    const { objects, datastore } = current();
    for (const { kind, shown } of SEEDED_OBJECTS) {
      const { name, namespace } = metadataOf(shown);
      const before = await demandObject(objects, kind, name, namespace);
      const changed = withTexts(before, {
        labels: { team: 'green' },
        annotations: { note: 'new' },
      });
      const updated = await objects.update(kind, changed);
      await datastore.flush?.();
      const found = await demandObject(objects, kind, name, namespace);
      const label = `${kind} ${nameOf(shown)}`;
      expect(found, label).to.deep.equal(updated);
      expect(bare(found), label).to.deep.equal(bare(changed));
      expect(metadataOf(found)['resourceVersion'], label).not.to.equal(
        metadataOf(before)['resourceVersion'],
      );
    }
  });

  it('takes labels and annotations away', async () => {
    const { objects } = current();
    const {
      labels: _labels,
      annotations: _annotations,
      ...metadata
    } = metadataOf(await demandObject(objects, 'IPPool', 'main'));
    const before = await demandObject(objects, 'IPPool', 'main');
    await objects.update('IPPool', { ...before, metadata });
    const found = metadataOf(await demandObject(objects, 'IPPool', 'main'));
    expect(found).not.to.have.any.keys('labels', 'annotations');
  });

  it('keeps what is written as it was read, with its revision where the server does so', async () => {
    const { objects } = current();
    for (const { kind, shown } of SEEDED_OBJECTS) {
      const { name, namespace } = metadataOf(shown);
      const before = await demandObject(objects, kind, name, namespace);
      const updated = await objects.update(kind, before);
      const label = `${kind} ${nameOf(shown)}`;
      if (keepsUnchanged) expect(updated, label).to.deep.equal(before);
      else expect(bare(updated), label).to.deep.equal(bare(before));
    }
  });

  it('refuses to write over a change, and what is gone', async () => {
    const { objects } = current();
    const before = await demandObject(objects, 'BGPPeer', 'rack');
    await objects.update('BGPPeer', withSpec(before, { asNumber: 1 }));
    const stale = withSpec(before, { asNumber: 2 });
    expect(await failureOf(objects.update('BGPPeer', stale))).to.be.instanceOf(ConflictError);
    const now = await demandObject(objects, 'BGPPeer', 'rack');
    await objects.remove('BGPPeer', now);
    expect(await failureOf(objects.update('BGPPeer', now))).to.be.instanceOf(NotFoundError);
  });

  it('lets one of several writers win', async () => {
    const { objects } = current();
    const before = await demandObject(objects, 'FelixConfiguration', 'node.alder');
    const results = await Promise.allSettled(
      Array.from({ length: WRITERS }, (_, turn) =>
        objects.update('FelixConfiguration', withSpec(before, { turn })),
      ),
    );
    const losers = results.filter((result) => result.status === 'rejected');
    expect(losers).to.have.length(WRITERS - 1);
    for (const { reason } of losers) expect(reason).to.be.instanceOf(ConflictError);
  });
}

function describeRemoving(current: Current): void {
  it('removes what was read, in its namespace only', async () => {
    const { objects, datastore } = current();
    for (const { kind, shown } of SEEDED_OBJECTS) {
      const { name, namespace } = metadataOf(shown);
      await objects.remove(kind, await demandObject(objects, kind, name, namespace));
      await datastore.flush?.();
      expect(await objects.get(kind, keyOf(name, namespace)), nameOf(shown)).to.equal(undefined);
      if (kind === 'NetworkSet' && namespace === 'default') {
        expect(await takeAll(objects, kind)).to.have.length(1);
      }
    }
  });

  it('refuses to remove what changed, is gone, or was made anew', async () => {
    const { objects } = current();
    const before = await demandObject(objects, 'BGPPeer', 'rack');
    const now = await objects.update('BGPPeer', withSpec(before, { asNumber: 1 }));
    expect(await failureOf(objects.remove('BGPPeer', before))).to.be.instanceOf(ConflictError);
    await objects.remove('BGPPeer', now);
    expect(await failureOf(objects.remove('BGPPeer', now))).to.be.instanceOf(NotFoundError);
    await objects.create('BGPPeer', newPeer('rack'));
    const failure = await failureOf(objects.remove('BGPPeer', now));
    // Without a uid only the revision tells.
    expect(failure instanceof NotFoundError || failure instanceof ConflictError).to.equal(true);
    expect(await objects.get('BGPPeer', { name: 'rack' })).not.to.equal(undefined);
  });
}

function staged(name: string): JsonObject {
  return {
    apiVersion: 'projectcalico.org/v3',
    kind: 'StagedKubernetesNetworkPolicy',
    metadata: { name, namespace: 'default' },
    spec: { policyTypes: ['Ingress'] },
  };
}

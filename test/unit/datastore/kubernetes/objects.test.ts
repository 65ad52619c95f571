import { expect } from 'chai';
import type { WritableDatastore } from '../../../../src/datastore/datastore.ts';
import type { ObjectKind, ObjectStore } from '../../../../src/datastore/object-store.ts';
import { AccessDeniedError } from '../../../../src/errors/access-denied-error.ts';
import { AlreadyExistsError } from '../../../../src/errors/already-exists-error.ts';
import { ConflictError } from '../../../../src/errors/conflict-error.ts';
import { DataError } from '../../../../src/errors/data-error.ts';
import { InternalError } from '../../../../src/errors/internal-error.ts';
import { NotFoundError } from '../../../../src/errors/not-found-error.ts';
import { UnavailableError } from '../../../../src/errors/unavailable-error.ts';
import type { JsonObject } from '../../../../src/ipam/model/resource.ts';
import type { Fault } from '../../../support/fake-api/faults.ts';
import { type FakeApiServer, startFakeApiServer } from '../../../support/fake-api-server.ts';
import { openWritable } from '../../../support/open-writable.ts';
import { failureOf } from '../../../support/temp-folder.ts';

const OLDER = 'crd.projectcalico.org/v1';
const SETS = `/apis/${OLDER}/globalnetworksets`;
const NODE = '/api/v1/nodes/alder';

/** The connection breaks before the server looks at the request. */
const LOST_REQUEST: Fault = { type: 'reset' };
/** The server does it, and the connection breaks before it has said so. */
const LOST_ANSWER: Fault = { type: 'reset', afterBytes: 0 };

const aSet = (name: string, nets: readonly string[] = []): JsonObject => ({
  apiVersion: 'projectcalico.org/v3',
  kind: 'GlobalNetworkSet',
  metadata: { name },
  spec: { nets: [...nets] },
});

const storedSet = (name: string, note = ''): JsonObject => ({
  ...aSet(name, [note]),
  apiVersion: OLDER,
});

const aNode: JsonObject = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'alder' } };

const TUNNEL = { spec: { ipv4VXLANTunnelAddr: '198.18.0.1' } };

describe('datastore/kubernetes: whole objects', () => {
  let server: FakeApiServer;
  let datastore: WritableDatastore;
  let objects: ObjectStore;

  beforeEach(async () => {
    server = await startFakeApiServer();
    datastore = await openWritable(server);
    if (datastore.objects === undefined) throw new Error('no objects');
    ({ objects } = datastore);
  });

  afterEach(async () => {
    await datastore.close();
    await server.stop();
  });

  const namesOf = async (kind: ObjectKind = 'GlobalNetworkSet'): Promise<string[]> => {
    const names: string[] = [];
    for await (const batch of (await objects.list(kind)).objects)
      names.push(...batch.map(({ metadata }) => (metadata as { name: string }).name));
    return names;
  };
  const read = async (name = 'a'): Promise<JsonObject> => {
    const found = await objects.get('GlobalNetworkSet', { name });
    if (found === undefined) throw new Error(`no set ${name}`);
    return found;
  };
  const readNode = async (): Promise<JsonObject> => {
    const found = await objects.get('Node', { name: 'alder' });
    if (found === undefined) throw new Error('no node');
    return found;
  };
  const sent = (method: string): number =>
    server.requests.filter((request) => request.method === method).length;

  describe('lists', () => {
    const fill = (count: number): string[] => {
      const names = Array.from({ length: count }, (_, i) => `set-${String(i).padStart(5, '0')}`);
      for (const name of names) server.put(storedSet(name, 'x'.repeat(400)));
      return names;
    };

    it('come in batches, over one request', async () => {
      const names = fill(4000);
      let batches = 0;
      for await (const batch of (await objects.list('GlobalNetworkSet')).objects)
        batches += batch.length > 0 ? 1 : 0;
      expect(batches).to.be.greaterThan(1);
      expect(server.seen(SETS)).to.have.length(1);
      expect(await namesOf()).to.deep.equal(names);
    });

    it('give every object once when the stream is cut', async () => {
      const names = fill(4000);
      server.fail({ path: SETS, times: 1, fault: { type: 'reset', afterBytes: 900_000 } });
      expect(await namesOf()).to.deep.equal(names);
      expect(server.seen(SETS).length).to.be.greaterThan(2);
    });

    it('show what came since the cut, and end when the kind goes', async () => {
      const names = fill(4000);
      server.fail({ path: SETS, times: 1, fault: { type: 'reset', afterBytes: 900_000 } });
      server.onRequest = (path, nth) => {
        if (path === SETS && nth === 2) server.put(storedSet('set-99999'));
      };
      expect(await namesOf()).to.deep.equal([...names, 'set-99999']);
    });

    it('fail when the stream is cut again and again', async () => {
      fill(1200);
      server.fail({ path: SETS, fault: { type: 'reset', afterBytes: 100_000 } });
      expect(await failureOf(namesOf())).to.be.instanceOf(UnavailableError);
    });

    it('name the right that a user lacks', async () => {
      server.forbid('globalnetworksets');
      const failure = await failureOf(namesOf());
      expect(failure).to.be.instanceOf(AccessDeniedError);
      expect(failure)
        .to.have.nested.property('details.denied')
        .that.deep.equals([
          { verb: 'list', resource: 'globalnetworksets', apiGroup: 'crd.projectcalico.org' },
        ]);
    });
  });

  describe('writes', () => {
    it('that got no answer are looked at before they are sent again', async () => {
      server.fail({ method: 'POST', path: SETS, times: 1, fault: LOST_ANSWER });
      await objects.create('GlobalNetworkSet', aSet('a'));
      expect(await namesOf()).to.deep.equal(['a']);
      server.fail({ method: 'PUT', path: `${SETS}/a`, times: 1, fault: LOST_ANSWER });
      const changed = { ...(await read()), spec: { nets: ['203.0.113.1/32'] } };
      const updated = await objects.update('GlobalNetworkSet', changed);
      expect(updated).to.deep.equal(await read());
      server.fail({ method: 'DELETE', path: `${SETS}/a`, times: 1, fault: LOST_ANSWER });
      await objects.remove('GlobalNetworkSet', updated);
      expect(await namesOf()).to.deep.equal([]);
    });

    it('that were lost on the way are sent again', async () => {
      server.fail({ method: 'POST', path: SETS, times: 2, fault: LOST_REQUEST });
      await objects.create('GlobalNetworkSet', aSet('a'));
      expect(sent('POST')).to.equal(3);
    });

    it('of somebody else in between are not taken for ours', async () => {
      server.fail({ method: 'POST', path: SETS, times: 1, fault: LOST_REQUEST });
      server.onRequest = (path, nth) => {
        if (path === SETS && nth === 2) server.put(storedSet('a', 'other'));
      };
      const failure = await failureOf(objects.create('GlobalNetworkSet', aSet('a')));
      expect(failure).to.be.instanceOf(AlreadyExistsError);
      const before = await read();
      server.fail({ method: 'PUT', path: `${SETS}/a`, times: 1, fault: LOST_REQUEST });
      server.onRequest = (path, nth) => {
        if (path === `${SETS}/a` && nth === 4) server.put(storedSet('a', 'third'));
      };
      const changed = { ...before, spec: { nets: ['ours'] } };
      expect(await failureOf(objects.update('GlobalNetworkSet', changed))).to.be.instanceOf(
        ConflictError,
      );
    });

    it('need a name, a namespace where the kind has some, and a revision that was read', async () => {
      const nameless = { ...aSet('a'), metadata: {} };
      expect(await failureOf(objects.create('GlobalNetworkSet', nameless))).to.be.instanceOf(
        DataError,
      );
      const lost = { ...aSet('a'), kind: 'NetworkSet' };
      expect(await failureOf(objects.create('NetworkSet', lost))).to.be.instanceOf(DataError);
      await objects.create('GlobalNetworkSet', aSet('a'));
      for (const write of ['update', 'remove'] as const) {
        const failure = await failureOf(objects[write]('GlobalNetworkSet', aSet('a')));
        expect(failure, write).to.be.instanceOf(InternalError);
      }
    });

    it('of a kind that the server does not have say so', async () => {
      server.missing.add('globalnetworksets.crd.projectcalico.org');
      const failure = await failureOf(objects.create('GlobalNetworkSet', aSet('a')));
      expect(failure).to.be.instanceOf(NotFoundError);
      expect(failure.message).to.include(SETS);
    });

    it('keep labels, annotations and finalizers that stand on the object itself', async () => {
      const metadata = {
        name: 'a',
        labels: { k: '1' },
        annotations: { n: '1', 'projectcalico.org/metadata': '{"labels":{"l":"2"}}' },
        finalizers: ['f'],
      };
      server.put({ ...storedSet('a'), metadata });
      const { metadata: shown, ...rest } = await read();
      const labels = { k: '1', l: '3' };
      await objects.update('GlobalNetworkSet', {
        ...rest,
        metadata: { ...(shown as JsonObject), labels },
      });
      const { metadata: stored } = server.store.get(SETS, 'a') as { metadata: JsonObject };
      expect(stored).to.deep.include({ labels: { k: '1' }, finalizers: ['f'] });
      expect(stored['annotations']).to.deep.equal({
        n: '1',
        'projectcalico.org/metadata': '{"labels":{"l":"3"}}',
      });
    });

    it('find a policy under the name of the tier that old releases gave it', async () => {
      const policies = `/apis/${OLDER}/globalnetworkpolicies`;
      const kind = 'GlobalNetworkPolicy';
      server.put({ apiVersion: OLDER, kind, metadata: { name: 'default.a' }, spec: {} });
      const found = await objects.get(kind, { name: 'a' });
      const changed = { ...found, spec: { types: ['Egress'] } };
      await objects.update(kind, changed);
      expect(server.store.list(policies).objects).to.have.length(1);
      expect(server.store.get(policies, 'default.a')).to.deep.include({
        spec: { types: ['Egress'] },
      });
      expect(await failureOf(objects.create(kind, { ...changed, kind }))).to.be.instanceOf(
        AlreadyExistsError,
      );
      await objects.remove(kind, (await objects.get(kind, { name: 'a' })) as JsonObject);
      expect(server.store.list(policies).objects).to.deep.equal([]);
    });
  });

  describe('nodes', () => {
    beforeEach(() => {
      server.put(aNode);
    });

    it('are changed through their status, with the revision that was read', async () => {
      const { metadata } = await readNode();
      await objects.update('Node', { metadata: metadata as JsonObject, ...TUNNEL });
      const puts = server.requests.filter(({ method }) => method === 'PUT');
      expect(puts.map(({ path }) => path)).to.deep.equal([`${NODE}/status`]);
      expect(await readNode()).to.have.nested.property('spec.ipv4VXLANTunnelAddr', '198.18.0.1');
    });

    it('that need no change get no write', async () => {
      const node = await readNode();
      expect(await objects.update('Node', node)).to.deep.equal(node);
      expect(sent('PUT')).to.equal(0);
    });

    it('are looked at when the answer got lost', async () => {
      const { metadata } = await readNode();
      server.fail({ method: 'PUT', path: `${NODE}/status`, times: 1, fault: LOST_ANSWER });
      const updated = await objects.update('Node', { metadata: metadata as JsonObject, ...TUNNEL });
      expect(updated).to.deep.equal(await readNode());
    });

    it('that went, or changed, after an answer got lost are not taken for written', async () => {
      for (const change of ['gone', 'changed'] as const) {
        server.put(aNode);
        const { metadata } = await readNode();
        server.fail({ method: 'PUT', path: `${NODE}/status`, times: 1, fault: LOST_REQUEST });
        let isDone = false;
        server.onRequest = (path) => {
          if (path !== `${NODE}/status` || isDone) return;
          isDone = true;
          if (change === 'gone') server.store.delete('/api/v1/nodes', 'alder');
          else server.put({ ...aNode, spec: { unschedulable: true } });
        };
        const write = objects.update('Node', { metadata: metadata as JsonObject, ...TUNNEL });
        expect(await failureOf(write), change).to.be.instanceOf(
          change === 'gone' ? NotFoundError : ConflictError,
        );
      }
    });
  });

  describe('rights', () => {
    it('are asked for by the names of the server', async () => {
      server.forbid('globalnetworksets');
      server.forbid('nodes');
      const rights = await datastore.missingRights?.([
        { verb: 'create', kind: 'GlobalNetworkSet' },
        { verb: 'create', kind: 'Tier' },
        { verb: 'update', kind: 'Node' },
        { verb: 'get', kind: 'Node' },
        { verb: 'create', kind: 'Node' },
      ]);
      expect(rights).to.deep.equal([
        { verb: 'create', resource: 'globalnetworksets', apiGroup: 'crd.projectcalico.org' },
        { verb: 'update', resource: 'nodes/status' },
        { verb: 'get', resource: 'nodes' },
      ]);
    });
  });
});

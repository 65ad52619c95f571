import { expect } from 'chai';
import type { WritableDatastore } from '../../../../src/datastore/datastore.ts';
import { AccessDeniedError } from '../../../../src/errors/access-denied-error.ts';
import { AlreadyExistsError } from '../../../../src/errors/already-exists-error.ts';
import { ConflictError } from '../../../../src/errors/conflict-error.ts';
import { DataError } from '../../../../src/errors/data-error.ts';
import { NotFoundError } from '../../../../src/errors/not-found-error.ts';
import { UnavailableError } from '../../../../src/errors/unavailable-error.ts';
import type { HandleRow } from '../../../../src/ipam/model/handle.ts';
import type { JsonObject, Revision } from '../../../../src/ipam/model/resource.ts';
import type { Fault } from '../../../support/fake-api/faults.ts';
import { type FakeApiServer, startFakeApiServer } from '../../../support/fake-api-server.ts';
import { type NotingPorts, notingPorts, openWritable } from '../../../support/open-writable.ts';
import { failureOf } from '../../../support/temp-folder.ts';

const HANDLES = '/apis/crd.projectcalico.org/v1/ipamhandles';
const PATH = `${HANDLES}/h`;

/** The connection breaks before the server looks at the request. */
const LOST_REQUEST: Fault = { type: 'reset' };
/** The server does it, and the connection breaks before it has said so. */
const LOST_ANSWER: Fault = { type: 'reset', afterBytes: 0 };
const THROTTLED: Fault = { type: 'status', status: 429, reason: 'TooManyRequests', retryAfter: 3 };

const stored = (block: JsonObject = {}, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'crd.projectcalico.org/v1',
  kind: 'IPAMHandle',
  metadata: { name: 'h' },
  spec: { handleID: 'h', block, deleted: false, ...more },
});

const newHandle = (count = 1): HandleRow => ({
  kind: 'IPAMHandle',
  key: { name: 'h' },
  id: 'h',
  counts: [{ text: '192.0.2.0/26', cidr: undefined, count }],
  deleted: false,
});

describe('datastore/kubernetes: writes', () => {
  let server: FakeApiServer;
  let ports: NotingPorts;
  let datastore: WritableDatastore;

  beforeEach(async () => {
    server = await startFakeApiServer();
    ports = notingPorts();
    datastore = await openWritable(server, ports);
  });

  afterEach(async () => {
    await datastore.close();
    await server.stop();
  });

  const read = async (): Promise<HandleRow> => {
    const row = await datastore.get('IPAMHandle', { name: 'h' });
    if (row?.kind !== 'IPAMHandle' || 'unreadable' in row) throw new Error('no handle');
    return row;
  };
  const readVersion = async () => {
    const { kind, key, uid, revision } = await read();
    return { kind, key, uid, revision: revision as Revision };
  };
  const countOf = async (): Promise<number | undefined> => (await read()).counts[0]?.count;
  const sent = (method: string): number =>
    server.requests.filter((request) => request.method === method).length;
  const fail = (method: string, fault: Fault, times?: number): void => {
    server.fail({ method, path: method === 'POST' ? HANDLES : PATH, fault, times });
  };

  describe('requests', () => {
    it('are one for each write', async () => {
      const row = await datastore.create(newHandle());
      await datastore.update({ ...row, counts: [] });
      expect([sent('POST'), sent('PUT'), sent('GET')]).to.deep.equal([1, 1, 1]);
      const version = await readVersion();
      await datastore.remove(version);
      expect(sent('DELETE')).to.equal(1);
    });

    it('of a removal have a body of known length, with uid and revision as preconditions', async () => {
      server.put(stored());
      const stale = await readVersion();
      server.put(stored({}, { deleted: true }));
      expect(await failureOf(datastore.remove(stale))).to.be.instanceOf(NotFoundError);
      const request = server.requests.find(({ method }) => method === 'DELETE');
      expect(Number(request?.headers['content-length'])).to.be.greaterThan(50);
      expect(request?.headers).not.to.have.property('transfer-encoding');
    });

    it('wait for the rate limit', async () => {
      const slow = await openWritable(server, ports, { qps: { value: 1, origin: 'test' } });
      ports.waits.length = 0;
      await slow.create(newHandle());
      await slow.update({ ...(await read()), counts: [] });
      expect(ports.waits).to.have.length.greaterThan(0);
      await slow.close();
    });
  });

  describe('refusals', () => {
    it('name the right that is missing', async () => {
      server.forbid('ipamhandles');
      const error = await failureOf(datastore.create(newHandle()));
      expect(error).to.be.instanceOf(AccessDeniedError);
      expect(error).to.have.deep.nested.property('details.denied', [
        { verb: 'create', resource: 'ipamhandles', apiGroup: 'crd.projectcalico.org' },
      ]);
    });

    it('of a schema are errors of the data and are not repeated', async () => {
      fail('POST', { type: 'status', status: 422, reason: 'Invalid', message: 'spec.block: bad' });
      const error = await failureOf(datastore.create(newHandle()));
      expect(error).to.be.instanceOf(DataError).and.have.property('message').that.includes('bad');
      expect(sent('POST')).to.equal(1);
    });

    it('of a conflict are not repeated', async () => {
      server.put(stored());
      const row = await read();
      server.put({ ...stored(), metadata: { name: 'h', uid: row.uid ?? '' } });
      expect(await failureOf(datastore.update(row))).to.be.instanceOf(ConflictError);
      expect(sent('PUT')).to.equal(1);
    });
  });

  describe('throttling', () => {
    it('is waited for as long as the server asks', async () => {
      fail('POST', THROTTLED, 2);
      await datastore.create(newHandle());
      expect(sent('POST')).to.equal(3);
      expect(ports.waits.every((wait) => wait >= 3000)).to.equal(true);
      expect(ports.waits).to.have.length(2);
    });

    it('ends with the error after four attempts, and with a longer wait than is sensible at once', async () => {
      fail('POST', THROTTLED);
      expect(await failureOf(datastore.create(newHandle()))).to.be.instanceOf(UnavailableError);
      expect(sent('POST')).to.equal(4);
      fail('PUT', { ...THROTTLED, retryAfter: 3600 });
      server.put(stored());
      expect(await failureOf(datastore.update(await read()))).to.be.instanceOf(UnavailableError);
      expect(sent('PUT')).to.equal(1);
    });

    it('does not make a refusal doubtful', async () => {
      server.put(stored({ '192.0.2.0/26': 1 }));
      fail('POST', THROTTLED, 1);
      const error = await failureOf(datastore.create(newHandle()));
      expect(error).to.be.instanceOf(AlreadyExistsError);
    });
  });

  for (const [name, fault] of [
    ['a request', LOST_REQUEST],
    ['an answer', LOST_ANSWER],
    ['a server error', { type: 'status', status: 500 } as Fault],
  ] as const) {
    describe(`after ${name} got lost`, () => {
      it('a create has happened once', async () => {
        fail('POST', fault, 1);
        const row = await datastore.create(newHandle());
        expect(row.revision).to.equal((await read()).revision);
        expect(await countOf()).to.equal(1);
      });

      it('an update has happened once', async () => {
        server.put(stored());
        const before = await read();
        fail('PUT', fault, 1);
        const row = await datastore.update({ ...before, counts: newHandle(5).counts });
        expect(row.revision).to.equal((await read()).revision);
        expect(Number(row.revision) - Number(before.revision)).to.equal(1);
        expect(await countOf()).to.equal(5);
      });

      it('a removal has happened', async () => {
        server.put(stored());
        const version = await readVersion();
        fail('DELETE', fault, 1);
        await datastore.remove(version);
        expect(await datastore.get('IPAMHandle', { name: 'h' })).to.equal(undefined);
      });

      it('a lost race is told', async () => {
        server.put(stored());
        const before = await read();
        server.onRequest = (path, nth) => {
          if (path !== PATH || nth !== 2) return;
          server.put({
            ...stored({ '192.0.2.0/26': 9 }),
            metadata: { name: 'h', uid: before.uid ?? '' },
          });
        };
        fail('PUT', fault, 1);
        const error = await failureOf(datastore.update({ ...before, counts: [] }));
        expect(error).to.be.instanceOf(ConflictError);
        expect(await countOf()).to.equal(9);
      });
    });
  }

  it('reports a server that stays away, and has sent four times', async () => {
    server.put(stored());
    const before = await read();
    fail('PUT', LOST_REQUEST);
    const error = await failureOf(datastore.update({ ...before, counts: [] }));
    expect(error).to.be.instanceOf(UnavailableError);
    expect(sent('PUT')).to.equal(4);
  });

  it('finds a write done although the last answer got lost, too', async () => {
    server.put(stored());
    const before = await read();
    fail('PUT', LOST_ANSWER);
    await datastore.update({ ...before, counts: newHandle(7).counts });
    expect(await countOf()).to.equal(7);
  });

  it('ends a wait when the signal aborts', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    ports.sleep = (_milliseconds, signal) => {
      controller.abort(reason);
      return signal?.aborted === true ? Promise.reject(reason) : Promise.resolve();
    };
    fail('POST', THROTTLED);
    const { signal } = controller;
    expect(await failureOf(datastore.create(newHandle(), { signal }))).to.equal(reason);
    expect(sent('POST')).to.equal(1);
  });

  it('asks for missing rights, one review each, and changes nothing', async () => {
    server.forbid('ipamhandles');
    const rights = [
      { verb: 'update', kind: 'IPAMBlock' },
      { verb: 'delete', kind: 'IPAMHandle' },
    ] as const;
    expect(await datastore.missingRights?.(rights)).to.deep.equal([
      { verb: 'delete', resource: 'ipamhandles', apiGroup: 'crd.projectcalico.org' },
    ]);
    expect(sent('POST')).to.equal(2);
  });
});

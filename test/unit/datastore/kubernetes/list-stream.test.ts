import { expect } from 'chai';
import type { Datastore } from '../../../../src/datastore/datastore.ts';
import { UnavailableError } from '../../../../src/errors/unavailable-error.ts';
import { type FakeApiServer, startFakeApiServer } from '../../../support/fake-api-server.ts';
import {
  failureOf,
  impatientPorts,
  openOnFake,
  storedPod,
  storedPool,
  takeRows,
} from '../../../support/kubernetes-fake.ts';

const PODS = '/api/v1/pods';
const POOLS = '/apis/crd.projectcalico.org/v1/ippools';
const COUNT = 1200;
const POD_NAMES = Array.from(
  { length: COUNT },
  (_, number) => `pod-${String(number).padStart(5, '0')}`,
);
const POOL_NAMES = POD_NAMES.map((name) => name.replace('pod', 'pool'));

describe('datastore/kubernetes/list-stream', () => {
  let server: FakeApiServer;

  beforeEach(async () => {
    server = await startFakeApiServer();
    for (const name of POD_NAMES) server.put(storedPod(name));
    for (const name of POOL_NAMES) server.put(storedPool(name));
  });

  afterEach(async () => {
    await server.stop();
  });

  it('asks once, without limit and without a revision', async () => {
    const datastore = await openOnFake(server);
    expect((await takeRows(datastore, 'IPPool')).names).to.deep.equal(POOL_NAMES);
    expect(server.seen(POOLS).map((request) => request.query.toString())).to.deep.equal(['']);
  });

  it('reads pods as protobuf, and as JSON where whole objects are kept', async () => {
    const datastore = await openOnFake(server);
    const plain = await takeRows(datastore, 'Pod');
    const kept = await takeRows(datastore, 'Pod', { keep: (row) => row.key.name === 'pod-00007' });
    expect(kept.names).to.deep.equal(plain.names);
    expect(
      kept.rows.filter((row) => row.object !== undefined).map((row) => row.key.name),
    ).to.deep.equal(['pod-00007']);
    expect(kept.rows[7]?.object).to.include({ apiVersion: 'v1', kind: 'Pod' });
    const accepted = server.seen(PODS).map((request) => request.headers.accept);
    expect(accepted).to.deep.equal([
      'application/vnd.kubernetes.protobuf,application/json',
      'application/json',
    ]);
  });

  it('knows the revision of pods at once and that of custom resources at the end', async () => {
    const datastore = await openOnFake(server);
    const [pods, pools] = await Promise.all([datastore.list('Pod'), datastore.list('IPPool')]);
    expect(pods.revision).to.equal(String(server.store.revision));
    for await (const _batch of pools.rows);
    expect(pools.revision).to.equal(String(server.store.revision));
    for await (const _batch of pods.rows);
  });

  const CUTS = [
    ['is reset', { type: 'reset', afterBytes: 100_000 }],
    ['ends too early', { type: 'truncate', afterBytes: 100_000 }],
    ['falls silent', { type: 'hang', afterBytes: 100_000 }],
  ] as const;
  for (const [what, fault] of CUTS) {
    for (const [kind, path, expected] of [
      ['Pod', PODS, POD_NAMES],
      ['IPPool', POOLS, POOL_NAMES],
    ] as const) {
      it(`starts over in pages when the body of ${kind} ${what}`, async () => {
        server.fail({ path, times: 1, fault });
        const datastore = await openOnFake(server, { timeoutMs: 300 });
        const { names, restarts } = await takeRows(datastore, kind);
        expect(names).to.deep.equal(expected);
        expect(restarts).to.equal(1);
        expect(server.seen(path).map((request) => request.query.get('limit'))).to.deep.equal([
          null,
          '500',
          '500',
          '500',
        ]);
      });
    }
  }

  for (const [kind, path, expected] of [
    ['Pod', PODS, POD_NAMES],
    ['IPPool', POOLS, POOL_NAMES],
  ] as const) {
    it(`takes pages of ${kind} where the whole list comes as a page`, async () => {
      server.lists.unaskedLimit = 7;
      const datastore = await openOnFake(server);
      expect((await takeRows(datastore, kind)).names).to.deep.equal(expected);
    });

    for (const afterBytes of [5, 100_000]) {
      it(`does not take a list of ${kind} for whole that broke off behind ${afterBytes} bytes before the kind was gone`, async () => {
        server.fail({ path, times: 1, fault: { type: 'reset', afterBytes } });
        server.fail({ path, fault: { type: 'status', status: 404 } });
        const datastore = await openOnFake(server);
        const error = await failureOf(takeRows(datastore, kind));
        expect(error).to.be.instanceOf(UnavailableError).and.include({ retryable: true });
        expect(error.message).to.include(`a list of ${kind} before`).and.include(path);
      });
    }
  }

  it('does not take the objects or revisions of a kind for all that broke off before it was gone', async () => {
    const readers: ((datastore: Required<Datastore>) => Promise<unknown>)[] = [
      async ({ objects }) => {
        const taken: unknown[] = [];
        for await (const batch of (await objects?.list('IPPool'))?.objects ?? [])
          taken.push(...batch);
      },
      (datastore) => datastore.revisions('IPPool', { isWanted: () => true }),
    ];
    for (const read of readers) {
      server.faults.clear();
      server.fail({ path: POOLS, times: 1, fault: { type: 'reset', afterBytes: 100_000 } });
      server.fail({ path: POOLS, fault: { type: 'status', status: 404 } });
      const error = await failureOf(read((await openOnFake(server)) as Required<Datastore>));
      expect(error).to.be.instanceOf(UnavailableError);
    }
  });

  it('stays with pages for a kind that was cut, and for no other', async () => {
    server.fail({ path: PODS, times: 1, fault: { type: 'truncate', afterBytes: 100_000 } });
    const datastore = await openOnFake(server);
    await takeRows(datastore, 'Pod');
    await takeRows(datastore, 'Pod');
    await takeRows(datastore, 'IPPool');
    expect(server.seen(PODS).filter((request) => request.query.has('limit'))).to.have.length(6);
    expect(server.seen(POOLS).map((request) => request.query.has('limit'))).to.deep.equal([false]);
  });

  it('waits as long as a throttling server asks, then takes pages', async () => {
    server.fail({ path: POOLS, times: 1, fault: { type: 'status', status: 429, retryAfter: 3 } });
    const ports = impatientPorts();
    const datastore = await openOnFake(server, {}, ports);
    const { names, restarts } = await takeRows(datastore, 'IPPool');
    expect([names.length, restarts]).to.deep.equal([COUNT, 0]);
    expect(ports.waits).to.deep.equal([3000]);
    expect(server.seen(POOLS)[1]?.query.get('limit')).to.equal('500');
  });

  it('takes pages when the server runs out of time', async () => {
    server.fail({ path: PODS, times: 1, fault: { type: 'status', status: 504 } });
    const { names } = await takeRows(await openOnFake(server), 'Pod');
    expect(names).to.have.length(COUNT);
    expect(server.seen(PODS)).to.have.length(4);
  });

  it('asks again after an error of the server and after a lost connection', async () => {
    server.fail({ path: POOLS, times: 1, fault: { type: 'status', status: 503 } });
    server.fail({ path: POOLS, times: 1, fault: { type: 'reset' } });
    const { names } = await takeRows(await openOnFake(server), 'IPPool');
    expect(names).to.have.length(COUNT);
    expect(server.seen(POOLS).map((request) => request.query.has('limit'))).to.deep.equal([
      false,
      false,
      false,
    ]);
  });

  it('gives up a server that does not answer', async () => {
    server.fail({ path: POOLS, fault: { type: 'hang' } });
    const error = await failureOf(takeRows(await openOnFake(server, { timeoutMs: 100 }), 'IPPool'));
    expect(error).to.be.instanceOf(UnavailableError);
    expect(error.message)
      .to.include('GET /apis/crd.projectcalico.org/v1/ippools')
      .and.include('no answer within 0.1 s');
  });

  it('waits for a slow server as long as something comes', async () => {
    server.fail({ path: PODS, fault: { type: 'slow', pieceBytes: 40_000, pauseMs: 60 } });
    const { names, restarts } = await takeRows(await openOnFake(server, { timeoutMs: 250 }), 'Pod');
    expect([names.length, restarts]).to.deep.equal([COUNT, 0]);
  });

  it('refuses what is no API server', async () => {
    server.fail({ path: POOLS, fault: { type: 'html' } });
    const error = await failureOf(takeRows(await openOnFake(server), 'IPPool'));
    expect(error.message).to.include('not from an API server (text/html)');
  });
});

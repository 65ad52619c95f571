import { expect } from 'chai';
import { UnavailableError } from '../../../../src/errors/unavailable-error.ts';
import { type FakeApiServer, startFakeApiServer } from '../../../support/fake-api-server.ts';
import { failureOf, openOnFake, storedPod, takeRows } from '../../../support/kubernetes-fake.ts';

const PODS = '/api/v1/pods';
const NAMES = Array.from({ length: 50 }, (_, number) => `pod-${String(number).padStart(3, '0')}`);

describe('datastore/kubernetes/list-pages', () => {
  let server: FakeApiServer;

  beforeEach(async () => {
    server = await startFakeApiServer();
    for (const name of NAMES) server.put(storedPod(name));
  });

  afterEach(async () => {
    await server.stop();
  });

  it('takes pages of the size asked for', async () => {
    const datastore = await openOnFake(server, { pageSize: 20 });
    expect((await takeRows(datastore, 'Pod')).names).to.deep.equal(NAMES);
    expect(server.seen(PODS).map((request) => request.query.get('limit'))).to.deep.equal([
      '20',
      '20',
      '20',
    ]);
  });

  for (const minor of ['32', '32+', '28']) {
    it(`takes pages from Kubernetes 1.${minor}, which builds lists as a whole`, async () => {
      await server.stop();
      server = await startFakeApiServer({ minor });
      for (const name of NAMES) server.put(storedPod(name));
      await takeRows(await openOnFake(server), 'Pod');
      expect(server.seen(PODS).map((request) => request.query.get('limit'))).to.deep.equal(['500']);
    });
  }

  it('asks for the next page before the one at hand is taken', async () => {
    const datastore = await openOnFake(server, { pageSize: 20 });
    const { rows } = await datastore.list('Pod');
    const iterator = rows[Symbol.asyncIterator]();
    await iterator.next();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(server.seen(PODS)).to.have.length(2);
    await iterator.return?.();
  });

  it('gives rows of one moment, whatever changes meanwhile', async () => {
    server.onRequest = (path, nth) => {
      if (path === PODS && nth === 2)
        for (const name of NAMES) server.put(storedPod(`late-${name}`));
    };
    const datastore = await openOnFake(server, { pageSize: 20 });
    expect((await takeRows(datastore, 'Pod')).names).to.deep.equal(NAMES);
  });

  it('starts over when the revision of its pages has expired', async () => {
    server.onRequest = (path, nth) => {
      if (path === PODS && nth === 3) server.lists.expire();
    };
    const { names, restarts } = await takeRows(await openOnFake(server, { pageSize: 20 }), 'Pod');
    expect([names, restarts]).to.deep.equal([NAMES, 1]);
  });

  it('gives up when its pages expire again and again', async () => {
    server.onRequest = (path) => {
      if (path === PODS) server.lists.expire();
    };
    const error = await failureOf(takeRows(await openOnFake(server, { pageSize: 20 }), 'Pod'));
    expect(error).to.be.instanceOf(UnavailableError);
    expect(error.message).to.include('the list of Pod').and.include('broke off 4 times');
  });

  it('starts over when a page is of another revision', async () => {
    const datastore = await openOnFake(server, { pageSize: 20 });
    const answer = server.lists.answer.bind(server.lists);
    let isFirst = true;
    server.lists.answer = (target, query, accepts) => {
      // A token that was forgotten and a server that starts from the front instead of saying so.
      if (!isFirst || !query.has('continue')) return answer(target, query, accepts);
      isFirst = false;
      server.put(storedPod('pod-new'));
      return answer(target, new URLSearchParams({ limit: '20' }), accepts);
    };
    const { names, restarts } = await takeRows(datastore, 'Pod');
    expect(restarts).to.equal(1);
    expect(names).to.deep.equal([...NAMES, 'pod-new']);
  });

  it('asks again for a page that was cut, of the same revision', async () => {
    server.fail({ path: PODS, after: 1, times: 1, fault: { type: 'reset', afterBytes: 200 } });
    server.fail({ path: PODS, after: 2, times: 1, fault: { type: 'truncate', afterBytes: 200 } });
    const { names, restarts } = await takeRows(await openOnFake(server, { pageSize: 20 }), 'Pod');
    expect([names, restarts]).to.deep.equal([NAMES, 0]);
    expect(server.seen(PODS)).to.have.length(5);
  });

  it('gives up a page that is cut every time', async () => {
    server.fail({ path: PODS, after: 1, fault: { type: 'truncate', afterBytes: 200 } });
    const error = await failureOf(takeRows(await openOnFake(server, { pageSize: 20 }), 'Pod'));
    expect(error.message).to.include('broke off 4 times');
  });

  it('ends with the reason of the signal while it waits for a page', async () => {
    server.fail({ path: PODS, after: 1, fault: { type: 'hang' } });
    const controller = new AbortController();
    const datastore = await openOnFake(server, { pageSize: 20 });
    const reason = new Error('enough');
    setTimeout(() => controller.abort(reason), 50);
    expect(await failureOf(takeRows(datastore, 'Pod', { signal: controller.signal }))).to.equal(
      reason,
    );
  });
});

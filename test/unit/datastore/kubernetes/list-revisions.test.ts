import { expect } from 'chai';
import type { Datastore } from '../../../../src/datastore/datastore.ts';
import { UnavailableError } from '../../../../src/errors/unavailable-error.ts';
import { type FakeApiServer, startFakeApiServer } from '../../../support/fake-api-server.ts';
import {
  failureOf,
  openOnFake,
  storedPod,
  storedPool,
  takeRows,
} from '../../../support/kubernetes-fake.ts';

const POOLS = '/apis/crd.projectcalico.org/v1/ippools';
const COUNT = 1200;

describe('datastore/kubernetes/list-revisions', () => {
  let server: FakeApiServer;

  beforeEach(async () => {
    server = await startFakeApiServer();
    for (let number = 0; number < COUNT; number++) server.put(storedPool(`pool-${number}`));
  });

  afterEach(async () => {
    await server.stop();
  });

  const all = async (datastore: Datastore) => [
    ...((await datastore.revisions?.('IPPool', { isWanted: () => true })) ?? []),
  ];

  /** What listing the rows themselves says. */
  async function expected(datastore: Datastore): Promise<readonly (readonly unknown[])[]> {
    const { rows } = await takeRows(datastore, 'IPPool');
    return rows.map(({ key, revision }) => [key.name, revision]);
  }

  it('asks once, without limit, for metadata alone', async () => {
    const datastore = await openOnFake(server);
    expect(await all(datastore)).to.deep.equal(await expected(datastore));
    const [request] = server.seen(POOLS);
    expect(request?.headers.accept).to.equal(
      'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json',
    );
    expect(request?.query.toString()).to.equal('');
  });

  it('takes the namespace into the key', async () => {
    server.put(storedPod('web'));
    const datastore = await openOnFake(server);
    const listed = await datastore.revisions?.('Pod', { isWanted: () => true });
    const { rows } = await takeRows(datastore, 'Pod');
    expect([...(listed ?? [])]).to.deep.equal(
      rows.map(({ key, revision }) => [`${key.namespace}/web`, revision]),
    );
  });

  for (const [what, fault] of [
    ['is reset', { type: 'reset', afterBytes: 50_000 }],
    ['ends too early', { type: 'truncate', afterBytes: 50_000 }],
    ['falls silent', { type: 'hang', afterBytes: 50_000 }],
  ] as const) {
    it(`starts over in pages when the body ${what}`, async () => {
      server.fail({ path: POOLS, times: 1, fault });
      const datastore = await openOnFake(server, { timeoutMs: 300 });
      const listed = await all(datastore);
      const limits = server.seen(POOLS).map((request) => request.query.get('limit'));
      expect(limits).to.deep.equal([null, '500', '500', '500']);
      expect(listed).to.deep.equal(await expected(datastore));
    });
  }

  it('gives up on a server that cuts it every time', async () => {
    server.fail({ path: POOLS, fault: { type: 'truncate', afterBytes: 50_000 } });
    const datastore = await openOnFake(server, { timeoutMs: 300 });
    expect(await failureOf(all(datastore))).to.be.instanceOf(UnavailableError);
  });

  it('finds none where the server has no such kind', async () => {
    server.fail({ path: POOLS, fault: { type: 'status', status: 404 } });
    expect(await all(await openOnFake(server))).to.deep.equal([]);
  });

  it('throws what the signal says', async () => {
    const datastore = await openOnFake(server);
    const reason = new Error('enough');
    const options = { isWanted: () => true, signal: AbortSignal.abort(reason) };
    expect(await failureOf(Promise.resolve(datastore.revisions?.('IPPool', options)))).to.equal(
      reason,
    );
  });
});

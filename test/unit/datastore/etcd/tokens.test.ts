import { expect } from 'chai';
import { MessageWriter } from '../../../../src/datastore/etcd/wire.ts';
import { etcdClients, sourced, toolErrorOf } from '../../../support/etcd-clients.ts';
import {
  CODE,
  type FakeAnswer,
  type FakeEtcd,
  type FakeRequest,
  healthy,
  turningEtcds,
} from '../../../support/fake-etcd.ts';

describe('datastore/etcd: tokens', () => {
  const open = etcdClients();
  const turning = turningEtcds();

  const user = { username: sourced('u'), password: sourced('p') };

  /** Knows one token at a time; each sign-in makes a new one. */
  function tokens(
    refuse: (token: string | undefined) => boolean,
  ): (request: FakeRequest) => FakeAnswer {
    let made = 0;
    return (request) => {
      if (request.method === 'Authenticate') {
        return { message: new MessageWriter().bytes(2, `token-${String(++made)}`).finish() };
      }
      return refuse(request.token)
        ? { code: CODE.UNAUTHENTICATED, details: 'etcdserver: invalid auth token' }
        : healthy(request);
    };
  }

  function methods(server: FakeEtcd): string[] {
    return server.requests.map(({ method, token = '-' }) => `${method} ${token}`);
  }

  it('signs in once for many requests', async () => {
    const server = await turning(tokens(() => false));
    const client = await open(server.endpoint, user);
    await Promise.all([client.revision(), client.create('a', 'x'), client.get('b')]);
    expect(methods(server).sort()).to.deep.equal([
      ...['Authenticate -', 'Range token-1', 'Range token-1', 'Range token-1', 'Txn token-1'],
    ]);
  });

  it('signs in again, once for all, when a token is refused, and sends the write again', async () => {
    let refused = new Set<string | undefined>();
    const server = await turning(tokens((token) => refused.has(token)));
    const client = await open(server.endpoint, user);
    refused = new Set(['token-1']);
    const written = await Promise.all([client.create('a', 'x'), client.create('b', 'x')]);
    expect(written.map(({ done }) => done)).to.deep.equal([true, true]);
    expect(methods(server).filter((method) => method.startsWith('Auth'))).to.have.length(2);
  });

  it('gives up when new tokens are refused, too', async () => {
    const server = await turning(tokens(() => true));
    const error = await toolErrorOf(open(server.endpoint, user));
    expect(error).to.include({ code: 'ACCESS_DENIED', status: 7 });
    expect(methods(server).filter((method) => method.startsWith('Auth'))).to.have.length(3);
  });

  it('sends no token when etcd has no users', async () => {
    const server = await turning((request) =>
      request.method === 'Authenticate'
        ? { code: CODE.FAILED_PRECONDITION, details: 'etcdserver: authentication is not enabled' }
        : healthy(request),
    );
    const client = await open(server.endpoint, user);
    await client.revision();
    expect(methods(server)).to.deep.equal(['Authenticate -', 'Range -', 'Range -']);
  });

  it('does not count a user without a password', async () => {
    const server = await turning(healthy);
    await open(server.endpoint, { username: sourced('u') });
    expect(methods(server)).to.deep.equal(['Range -']);
  });
});

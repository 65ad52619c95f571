import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import type { EtcdConnection } from '../../../../src/datastore/connection.ts';
import type { EtcdClient } from '../../../../src/datastore/etcd/etcd-client.ts';
import { MessageWriter } from '../../../../src/datastore/etcd/wire.ts';
import { collectPages, etcdClients, keysOf, toolErrorOf } from '../../../support/etcd-clients.ts';
import {
  CODE,
  type FakeAnswer,
  FAKE_REVISION,
  fakeHeader,
  healthy,
  turningEtcds,
} from '../../../support/fake-etcd.ts';
import { failureOf } from '../../../support/temp-folder.ts';

function refusing(code: number, details: string): () => FakeAnswer {
  return () => ({ code, details });
}

const NO_LEADER = refusing(CODE.UNAVAILABLE, 'etcdserver: no leader');

describe('datastore/etcd: faults of servers', () => {
  const open = etcdClients();
  const turning = turningEtcds();
  const listening: Server[] = [];
  const accepted: Socket[] = [];

  afterEach(() => {
    for (const server of listening.splice(0)) server.close();
    for (const socket of accepted.splice(0)) socket.destroy();
  });

  function openAll(
    servers: readonly { readonly endpoint: string }[],
    settings: Partial<EtcdConnection> = {},
  ): Promise<EtcdClient> {
    return open(servers.map(({ endpoint }) => endpoint).join(','), settings);
  }

  it('goes past a member without leader, for reads and for writes, which it has not looked at', async () => {
    const [first, second] = [await turning(), await turning()];
    const client = await openAll([first, second]);
    first.turn(NO_LEADER);
    expect(await client.revision()).to.equal(FAKE_REVISION);
    expect(second.requests).to.have.length(1);
    second.turn(NO_LEADER);
    first.turn(healthy);
    expect((await client.create('a', 'x')).done).to.equal(true);
  });

  it('stays with the endpoint that answered last', async () => {
    const [first, second] = [await turning(), await turning()];
    const client = await openAll([first, second]);
    first.turn(NO_LEADER);
    for (let index = 0; index < 5; index++) await client.revision();
    expect(first.requests).to.have.length(2);
    expect(second.requests).to.have.length(5);
  });

  it('reads again, a few times, from a lone server that stumbles', async () => {
    const server = await turning();
    const client = await openAll([server]);
    let stumbles = 2;
    server.turn((request) =>
      stumbles-- > 0
        ? { code: CODE.UNAVAILABLE, details: 'etcdserver: leader changed' }
        : healthy(request),
    );
    expect(await client.revision()).to.equal(FAKE_REVISION);
  });

  it('gives a read up after some rounds, naming endpoint and reason', async () => {
    const server = await turning();
    const client = await openAll([server]);
    server.turn(refusing(CODE.UNAVAILABLE, 'etcdserver: request timed out'));
    const error = await toolErrorOf(client.get('/a'));
    expect(error).to.include({ code: 'UNAVAILABLE', status: 8, retryable: true });
    expect(error.message).to.equal(
      `get /a at etcd fails: ${server.endpoint}: etcdserver: request timed out`,
    );
    expect(server.requests).to.have.length(1 + 4);
  });

  for (const [title, answer] of [
    ['a connection that breaks', (): FakeAnswer => 'reset'],
    [
      'a server that says it timed out',
      refusing(CODE.UNAVAILABLE, 'etcdserver: request timed out'),
    ],
    ['a server that stops', refusing(CODE.UNAVAILABLE, 'etcdserver: server stopped')],
    ['a server that fails inside', refusing(CODE.INTERNAL, 'oh no')],
    ['silence', (): FakeAnswer => 'hang'],
  ] as const) {
    it(`does not send a write twice after ${title}, and says that the answer is lost`, async () => {
      const [first, second] = [await turning(), await turning()];
      const client = await openAll([first, second], { timeoutMs: 400 });
      first.turn(answer);
      const error = await toolErrorOf(client.create('/a', 'x'));
      expect(error).to.include({ code: 'UNAVAILABLE', status: 8, retryable: true });
      expect(error.details).to.include({ answerLost: true });
      expect(error.message).to.include('create /a').and.include(first.endpoint);
      expect(first.requests).to.have.length(2);
      expect(second.requests).to.have.length(0);
    });

    it(`reads from the other endpoint after ${title}`, async () => {
      const [first, second] = [await turning(), await turning()];
      const client = await openAll([first, second], { timeoutMs: 400 });
      first.turn(answer);
      expect(await client.revision()).to.equal(FAKE_REVISION);
      expect(second.requests).to.have.length(1);
    });
  }

  it('asks a server that hangs once, and names the time it waited', async () => {
    const server = await turning();
    const client = await openAll([server], { timeoutMs: 200 });
    server.turn(() => 'hang');
    const error = await toolErrorOf(client.get('/a'));
    expect(error.message).to.include('no answer within 0.2 s');
    expect(server.requests).to.have.length(2);
  });

  it('goes past an endpoint that accepts connections and says nothing', async () => {
    const mute = createServer((socket) => void accepted.push(socket)).listen(0, '127.0.0.1');
    listening.push(mute);
    await once(mute, 'listening');
    const { port } = mute.address() as { port: number };
    const server = await turning();
    const silent = { endpoint: `http://127.0.0.1:${String(port)}` };
    const client = await openAll([silent, server], { timeoutMs: 300 });
    expect((await client.create('/a', 'x')).done).to.equal(true);
    const error = await toolErrorOf(openAll([silent], { timeoutMs: 300 }));
    expect(error.message).to.include('no connection within 0.3 s').and.include(silent.endpoint);
  });

  it('ends a request on its way when its signal aborts', async () => {
    const server = await turning();
    const client = await openAll([server]);
    server.turn(() => 'hang');
    const controller = new AbortController();
    const reason = new Error('enough');
    const reading = failureOf(client.get('/a', { signal: controller.signal }));
    const writing = failureOf(client.create('/a', 'x', { signal: controller.signal }));
    while (server.requests.length < 3) await new Promise((resolve) => setImmediate(resolve));
    controller.abort(reason);
    expect(await reading).to.equal(reason);
    expect(await writing).to.equal(reason);
  });

  it('sends nothing once the signal of the command has aborted', async () => {
    const server = await turning();
    const controller = new AbortController();
    const client = await openAll([server], { signal: controller.signal });
    const reason = new Error('enough');
    controller.abort(reason);
    expect(await failureOf(client.revision())).to.equal(reason);
    expect(server.requests).to.have.length(1);
  });

  it('fails requests on their way when it is closed', async () => {
    const server = await turning();
    const client = await openAll([server]);
    server.turn(() => 'hang');
    const reading = toolErrorOf(client.get('/a'));
    while (server.requests.length < 2) await new Promise((resolve) => setImmediate(resolve));
    client.close();
    expect((await reading).message).to.equal('the connection to etcd is closed');
    expect((await toolErrorOf(client.get('/a'))).message).to.equal(
      'the connection to etcd is closed',
    );
  });

  it('says that an answer is not that of an etcd', async () => {
    const server = await turning();
    const client = await openAll([server]);
    server.turn(() => ({ message: Buffer.from([0x0b]) }));
    const error = await toolErrorOf(client.get('/a'));
    expect(error.message).to.equal(`${server.endpoint} gives answers that are not etcd's`);
  });

  it('fetches the next page while the caller looks at one, and stops when the caller does', async () => {
    const server = await turning();
    const client = await openAll([server]);
    let pages = 0;
    server.turn(() => {
      const key = `/p/${String(pages++)}`;
      const entry = new MessageWriter().bytes(1, key).integer(3, 1n).bytes(5, '{}');
      return {
        message: new MessageWriter()
          .message(1, fakeHeader())
          .message(2, entry)
          .flag(3, pages < 4)
          .finish(),
      };
    });
    const all = await collectPages(client.range('/p/', { pageSize: 1 }));
    expect(keysOf(all)).to.deep.equal(['/p/0', '/p/1', '/p/2', '/p/3']);
    pages = 0;
    for await (const { entries } of client.range('/p/', { pageSize: 1 })) {
      expect(entries).to.have.length(1);
      break;
    }
    expect(pages).to.be.within(1, 2);
  });

  it('keeps to the rate that --qps allows', async () => {
    const server = await turning();
    let slept = 0;
    const ports = {
      now: () => 0,
      sleep: (milliseconds: number) => {
        slept = Math.max(slept, milliseconds);
        return Promise.resolve();
      },
      random: () => 0,
    };
    const client = await open(server.endpoint, { qps: { value: 10, origin: '--qps' } }, { ports });
    for (let index = 0; index < 29; index++) await client.revision();
    // 30 requests, of which the first 10 go at once.
    expect(slept).to.be.closeTo(2000, 1);
  });
});

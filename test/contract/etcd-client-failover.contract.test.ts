import { expect } from 'chai';
import { etcdClients, toolErrorOf } from '../support/etcd-clients.ts';
import { type EtcdProcess, startEtcd, startEtcdCluster } from '../support/etcd-process.ts';
import { freePort } from '../support/server-process.ts';
import { requireServers } from '../support/shared-servers.ts';
import { failureOf } from '../support/temp-folder.ts';

const START_MS = 60_000;

describe('datastore/etcd/etcd-client with several endpoints', () => {
  const open = etcdClients();
  const started: EtcdProcess[] = [];

  before(function () {
    requireServers(this);
  });

  afterEach(async () => {
    for (const etcd of started.splice(0)) await etcd.stop();
  });

  async function start(port?: number): Promise<EtcdProcess> {
    const etcd = await startEtcd({ port });
    started.push(etcd);
    return etcd;
  }

  it('goes past a dead one, for reads and writes, and shows both', async function () {
    this.timeout(START_MS);
    const etcd = await start();
    const dead = `http://127.0.0.1:${await freePort()}`;
    const client = await open(`${dead},${etcd.endpoint}`);
    expect(client.displayEndpoints).to.equal(`${dead},${etcd.endpoint}`);
    expect((await client.create('/a', 'one')).done).to.equal(true);
    expect((await client.get('/a')).entries).to.have.length(1);
  });

  it('reads from the other one when the first dies, and comes back to one that comes back', async function () {
    this.timeout(START_MS);
    const [first, second] = [await start(), await start()];
    const client = await open(`${first.endpoint},${second.endpoint}`);
    await client.create('/which', 'first');
    await first.stop();
    expect((await client.get('/which')).entries).to.deep.equal([]);
    expect((await client.create('/which', 'second')).done).to.equal(true);
    await second.stop();
    const error = await failureOf(client.get('/which'));
    expect(error).to.include({ code: 'UNAVAILABLE', status: 8, retryable: true });
    expect(error.message).to.include(first.endpoint).and.include(second.endpoint);
    await start(Number(new URL(first.endpoint).port));
    expect((await client.get('/which')).entries).to.deep.equal([]);
  });

  it('serves while one member of three is down, and says that there is no leader when two are', async function () {
    this.timeout(START_MS);
    const members = await startEtcdCluster();
    started.push(...members);
    const client = await open(members.map(({ endpoint }) => endpoint).join(','));
    const created = await client.create('/a', 'one');
    const modRevision = created.done ? created.revision : 0n;
    await members[0]?.stop();
    const { entries } = await client.get('/a');
    expect(entries.map(({ value }) => value)).to.deep.equal(['one']);
    // The rest may still be choosing another leader, so that a write may have to be planned again.
    await until(async () => {
      const answer = await client.replace('/a', 'two', { modRevision });
      return answer.done || answer.current?.value === 'two';
    });
    await members[1]?.stop();
    const error = await toolErrorOf(client.create('/b', 'x'));
    expect(error).to.include({ code: 'UNAVAILABLE', status: 8, retryable: true });
    expect(error.message).to.include(members[2]?.endpoint);
  });
});

/** Repeats what may fail for a while, such as during an election. */
async function until(isDone: () => Promise<boolean>): Promise<void> {
  let problem: unknown;
  for (let attempt = 1; attempt <= 20; attempt++) {
    try {
      if (await isDone()) return;
    } catch (error) {
      problem = error;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('it was not done in time', { cause: problem });
}

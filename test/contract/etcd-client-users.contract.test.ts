import { expect } from 'chai';
import type { EtcdClient } from '../../src/datastore/etcd/etcd-client.ts';
import { collectPages, etcdClients, sourced, toolErrorOf } from '../support/etcd-clients.ts';
import {
  enableUsers,
  type EtcdProcess,
  type EtcdUser,
  startEtcd,
} from '../support/etcd-process.ts';
import { requireServers } from '../support/shared-servers.ts';
import { failureOf } from '../support/temp-folder.ts';

const START_MS = 60_000;

describe('datastore/etcd/etcd-client with users', () => {
  const open = etcdClients();
  let etcd: EtcdProcess;

  const calico: EtcdUser = {
    ...{ name: 'calico', password: 'pass:word', prefix: '/calico/', right: 'READWRITE' },
  };
  const reader: EtcdUser = {
    ...{ name: 'reader', password: 'reader', prefix: '/calico/ipam/', right: 'READ' },
  };
  const stranger: EtcdUser = {
    ...{ name: 'stranger', password: 'stranger', prefix: '/other/', right: 'READWRITE' },
  };

  before(async function () {
    requireServers(this);
    this.timeout(START_MS);
    etcd = await startEtcd({ tokenSeconds: 1 });
    await enableUsers(etcd, [calico, reader, stranger]);
  });

  after(() => etcd.stop());

  function as({ name, password }: { name: string; password: string }): Promise<EtcdClient> {
    return open(etcd.endpoint, {
      username: sourced(name, 'the name'),
      password: sourced(password, 'the password'),
    });
  }

  it('reads and writes as a user who may', async () => {
    const client = await as(calico);
    expect((await client.create('/calico/a', 'one')).done).to.equal(true);
    expect((await client.get('/calico/a')).entries).to.have.length(1);
  });

  it('signs in again when the token has expired, also for a write', async function () {
    this.timeout(START_MS);
    const client = await as(calico);
    const created = await client.create('/calico/expiry', 'one');
    await new Promise((resolve) => setTimeout(resolve, 3_500));
    const modRevision = created.done ? created.revision : 0n;
    const answers = await Promise.all([
      client.replace('/calico/expiry', 'two', { modRevision }),
      client.get('/calico/expiry'),
      client.revision(),
    ]);
    expect(answers[0].done).to.equal(true);
  });

  it('names what a user may not do', async () => {
    const client = await as(reader);
    const error = await failureOf(client.create('/calico/ipam/v2/x', 'one'));
    expect(error).to.include({ code: 'ACCESS_DENIED', status: 7 });
    expect(error.message).to.equal(
      `user reader may not create /calico/ipam/v2/x at ${etcd.endpoint}`,
    );
    const list = await failureOf(collectPages(client.range('/calico/resources/')));
    expect(list).to.have.deep.nested.property('details.denied', [
      { verb: 'list', resource: '/calico/resources/' },
    ]);
  });

  it('opens for a user without rights on IPAM, who learns of it when it reads', async () => {
    const client = await as(stranger);
    expect((await client.create('/other/a', 'one')).done).to.equal(true);
    const error = await failureOf(client.get('/calico/ipam/v2/config'));
    expect(error).to.include({ code: 'ACCESS_DENIED', status: 7 });
  });

  it('refuses a wrong password and an unknown user, naming where they come from', async () => {
    for (const user of [
      { ...calico, password: 'wrong' },
      { name: 'nobody', password: 'x' },
    ]) {
      const error = await toolErrorOf(as(user));
      expect(error).to.include({ code: 'ACCESS_DENIED', status: 7 });
      expect(error.message).to.include(`user ${user.name} and the password are not accepted`);
      expect(error.message).not.to.include(user.password);
      expect((error as Error & { hint: string }).hint)
        .to.include('the name')
        .and.include('the password');
    }
  });

  it('asks for a user when there is none, and says that half of one does not count', async () => {
    const nobody = await failureOf(open(etcd.endpoint));
    expect(nobody).to.include({ code: 'ACCESS_DENIED', status: 7 });
    expect((await toolErrorOf(open(etcd.endpoint))).hint).to.equal(
      'set ETCD_USERNAME and ETCD_PASSWORD',
    );
    expect(
      (await toolErrorOf(open(etcd.endpoint, { username: sourced('calico', 'the name') }))).hint,
    ).to.equal('the name counts only together with ETCD_PASSWORD');
  });
});

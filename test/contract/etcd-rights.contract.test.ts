import { expect } from 'chai';
import type { WritableDatastore } from '../../src/datastore/datastore.ts';
import { openEtcdDatastore } from '../../src/datastore/etcd/etcd-datastore.ts';
import { planConfigure } from '../../src/operations/configure-ipam.ts';
import { runCheck } from '../../src/operations/run-check.ts';
import { contextOf } from '../support/scripted-datastore.ts';
import { enableUsers, type EtcdProcess, startEtcd } from '../support/etcd-process.ts';
import { EtcdStore } from '../support/etcd-store.ts';
import { requireServers } from '../support/shared-servers.ts';
import { failureOf } from '../support/temp-folder.ts';
import { CHECK_OPTIONS } from '../support/writing-runs.ts';

const IPAM = '/calico/ipam/v2';
const RESOURCES = '/calico/resources/v3/projectcalico.org';

describe('etcd with users of few rights', () => {
  let etcd: EtcdProcess;
  let datastore: WritableDatastore;

  before(async function () {
    requireServers(this);
    etcd = await startEtcd();
    await new EtcdStore(etcd.endpoint).put([
      [`${IPAM}/config`, '{"auto_allocate_blocks":true}'],
      [
        `${RESOURCES}/clusterinformations/default`,
        '{"kind":"ClusterInformation","metadata":{"name":"default"},"spec":{}}',
      ],
    ]);
    await enableUsers(etcd, [
      { name: 'few', password: 'few', prefix: `${RESOURCES}/`, right: 'READ' },
      { name: 'reader', password: 'reader', prefix: '/calico/', right: 'READ' },
    ]);
  });

  afterEach(async () => {
    await datastore.close();
  });

  after(() => etcd.stop());

  async function openAs(name: string): Promise<void> {
    const setting = (value: string) => ({ value, origin: 'test' });
    datastore = await openEtcdDatastore({
      env: {},
      endpoints: setting(etcd.endpoint),
      username: setting(name),
      password: setting(name),
    });
  }

  it('ends a check with all folders that may not be read, and status 7', async () => {
    await openAs('few');
    const error = await failureOf(runCheck(contextOf(datastore), CHECK_OPTIONS));
    expect(error).to.include({ code: 'ACCESS_DENIED', status: 7 });
    const { details } = error as unknown as { details: { denied: { resource: string }[] } };
    expect(details.denied.map(({ resource }) => resource)).to.have.members([
      `${IPAM}/assignment/`,
      `${IPAM}/handle/`,
      `${IPAM}/host/`,
      `${IPAM}/virtual/`,
      `${IPAM}/@/`,
      `${IPAM}/config`,
    ]);
    for (const { resource } of details.denied) expect(error.message).to.include(resource);
  });

  it('reads what a reader may, and names the key that it may not write', async () => {
    await openAs('reader');
    const context = contextOf(datastore);
    const mutation = await planConfigure(context, {
      changes: { strictAffinity: true },
      isMismatchAllowed: true,
    });
    const { document, error } = await mutation.apply();
    expect(error).to.include({ code: 'ACCESS_DENIED', status: 7 });
    expect(error?.message).to.include(`${IPAM}/config`);
    expect(document.items).to.have.length(1);
  });
});

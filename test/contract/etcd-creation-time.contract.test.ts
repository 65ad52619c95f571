import { expect } from 'chai';
import { openDatastore } from '../../src/datastore/open-datastore.ts';
import { metadataOf } from '../../src/ipam/model/object-metadata.ts';
import type { JsonObject } from '../../src/ipam/model/resource.ts';
import { EtcdStore } from '../support/etcd-store.ts';
import { requireEtcd } from '../support/shared-servers.ts';

describe('contract/creation times in etcd', () => {
  let endpoint: string;

  before(async function () {
    ({ endpoint } = await requireEtcd(this));
    await new EtcdStore(endpoint).wipe();
  });

  it('are those of the clock that opens it, with a uid for each object', async () => {
    const datastore = await openDatastore({
      env: { DATASTORE_TYPE: 'etcdv3', ETCD_ENDPOINTS: endpoint },
      defaultConfigFile: '/nonexistent/calicoctl.cfg',
      now: () => Date.parse('2020-02-29T12:00:00Z') + 999,
    });
    try {
      const metadata: JsonObject[] = [];
      for (const name of ['a', 'b']) {
        const made = await datastore.objects?.create('NetworkSet', {
          apiVersion: 'projectcalico.org/v3',
          kind: 'NetworkSet',
          metadata: { name, namespace: 'default' },
          spec: {},
        });
        metadata.push(metadataOf(made ?? {}));
      }
      for (const { creationTimestamp } of metadata)
        expect(creationTimestamp).to.equal('2020-02-29T12:00:00Z');
      expect(new Set(metadata.map(({ uid }) => uid)).size).to.equal(2);
    } finally {
      await datastore.close();
    }
  });
});

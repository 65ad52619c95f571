import { expect } from 'chai';
import { resolveOtherSide } from '../../../../src/datastore/config.ts';

const NO_FILE = '/nonexistent/calicoctl.cfg';

describe('datastore/config, other side of a migration', () => {
  const otherSide = (env: Record<string, string>) =>
    resolveOtherSide({ env, defaultConfigFile: NO_FILE });

  it('is the cluster beside etcd', async () => {
    const side = await otherSide({ ETCD_ENDPOINTS: 'http://e:2379', KUBECONFIG: '/k' });
    expect(side).to.have.nested.include({
      type: 'kubernetes',
      'kubernetes.kubeconfig.value': '/k',
    });
  });

  it('is the etcd that is configured beside a cluster', async () => {
    const side = await otherSide({
      DATASTORE_TYPE: 'kubernetes',
      ETCD_ENDPOINTS: 'http://e:2379',
      KUBECONFIG: '/k',
    });
    expect(side).to.have.nested.include({
      type: 'etcdv3',
      origin: 'environment variable ETCD_ENDPOINTS',
      'etcd.endpoints.value': 'http://e:2379',
    });
  });

  it('is nothing where nothing names one', async () => {
    expect(await otherSide({ ETCD_ENDPOINTS: 'http://e:2379' })).to.equal(undefined);
    expect(await otherSide({ KUBECONFIG: '/k' })).to.equal(undefined);
  });
});

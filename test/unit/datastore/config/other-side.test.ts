import { expect } from 'chai';
import { resolveConnection, resolveOtherSide } from '../../../../src/datastore/config.ts';

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

  it('keeps a cluster from having the process to itself', async () => {
    const owns = async (env: Record<string, string>): Promise<unknown> => {
      const all = { KUBECONFIG: '/k', DATASTORE_TYPE: 'kubernetes', ...env };
      const settings = { env: all, defaultConfigFile: NO_FILE, ownsProcess: true };
      return (await resolveConnection(settings)).kubernetes?.ownsProcess;
    };
    expect(await owns({})).to.equal(true);
    expect(await owns({ ETCD_ENDPOINTS: 'http://e:2379' })).to.equal(false);
    expect(await owns({ ETCD_DISCOVERY_SRV: 'e.example.com' })).to.equal(false);
    expect(await owns({ ETCD_ENDPOINTS: 'http://e:2379', DATASTORE_TYPE: 'etcdv3' })).to.equal(
      false,
    );
  });

  it('is nothing where nothing names one', async () => {
    expect(await otherSide({ ETCD_ENDPOINTS: 'http://e:2379' })).to.equal(undefined);
    expect(await otherSide({ KUBECONFIG: '/k' })).to.equal(undefined);
  });
});

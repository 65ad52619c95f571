import { expect } from 'chai';
import { type ConnectionSettings, resolveConnection } from '../../../../src/datastore/config.ts';
import type { EtcdConnection, KubernetesConnection } from '../../../../src/datastore/connection.ts';
import { failureOf, temporaryFolders } from '../../../support/temp-folder.ts';

const HEAD = 'apiVersion: projectcalico.org/v3\nkind: CalicoAPIConfig\n';
const ETCD = '  datastoreType: etcdv3\n';
const ENDPOINTS = `${ETCD}  etcdEndpoints: https://a:2379\n`;

describe('datastore/config-etcd', () => {
  const write = temporaryFolders();

  async function resolve(
    settings: Partial<ConnectionSettings>,
    spec = '',
  ): Promise<{ etcd: EtcdConnection; kubernetes?: KubernetesConnection | undefined }> {
    const folder = await write({ cfg: `${HEAD}spec:\n${spec}` });
    const connection = await resolveConnection({
      env: {},
      ...settings,
      defaultConfigFile: `${folder}/cfg`,
    });
    if (connection.type !== 'etcdv3') throw new Error('not etcd');
    return connection;
  }

  async function messageOf(settings: Partial<ConnectionSettings>, spec = ''): Promise<string> {
    const error = await failureOf(resolve(settings, spec));
    expect(error).to.include({ code: 'CONFIGURATION', status: 8 });
    return error.message.replaceAll(/[^\s(]+\/cfg/g, 'cfg');
  }

  function given(connection: object): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(connection).filter(([, value]) => value !== undefined),
    );
  }

  it('takes every setting from the environment, with its variable as origin', async () => {
    const env = {
      ETCD_ENDPOINTS: 'https://a:2379,https://b:2379',
      ETCD_USERNAME: 'calico',
      CALICO_ETCD_PASSWORD: 'secret',
      ETCD_KEY_FILE: '/key',
      ETCD_CERT_FILE: '/cert',
      ETCD_CA_CERT_FILE: '/ca',
    };
    const { etcd, kubernetes } = await resolve({ env });
    const from = (value: string, name: string) => ({
      value,
      origin: `environment variable ${name}`,
    });
    expect(given(etcd)).to.deep.equal({
      env,
      endpoints: from('https://a:2379,https://b:2379', 'ETCD_ENDPOINTS'),
      username: from('calico', 'ETCD_USERNAME'),
      password: from('secret', 'CALICO_ETCD_PASSWORD'),
      keyFile: from('/key', 'ETCD_KEY_FILE'),
      certFile: from('/cert', 'ETCD_CERT_FILE'),
      caFile: from('/ca', 'ETCD_CA_CERT_FILE'),
    });
    expect(kubernetes).to.equal(undefined);
  });

  it('takes keys and certificates as text from the file', async () => {
    const spec = `${ENDPOINTS}  etcdKey: K\n  etcdCert: C\n  etcdCACert: A\n`;
    const { etcd } = await resolve({}, spec);
    expect([etcd.key?.value, etcd.cert?.value, etcd.ca?.value]).to.deep.equal(['K', 'C', 'A']);
    expect(etcd.ca?.origin).to.match(/\/cfg:8 \(spec\.etcdCACert\)$/);
  });

  it('lets an empty variable with prefix hide the one without, and falls back to the file', async () => {
    const env = { CALICO_ETCD_ENDPOINTS: '', ETCD_ENDPOINTS: 'https://plain:1' };
    const { etcd } = await resolve({ env }, ENDPOINTS);
    expect(etcd.endpoints?.value).to.equal('https://a:2379');
  });

  it('passes limits on, and takes the rate from --qps alone', async () => {
    const { signal } = new AbortController();
    const spec = `${ENDPOINTS}  k8sClientQPS: 7\n`;
    const settings = { pageSize: 100, timeoutMs: 5000, signal };
    const { etcd } = await resolve(settings, spec);
    expect(etcd).to.include({ ...settings, qps: undefined });
    expect((await resolve({ qps: 50 }, spec)).etcd.qps).to.deep.equal({
      value: 50,
      origin: '--qps',
    });
  });

  it('knows a cluster beside etcd by kubeconfig, server or context, wherever they are set', async () => {
    for (const settings of [
      { kubeconfig: '/flag' },
      { context: 'prod' },
      { env: { KUBECONFIG: '/env' } },
      { env: { K8S_API_ENDPOINT: 'https://server' } },
    ]) {
      const { kubernetes } = await resolve({ env: {}, ...settings }, ENDPOINTS);
      expect(kubernetes, JSON.stringify(settings)).to.not.equal(undefined);
    }
    const { kubernetes } = await resolve({}, `${ENDPOINTS}  kubeconfigInline: "{}"\n`);
    expect(kubernetes?.kubeconfigInline?.value).to.equal('{}');
    const env = { CALICO_K8SAPITOKEN: 'token', K8S_CA_FILE: '/ca' };
    expect((await resolve({ env }, ENDPOINTS)).kubernetes).to.equal(undefined);
  });

  it('is etcd even where pods take their addresses from pod CIDRs', async () => {
    const { etcd } = await resolve({ env: { USE_POD_CIDR: 'true' } }, ENDPOINTS);
    expect(etcd.endpoints?.value).to.equal('https://a:2379');
  });

  it('wants to know where etcd is', async () => {
    expect(await messageOf({}, ETCD)).to.equal(
      'cfg:4 (spec.datastoreType) selects etcd, and nothing says where it is',
    );
  });

  it('refuses endpoints beside a discovery domain from the same source', async () => {
    expect(await messageOf({}, `${ENDPOINTS}  etcdDiscoverySrv: example.org\n`)).to.equal(
      'etcdEndpoints (cfg:5 (spec.etcdEndpoints)) and etcdDiscoverySrv (cfg:6 (spec.etcdDiscoverySrv)) exclude each other',
    );
  });

  it('prefers endpoints or discovery domain of the source that wins', async () => {
    const srv = await resolve({ env: { ETCD_DISCOVERY_SRV: 'example.org' } }, ENDPOINTS);
    expect(srv.etcd.endpoints).to.equal(undefined);
    expect(srv.etcd.discoverySrv?.value).to.equal('example.org');
    const spec = `${ETCD}  etcdDiscoverySrv: example.org\n`;
    const endpoints = await resolve({ env: { ETCD_ENDPOINTS: 'http://b:1' } }, spec);
    expect(endpoints.etcd.discoverySrv).to.equal(undefined);
    expect(endpoints.etcd.endpoints?.value).to.equal('http://b:1');
  });

  for (const [title, spec, message] of [
    [
      'a key as text beside a file',
      '  etcdKey: K\n  etcdCert: C\n  etcdCACertFile: /ca\n',
      'etcdKey (cfg:6 (spec.etcdKey)) and etcdCACertFile (cfg:8 (spec.etcdCACertFile)) exclude each other',
    ],
    [
      'a key file without certificate',
      '  etcdKeyFile: /key\n',
      'cfg:6 (spec.etcdKeyFile): etcdKeyFile is given without etcdCertFile',
    ],
    [
      'a certificate file without key',
      '  etcdCertFile: /cert\n  etcdCACertFile: /ca\n',
      'cfg:6 (spec.etcdCertFile): etcdCertFile is given without etcdKeyFile',
    ],
    [
      'a key as text without certificate',
      '  etcdKey: K\n',
      'cfg:6 (spec.etcdKey): etcdKey is given without etcdCert',
    ],
    [
      'a certificate as text without key',
      '  etcdCert: C\n  etcdCACert: A\n',
      'cfg:6 (spec.etcdCert): etcdCert is given without etcdKey',
    ],
    [
      'an authority as text alone',
      '  etcdCACert: A\n',
      'cfg:6 (spec.etcdCACert): etcdCACert is given without etcdCert',
    ],
  ] as const) {
    it(`refuses ${title}`, async () => {
      expect(await messageOf({}, ENDPOINTS + spec)).to.equal(message);
    });
  }

  it('refuses a file of the environment beside a text of the file', async () => {
    const spec = `${ENDPOINTS}  etcdKey: K\n  etcdCert: C\n`;
    expect(await messageOf({ env: { ETCD_CA_CERT_FILE: '/ca' } }, spec)).to.equal(
      'etcdKey (cfg:6 (spec.etcdKey)) and etcdCACertFile (environment variable ETCD_CA_CERT_FILE) exclude each other',
    );
  });

  it('takes an authority file alone', async () => {
    const { etcd } = await resolve({}, `${ENDPOINTS}  etcdCACertFile: /ca\n`);
    expect(etcd.caFile?.value).to.equal('/ca');
  });
});

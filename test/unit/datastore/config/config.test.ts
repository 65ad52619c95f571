import { expect } from 'chai';
import { type ConnectionSettings, resolveConnection } from '../../../../src/datastore/config.ts';
import type { KubernetesConnection } from '../../../../src/datastore/connection.ts';
import { failureOf, temporaryFolders } from '../../../support/temp-folder.ts';

const HEAD = 'apiVersion: projectcalico.org/v3\nkind: CalicoAPIConfig\n';

describe('datastore/config: precedence', () => {
  const write = temporaryFolders();

  async function resolve(
    settings: Partial<ConnectionSettings>,
    spec?: string,
  ): ReturnType<typeof resolveConnection> {
    const folder = await write(spec === undefined ? {} : { cfg: `${HEAD}spec:\n${spec}` });
    return resolveConnection({ env: {}, defaultConfigFile: `${folder}/cfg`, ...settings });
  }

  async function kubernetes(
    settings: Partial<ConnectionSettings>,
    spec?: string,
  ): Promise<KubernetesConnection> {
    const connection = await resolve(settings, spec);
    if (connection.type !== 'kubernetes') throw new Error('not Kubernetes');
    return connection.kubernetes;
  }

  it('is Kubernetes with nothing set, and passes limits and surroundings on', async () => {
    const { signal } = new AbortController();
    const connection = await kubernetes({
      pageSize: 100,
      timeoutMs: 5000,
      signal,
      homeDir: '/home/x',
    });
    const given = Object.entries(connection).filter(([, value]) => value !== undefined);
    expect(Object.fromEntries(given)).to.deep.equal({
      env: {},
      homeDir: '/home/x',
      pageSize: 100,
      timeoutMs: 5000,
      signal,
    });
  });

  it('takes a flag, then the environment, then the file, setting by setting, and says where from', async () => {
    const spec = '  kubeconfig: /file\n  k8sCurrentContext: file\n  k8sAPIEndpoint: https://file\n';
    const env = { KUBECONFIG: '/env', K8S_CURRENT_CONTEXT: 'env' };
    const connection = await kubernetes({ context: 'flag', env }, spec);
    expect(connection.context).to.deep.equal({ value: 'flag', origin: '--context' });
    expect(connection.kubeconfig).to.deep.equal({
      value: '/env',
      origin: 'environment variable KUBECONFIG',
    });
    expect(connection.apiEndpoint?.value).to.equal('https://file');
    expect(connection.apiEndpoint?.origin).to.match(/\/cfg:6 \(spec\.k8sAPIEndpoint\)$/);
  });

  it('lets a variable with prefix hide the one without, even when it is empty', async () => {
    const env = { CALICO_KUBECONFIG: '/calico', KUBECONFIG: '/plain' };
    expect((await kubernetes({ env })).kubeconfig).to.deep.equal({
      value: '/calico',
      origin: 'environment variable CALICO_KUBECONFIG',
    });
    expect((await kubernetes({ env: { ...env, CALICO_KUBECONFIG: '' } })).kubeconfig).to.equal(
      undefined,
    );
  });

  it('leaves the file alone when a variable is empty', async () => {
    const connection = await kubernetes({ env: { KUBECONFIG: '' } }, '  kubeconfig: /file\n');
    expect(connection.kubeconfig?.value).to.equal('/file');
  });

  it('prefers another kubeconfig by flag or environment to the text in the file', async () => {
    const spec = '  kubeconfigInline: "{}"\n  kubeconfig: /file\n';
    expect((await kubernetes({}, spec)).kubeconfigInline?.value).to.equal('{}');
    expect((await kubernetes({ kubeconfig: '/flag' }, spec)).kubeconfigInline).to.equal(undefined);
    expect((await kubernetes({ env: { KUBECONFIG: '/env' } }, spec)).kubeconfigInline).to.equal(
      undefined,
    );
  });

  it('takes limits above zero only', async () => {
    const spec = '  k8sClientQPS: 0\n  k8sClientBurst: 7\n';
    const connection = await kubernetes({}, spec);
    expect(connection.qps).to.equal(undefined);
    expect(connection.burst?.value).to.equal(7);
    expect((await kubernetes({ qps: 50 }, spec)).qps).to.deep.equal({ value: 50, origin: '--qps' });
  });

  it('reads the token, the API group and TLS switches from their variables', async () => {
    const connection = await kubernetes({
      env: {
        CALICO_K8SAPITOKEN: 'secret',
        K8S_API_TOKEN: 'ignored',
        CALICO_API_GROUP: 'projectcalico.org/v3',
        K8S_INSECURE_SKIP_TLS_VERIFY: 'T',
      },
    });
    expect(connection.token?.value).to.equal('secret');
    expect(connection.apiGroup?.value).to.equal('projectcalico.org/v3');
    expect(connection.insecureSkipTLSVerify?.value).to.equal(true);
  });

  it('is etcd by type, or by endpoints when no type is set, and says why', async () => {
    const env = { ETCD_ENDPOINTS: 'http://127.0.0.1:2379' };
    const typed = { ...env, CALICO_DATASTORE_TYPE: 'etcdv3', DATASTORE_TYPE: 'kubernetes' };
    expect(await resolve({ env: typed })).to.include({
      type: 'etcdv3',
      origin: 'environment variable CALICO_DATASTORE_TYPE',
    });
    expect(await resolve({ env })).to.include({ origin: 'environment variable ETCD_ENDPOINTS' });
    expect(await resolve({ env }, '  datastoreType: kubernetes\n')).to.include({
      type: 'kubernetes',
    });
    expect(await resolve({ env: { ETCD_DISCOVERY_SRV: 'example.org' } })).to.include({
      type: 'kubernetes',
    });
  });

  it('refuses an unknown datastore type, naming its origin', async () => {
    const error = await failureOf(resolve({ env: { DATASTORE_TYPE: 'etcd' } }));
    expect(error).to.include({ code: 'CONFIGURATION', status: 8 });
    expect(error.message).to.equal(
      'environment variable DATASTORE_TYPE: there is no datastore type "etcd"',
    );
  });

  it('refuses a cluster whose pods take their addresses from pod CIDRs', async () => {
    const error = await failureOf(resolve({ env: { USE_POD_CIDR: 'true' } }));
    expect(error).to.include({ code: 'UNSUPPORTED', status: 10 });
    expect(error.message).to.match(/^environment variable USE_POD_CIDR: /);
  });
});

describe('datastore/config: values as text', () => {
  async function parse(name: string, value: string): Promise<KubernetesConnection> {
    const connection = await resolveConnection({
      env: { [name]: value },
      defaultConfigFile: '/nonexistent/cfg',
    });
    if (connection.type !== 'kubernetes') throw new Error('not Kubernetes');
    return connection.kubernetes;
  }

  it('reads booleans as Go does', async () => {
    for (const [text, value] of [
      ['1', true],
      ['TRUE', true],
      ['F', false],
      ['0', false],
    ] as const) {
      expect(
        (await parse('K8S_INSECURE_SKIP_TLS_VERIFY', text)).insecureSkipTLSVerify?.value,
      ).to.equal(value);
    }
  });

  it('reads numbers as Go does', async () => {
    expect((await parse('K8S_CLIENT_BURST', '0x10')).burst?.value).to.equal(16);
    expect((await parse('K8S_CLIENT_BURST', '017')).burst?.value).to.equal(15);
    expect((await parse('K8S_CLIENT_BURST', '+5')).burst?.value).to.equal(5);
    expect((await parse('K8S_CLIENT_QPS', '2.5')).qps?.value).to.equal(2.5);
    expect((await parse('K8S_CLIENT_QPS', '1e2')).qps?.value).to.equal(100);
  });

  for (const [name, text, wanted] of [
    ['K8S_INSECURE_SKIP_TLS_VERIFY', '', 'a boolean'],
    ['K8S_INSECURE_SKIP_TLS_VERIFY', 'yes', 'a boolean'],
    ['CALICO_K8S_CLIENT_BURST', '', 'an integer'],
    ['K8S_CLIENT_BURST', '1.5', 'an integer'],
    ['K8S_CLIENT_BURST', '08', 'an integer'],
    ['K8S_CLIENT_QPS', 'fast', 'a number'],
  ] as const) {
    it(`refuses "${text}" in ${name}`, async () => {
      const error = await failureOf(parse(name, text));
      expect(error.message).to.equal(
        `environment variable ${name}: ${JSON.stringify(text)} is not ${wanted}`,
      );
    });
  }
});

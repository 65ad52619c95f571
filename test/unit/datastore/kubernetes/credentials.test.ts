import { expect } from 'chai';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { KubernetesConnection, Sourced } from '../../../../src/datastore/connection.ts';
import { openAccess } from '../../../../src/datastore/kubernetes/credentials.ts';
import { AccessDeniedError } from '../../../../src/errors/access-denied-error.ts';
import { ConfigError } from '../../../../src/errors/config-error.ts';
import { EXPIRED_CERTIFICATE, LOOPBACK_CERTIFICATE } from '../../../support/certificates.ts';
import { failureOf } from '../../../support/kubernetes-fake.ts';

const from = <T>(value: T, origin = '--flag'): Sourced<T> => ({ value, origin });
const base64 = (text: string): string => Buffer.from(text).toString('base64');

const open = (settings: Partial<KubernetesConnection>) => openAccess({ env: {}, ...settings });

const refusal = async (settings: Partial<KubernetesConnection>): Promise<ConfigError> => {
  const error = await failureOf(open(settings));
  if (error instanceof ConfigError) return error;
  throw error;
};

interface Entry {
  readonly name: string;
  readonly server?: string;
  readonly user?: object;
  readonly cluster?: object;
}

/** A kubeconfig with a context for each entry; its first one is current unless told otherwise. */
const kubeconfig = (
  entries: readonly Entry[],
  current: string | undefined = entries[0]?.name,
): string =>
  JSON.stringify({
    clusters: entries.map(({ name, server = `https://${name}.example.com`, cluster }) => ({
      name,
      cluster: { server, ...cluster },
    })),
    users: entries.map(({ name, user = { token: `token-${name}` } }) => ({ name, user })),
    contexts: entries.map(({ name }) => ({ name, context: { cluster: name, user: name } })),
    'current-context': current,
  });

describe('datastore/kubernetes/credentials', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ipamctl-kubeconfig-'));
  });

  const write = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };

  it('takes the current context of a kubeconfig', async () => {
    const path = write('config', kubeconfig([{ name: 'prod' }, { name: 'test' }]));
    const access = await open({ kubeconfig: from(path) });
    expect(access).to.include({
      context: 'prod',
      displayServer: 'https://prod.example.com',
      loopback: false,
    });
    expect(await access.authorize()).to.deep.equal({ Authorization: 'Bearer token-prod' });
    expect(access.serverOrigin).to.equal(`cluster "prod" of ${path}`);
    expect(access.identity).to.equal(`user "prod" of ${path}`);
  });

  it('lets the first of several kubeconfigs win and passes over missing ones', async () => {
    const first = write('first', kubeconfig([{ name: 'a', server: 'https://first' }], 'b'));
    const second = write(
      'second',
      kubeconfig([{ name: 'a', server: 'https://second' }, { name: 'b' }], 'a'),
    );
    const paths = from([join(folder, 'none'), first, second].join(delimiter));
    expect(await open({ kubeconfig: paths })).to.include({
      context: 'b',
      displayServer: 'https://b.example.com',
    });
    const named = await open({ kubeconfig: paths, context: from('a') });
    expect(named.displayServer).to.equal('https://first');
  });

  it('refuses a kubeconfig that does not exist, and says where its name came from', async () => {
    const path = join(folder, 'none');
    const error = await refusal({ kubeconfig: from(path, 'environment variable KUBECONFIG') });
    expect(error.message).to.equal(
      `kubeconfig ${path} does not exist (from environment variable KUBECONFIG)`,
    );
  });

  it('refuses a context that there is not, and names those that there are', async () => {
    const path = write('config', kubeconfig([{ name: 'prod' }, { name: 'dev' }]));
    const error = await refusal({ kubeconfig: from(path), context: from('x', '--context') });
    expect(error.message).to.equal(
      `context "x" (from --context) does not exist in ${path}; it has: dev, prod`,
    );
  });

  it('refuses a kubeconfig without a current context', async () => {
    const path = write('config', kubeconfig([{ name: 'prod' }], ''));
    const error = await refusal({ kubeconfig: from(path) });
    expect(error.message).to.equal(`${path} has no current-context`);
    expect(error.hint).to.equal('choose one with --context; it has: prod');
  });

  it('says of a kubeconfig without any context that it is of no use', async () => {
    const path = write('config', '');
    const error = await refusal({ kubeconfig: from(path) });
    expect(error.message).to.equal(`${path} describes no cluster: it has no context`);
    expect(error.hint).to.equal('name another file with --kubeconfig or KUBECONFIG');
  });

  it('refuses a context whose cluster or user is nowhere', async () => {
    const contexts = 'contexts: [{name: c, context: {cluster: k, user: u}}]\ncurrent-context: c\n';
    const path = write('config', contexts);
    expect((await refusal({ kubeconfig: from(path) })).message).to.include(
      'context "c" names cluster "k", which',
    );
    const other = write(
      'other',
      `${contexts}clusters: [{name: k, cluster: {server: 'https://h'}}]\n`,
    );
    expect((await refusal({ kubeconfig: from(other) })).message).to.include(
      'names user "u", which',
    );
  });

  it('reads the kubeconfig of the home folder, and nothing when there is none', async () => {
    expect((await refusal({ homeDir: folder })).message).to.equal('no cluster is configured');
  });

  it('takes an inline kubeconfig and then no override', async () => {
    const inline = from(
      kubeconfig([{ name: 'prod' }, { name: 'dev' }]),
      'calicoctl.cfg (spec.kubeconfigInline)',
    );
    const access = await open({
      kubeconfigInline: inline,
      context: from('dev'),
      apiEndpoint: from('https://x'),
      token: from('t'),
    });
    expect(access).to.include({ context: 'prod', displayServer: 'https://prod.example.com' });
    expect(await access.authorize()).to.deep.equal({ Authorization: 'Bearer token-prod' });
  });

  it('lays overrides over the kubeconfig', async () => {
    const path = write('config', kubeconfig([{ name: 'prod' }]));
    const access = await open({
      kubeconfig: from(path),
      apiEndpoint: from('https://other:6443', 'K8S_API_ENDPOINT'),
      token: from('t', 'TOKEN'),
    });
    expect(access).to.include({
      displayServer: 'https://other:6443',
      serverOrigin: 'K8S_API_ENDPOINT',
      identity: 'the credentials from TOKEN',
    });
    expect(await access.authorize()).to.deep.equal({ Authorization: 'Bearer t' });
  });

  it('needs no kubeconfig where an endpoint is set', async () => {
    const access = await open({ apiEndpoint: from('http://127.0.0.1:8001'), homeDir: folder });
    expect(access).to.include({ displayServer: 'http://127.0.0.1:8001', loopback: true });
    expect(await access.authorize()).to.deep.equal({});
  });

  it('refuses a server that is no URL', async () => {
    expect((await refusal({ apiEndpoint: from('ftp://x', 'K8S_API_ENDPOINT') })).message).to.equal(
      'server "ftp://x" (from K8S_API_ENDPOINT) is no http or https URL',
    );
  });

  it('keeps a token of digits as it is written', async () => {
    const path = write('config', kubeconfig([{ name: 'a' }]).replace('"token-a"', '0123'));
    expect(await (await open({ kubeconfig: from(path) })).authorize()).to.deep.equal({
      Authorization: 'Bearer 0123',
    });
  });

  it('reads token files from the folder of the kubeconfig', async () => {
    write('token', 'from-file\n');
    const path = write(
      'config',
      kubeconfig([{ name: 'a', user: { tokenFile: 'token', token: 'other' } }]),
    );
    expect(await (await open({ kubeconfig: from(path) })).authorize()).to.deep.equal({
      Authorization: 'Bearer from-file',
    });
  });

  it('sends a password and whom to act as', async () => {
    const user = {
      username: 'u',
      password: 'p',
      as: 'boss',
      'as-groups': ['g', 'h'],
      'as-user-extra': { 'x/y': ['1'] },
    };
    const path = write('config', kubeconfig([{ name: 'a', user }]));
    expect(await (await open({ kubeconfig: from(path) })).authorize()).to.deep.equal({
      Authorization: `Basic ${base64('u:p')}`,
      'Impersonate-User': 'boss',
      'Impersonate-Group': ['g', 'h'],
      'Impersonate-Extra-x%2Fy': ['1'],
    });
  });

  it('runs a credential plugin and tells it who asks', async () => {
    const script =
      'console.log(JSON.stringify({status: {token: process.env.A + JSON.parse(process.env.KUBERNETES_EXEC_INFO).spec.cluster.server}}))';
    const exec = {
      command: process.execPath,
      args: ['-e', script],
      env: [{ name: 'A', value: 'x ' }],
      provideClusterInfo: 'true',
    };
    const path = write('config', kubeconfig([{ name: 'a', user: { exec } }]));
    expect(await (await open({ kubeconfig: from(path) })).authorize()).to.deep.equal({
      Authorization: 'Bearer x https://a.example.com',
    });
  });

  it('ends a credential plugin that waits for ever together with the command', async () => {
    const exec = { command: 'sh', args: ['-c', 'sleep 60; echo'] };
    const path = write('config', kubeconfig([{ name: 'a', user: { exec } }]));
    const signal = AbortSignal.timeout(100);
    const error = await failureOf(open({ kubeconfig: from(path), signal }));
    expect(error).to.equal(signal.reason);
  });

  it('says what is wrong with a credential plugin', async () => {
    const withExec = (exec: object): Partial<KubernetesConnection> => ({
      kubeconfig: from(write('config', kubeconfig([{ name: 'a', user: { exec } }]))),
    });
    const absent = await refusal(
      withExec({ command: 'no-such-plugin-anywhere', installHint: 'get it at x' }),
    );
    expect(absent.message)
      .to.include('credential plugin no-such-plugin-anywhere of user "a"')
      .and.include('not installed');
    expect(absent.hint).to.equal('get it at x');
    const failing = await failureOf(
      open(
        withExec({
          command: process.execPath,
          args: ['-e', 'console.error("session expired"); process.exit(1)'],
        }),
      ),
    );
    expect(failing).to.be.instanceOf(AccessDeniedError);
    expect(failing.message).to.include('fails: session expired');
  });

  it('refuses an expired client certificate', async () => {
    const { cert, key } = EXPIRED_CERTIFICATE;
    const user = { 'client-certificate-data': base64(cert), 'client-key-data': base64(key) };
    const error = await refusal({
      kubeconfig: from(write('config', kubeconfig([{ name: 'a', user }]))),
    });
    expect(error.message)
      .to.include('client certificate of user "a"')
      .and.include('expired at 2020-02-01T00:00:00.000Z');
  });

  it('refuses a key of another certificate, a missing file, and half a pair', async () => {
    const withUser = (user: object) =>
      refusal({ kubeconfig: from(write('config', kubeconfig([{ name: 'a', user }]))) });
    const cert = base64(LOOPBACK_CERTIFICATE.cert);
    const foreign = await withUser({
      'client-certificate-data': cert,
      'client-key-data': base64(EXPIRED_CERTIFICATE.key),
    });
    expect(foreign.message)
      .to.include('client certificate and key of user "a"')
      .and.include('cannot be used');
    const missing = await withUser({ 'client-certificate': 'no.crt', 'client-key': 'no.key' });
    expect(missing.message).to.include(
      `file ${join(folder, 'no.crt')} cannot be read: it does not exist`,
    );
    expect((await withUser({ 'client-certificate-data': cert })).message).to.include(
      'has a client certificate but no key',
    );
  });
});

import { expect } from 'chai';
import {
  ELSEWHERE_CERTIFICATE,
  EXPIRED_CERTIFICATE,
  LOOPBACK_CERTIFICATE,
} from '../support/certificates.ts';
import { etcdClients, sourced, toolErrorOf } from '../support/etcd-clients.ts';
import { type EtcdProcess, startEtcd } from '../support/etcd-process.ts';
import { requireServers } from '../support/shared-servers.ts';
import { failureOf, temporaryFolders } from '../support/temp-folder.ts';

const START_MS = 60_000;

describe('datastore/etcd/etcd-client over TLS', () => {
  const open = etcdClients();
  const write = temporaryFolders();
  let etcd: EtcdProcess;
  let oneSided: EtcdProcess;

  before(async function () {
    requireServers(this);
    this.timeout(START_MS);
    etcd = await startEtcd({
      tls: { ...LOOPBACK_CERTIFICATE, clientCa: LOOPBACK_CERTIFICATE.cert },
    });
    oneSided = await startEtcd({ tls: LOOPBACK_CERTIFICATE });
  });

  after(async () => {
    await etcd.stop();
    await oneSided.stop();
  });

  const inline = {
    ca: sourced(LOOPBACK_CERTIFICATE.cert),
    cert: sourced(LOOPBACK_CERTIFICATE.cert),
    key: sourced(LOOPBACK_CERTIFICATE.key),
  };

  it('connects with certificates from files', async () => {
    const folder = await write({
      'cert.pem': LOOPBACK_CERTIFICATE.cert,
      'key.pem': LOOPBACK_CERTIFICATE.key,
    });
    const client = await open(etcd.endpoint, {
      caFile: sourced(`${folder}/cert.pem`),
      certFile: sourced(`${folder}/cert.pem`),
      keyFile: sourced(`${folder}/key.pem`),
    });
    expect((await client.create('/files', 'x')).done).to.equal(true);
  });

  it('connects with certificates as text, by name and by address, and warns of nothing', async () => {
    const warnings: string[] = [];
    const listen = (warning: Error): void => void warnings.push(warning.message);
    process.on('warning', listen);
    for (const endpoint of [etcd.endpoint, etcd.endpoint.replace('127.0.0.1', 'localhost')]) {
      const client = await open(endpoint, inline);
      expect(await client.revision()).to.be.a('bigint');
    }
    process.off('warning', listen);
    expect(warnings).to.deep.equal([]);
  });

  it('takes an endpoint without scheme for a secure one when it has certificates', async () => {
    const client = await open(etcd.endpoint.replace('https://', ''), inline);
    expect(client.displayEndpoints).to.equal(etcd.endpoint);
  });

  it('checks the server alone when there is an authority only', async () => {
    const folder = await write({ 'ca.pem': LOOPBACK_CERTIFICATE.cert });
    const client = await open(oneSided.endpoint, { caFile: sourced(`${folder}/ca.pem`) });
    expect(await client.revision()).to.be.a('bigint');
  });

  it('speaks TLS 1.3 and chosen ciphers when the environment says so', async () => {
    const env = {
      TLS_MIN_VERSION: '1.3',
      TLS_CIPHER_SUITES: 'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256',
    };
    const client = await open(etcd.endpoint, { ...inline, env });
    expect(await client.revision()).to.be.a('bigint');
  });

  for (const [title, settings, code, text] of [
    ['an authority that is not trusted', {}, 'CONFIGURATION', 'not signed by an authority'],
    [
      'a client without certificate',
      { ca: inline.ca },
      'CONFIGURATION',
      'does not accept the client certificate',
    ],
    [
      'a client certificate of nobody known',
      {
        ca: inline.ca,
        cert: sourced(ELSEWHERE_CERTIFICATE.cert),
        key: sourced(ELSEWHERE_CERTIFICATE.key),
      },
      'CONFIGURATION',
      'does not accept the client certificate',
    ],
    [
      'a client certificate that has expired',
      {
        ca: inline.ca,
        cert: sourced(EXPIRED_CERTIFICATE.cert),
        key: sourced(EXPIRED_CERTIFICATE.key),
      },
      'CONFIGURATION',
      'does not accept the client certificate',
    ],
  ] as const) {
    it(`refuses ${title}, naming the endpoint`, async () => {
      const error = await failureOf(open(etcd.endpoint, settings));
      expect(error).to.include({ code, status: 8 });
      expect(error.message).to.include(etcd.endpoint).and.include(text);
    });
  }

  it('does not send to a server whose certificate is for another host', async function () {
    this.timeout(START_MS);
    const elsewhere = await startEtcd({ tls: ELSEWHERE_CERTIFICATE });
    try {
      for (const endpoint of [
        elsewhere.endpoint,
        elsewhere.endpoint.replace('127.0.0.1', 'localhost'),
      ]) {
        const error = await failureOf(open(endpoint, { ca: sourced(ELSEWHERE_CERTIFICATE.cert) }));
        expect(error).to.include({ code: 'CONFIGURATION', status: 8 });
        expect(error.message).to.include('its certificate is for another host');
      }
    } finally {
      await elsewhere.stop();
    }
  });

  it('says which side of TLS is missing', async () => {
    expect((await toolErrorOf(open(etcd.endpoint.replace('https', 'http')))).hint).to.include(
      'http or https',
    );
  });
});

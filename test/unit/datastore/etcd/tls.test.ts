import { expect } from 'chai';
import type { EtcdConnection } from '../../../../src/datastore/connection.ts';
import { secureContext } from '../../../../src/datastore/etcd/tls.ts';
import { tlsPolicy } from '../../../../src/datastore/etcd/tls-policy.ts';
import { ELSEWHERE_CERTIFICATE, LOOPBACK_CERTIFICATE } from '../../../support/certificates.ts';
import { sourced } from '../../../support/etcd-clients.ts';
import { failureOf, temporaryFolders } from '../../../support/temp-folder.ts';

describe('datastore/etcd/tls', () => {
  const write = temporaryFolders();

  async function messageOf(settings: Partial<EtcdConnection>): Promise<string> {
    const error = await failureOf(secureContext({ env: {}, ...settings }));
    expect(error).to.include({ code: 'CONFIGURATION', status: 8 });
    return error.message;
  }

  const { cert, key } = LOOPBACK_CERTIFICATE;

  it('takes what OpenSSL can use', async () => {
    await secureContext({ env: {} });
    await secureContext({ env: {}, ca: sourced(cert), cert: sourced(cert), key: sourced(key) });
  });

  it('takes a text that stands around certificates in a file', async () => {
    const folder = await write({ 'ca.pem': `subject: a\n${cert}\nsubject: b\n${cert}` });
    await secureContext({ env: {}, caFile: sourced(`${folder}/ca.pem`) });
  });

  it('names the file that does not exist, and the setting', async () => {
    expect(await messageOf({ caFile: sourced('/nonexistent/ca.pem', 'the setting') })).to.equal(
      'the setting: /nonexistent/ca.pem does not exist',
    );
  });

  it('names what cannot be read', async () => {
    const folder = await write({});
    expect(await messageOf({ keyFile: sourced(folder, 'the setting') })).to.equal(
      `the setting: ${folder} cannot be read (it is a folder)`,
    );
  });

  for (const [title, settings, message] of [
    [
      'an authority that is no PEM',
      { ca: sourced('nothing', 'the CA') },
      'the CA holds no certificate in PEM',
    ],
    [
      'an authority that is PEM of nothing',
      { ca: sourced(cert.replace(/MII.*\n/, 'AAAA\n'), 'the CA') },
      'the CA holds no usable certificate',
    ],
    [
      'a certificate that is a key',
      { cert: sourced(key, 'the certificate'), key: sourced(key) },
      'the certificate holds no certificate in PEM',
    ],
    [
      'a key that is none',
      { cert: sourced(cert), key: sourced('nothing', 'the key') },
      'the key holds no private key that fits the certificate',
    ],
    [
      'a key of another certificate',
      { cert: sourced(cert), key: sourced(ELSEWHERE_CERTIFICATE.key, 'the key') },
      'the key holds no private key that fits the certificate',
    ],
  ] as const) {
    it(`refuses ${title}`, async () => {
      expect(await messageOf(settings)).to.equal(message);
    });
  }
});

describe('datastore/etcd/tls-policy', () => {
  it('is TLS 1.2 and 1.3 with the ciphers of Node when nothing is set', () => {
    for (const env of [{}, { TLS_MIN_VERSION: '', TLS_CIPHER_SUITES: '' }]) {
      expect(tlsPolicy(env)).to.deep.equal({ minVersion: 'TLSv1.2', maxVersion: 'TLSv1.3' });
    }
  });

  it('takes the least version', () => {
    expect(tlsPolicy({ TLS_MIN_VERSION: '1.2' }).minVersion).to.equal('TLSv1.2');
    expect(tlsPolicy({ TLS_MIN_VERSION: '1.3' }).minVersion).to.equal('TLSv1.3');
  });

  it('translates ciphers from the names of Go, and leaves those of TLS 1.3 on', () => {
    const env = {
      TLS_CIPHER_SUITES:
        'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384, TLS_AES_128_GCM_SHA256,TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256',
    };
    expect(tlsPolicy(env).ciphers).to.equal(
      'TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:ECDHE-RSA-AES256-GCM-SHA384:ECDHE-RSA-CHACHA20-POLY1305',
    );
  });

  it('knows all its ciphers to be ciphers of OpenSSL', async () => {
    const { getCiphers } = await import('node:tls');
    const known = new Set(getCiphers());
    const names = ['ECDSA', 'RSA'].flatMap((kind) =>
      [
        'AES_128_CBC_SHA',
        'AES_256_CBC_SHA',
        'AES_128_GCM_SHA256',
        'AES_256_GCM_SHA384',
        'CHACHA20_POLY1305_SHA256',
      ].map((cipher) => `TLS_ECDHE_${kind}_WITH_${cipher}`),
    );
    const { ciphers = '' } = tlsPolicy({ TLS_CIPHER_SUITES: names.join(',') });
    expect(ciphers.split(':')).to.have.length(13);
    expect(ciphers.split(':').filter((name) => !known.has(name.toLowerCase()))).to.deep.equal([]);
  });

  for (const [name, value] of [
    ['TLS_MIN_VERSION', '1.1'],
    ['TLS_MIN_VERSION', 'TLSv1.3'],
    ['TLS_CIPHER_SUITES', 'TLS_RSA_WITH_RC4_128_SHA'],
    ['TLS_CIPHER_SUITES', 'ECDHE-RSA-AES128-GCM-SHA256'],
  ] as const) {
    it(`refuses ${name}=${value}`, () => {
      expect(() => tlsPolicy({ [name]: value })).to.throw(`environment variable ${name}: `);
    });
  }
});

import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { LOOPBACK_CERTIFICATE } from '../../support/certificates.ts';

const SRC = new URL('../../../src/', import.meta.url).href;

/** Runs a script in a process of its own, since what it changes holds for all of one. @returns what it prints, from JSON. */
function answerOf(script: string): unknown {
  const args = ['--input-type=module', '--eval', script];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

const MODULES = `
  import { getCACertificates } from 'node:tls';
  import { knownAuthorities } from ${JSON.stringify(`${SRC}datastore/authorities.ts`)};
  const countByDefault = () => getCACertificates('default').length;`;

describe('datastore/authorities', () => {
  it('knows those of Node and of the system, each once', () => {
    const [known, ofNode] = answerOf(`${MODULES}
      console.log(JSON.stringify([knownAuthorities(), getCACertificates('default')]));`) as [
      string[],
      string[],
    ];
    expect(known).to.include.members(ofNode);
    expect(new Set(known).size).to.equal(known.length);
  });

  it('does without where this Node cannot put them aside', () => {
    const left = answerOf(`
      import tls from 'node:tls';
      import { syncBuiltinESMExports } from 'node:module';
      delete tls.setDefaultCACertificates;
      syncBuiltinESMExports();
      const { putAuthoritiesAside } = await import(${JSON.stringify(`${SRC}datastore/authorities.ts`)});
      putAuthoritiesAside();
      console.log(tls.getCACertificates('default').length);`);
    expect(left).to.be.above(0);
  });

  describe('of a connection to a cluster', () => {
    const HOUR = 3_600_000;
    const loginToken = ['{}', JSON.stringify({ exp: Math.floor((Date.now() + HOUR) / 1000) }), '{}']
      .map((part) => Buffer.from(part).toString('base64url'))
      .join('.');
    const provider = {
      'auth-provider': { name: 'oidc', config: { 'id-token': loginToken, 'client-id': 'c' } },
    };
    const cases: Record<
      string,
      { user?: object; cluster?: object; own?: boolean; aside: boolean }
    > = {
      'are put aside in a process of our own': { own: true, aside: true },
      'stay in the process of another program': { aside: false },
      'stay for a cluster that names none': {
        own: true,
        cluster: { 'certificate-authority-data': undefined },
        aside: false,
      },
      'stay for a proxy': { own: true, cluster: { 'proxy-url': 'http://proxy:1' }, aside: false },
      'stay for a login provider': { own: true, user: provider, aside: false },
    };
    for (const [title, { user = { token: 't' }, cluster, own, aside }] of Object.entries(cases)) {
      it(title, () => {
        const authority = Buffer.from(LOOPBACK_CERTIFICATE.cert).toString('base64');
        const server = { server: 'https://api', 'certificate-authority-data': authority };
        const kubeconfig = JSON.stringify({
          clusters: [{ name: 'c', cluster: { ...server, ...cluster } }],
          users: [{ name: 'u', user }],
          contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
          'current-context': 'c',
        });
        const connection = {
          env: {},
          ownsProcess: own,
          kubeconfigInline: { value: kubeconfig, origin: 'test' },
        };
        const left = answerOf(`${MODULES}
          import { openAccess } from ${JSON.stringify(`${SRC}datastore/kubernetes/credentials.ts`)};
          await openAccess(${JSON.stringify(connection)});
          console.log(countByDefault());`);
        expect(left).to.satisfy((count: number) => (count === 0) === aside);
      });
    }
  });
});

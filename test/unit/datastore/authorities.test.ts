import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { LOOPBACK_CERTIFICATE } from '../../support/certificates.ts';

const SRC = new URL('../../../src/', import.meta.url).href;

/** Runs a script in a process of its own, since what it changes holds for all of one. @returns what it prints, from JSON. */
function answerOf(script: string, nodeOptions: string[] = []): unknown {
  const args = [...nodeOptions, '--input-type=module', '--eval', script];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

const MODULES = `
  import { getCACertificates } from 'node:tls';
  import { knownAuthorities, putAuthoritiesAside } from ${JSON.stringify(`${SRC}datastore/authorities.ts`)};
  const countByDefault = () => getCACertificates('default').length;`;

describe('datastore/authorities', () => {
  it('knows the same authorities when those of Node are aside', () => {
    const [before, after, left] = answerOf(`${MODULES}
      const before = knownAuthorities();
      putAuthoritiesAside();
      console.log(JSON.stringify([before, knownAuthorities(), countByDefault()]));`) as [
      string[],
      string[],
      number,
    ];
    expect(before).to.have.length.above(100);
    expect(after).to.have.members(before);
    expect(left).to.equal(0);
  });

  it('leaves authorities that were chosen on the command line of Node', () => {
    const script = `${MODULES}
      const before = knownAuthorities();
      putAuthoritiesAside();
      console.log(JSON.stringify([before, knownAuthorities()]));`;
    const [before, after] = answerOf(script, ['--use-openssl-ca']) as [string[], string[]];
    expect(after).to.deep.equal(before);
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

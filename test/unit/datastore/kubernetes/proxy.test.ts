import { expect } from 'chai';
import { isLoopback, proxyFor } from '../../../../src/datastore/kubernetes/proxy.ts';

const SERVER = new URL('https://api.prod.example.com:6443');
const PROXY = 'http://proxy:3128';

describe('datastore/kubernetes/proxy', () => {
  it('prefers the proxy of the kubeconfig', () => {
    expect(proxyFor(SERVER, 'socks5://jump', { HTTPS_PROXY: PROXY, NO_PROXY: '*' })).to.equal(
      'socks5://jump',
    );
  });

  it('takes the variable of the scheme, in either case', () => {
    expect(
      proxyFor(SERVER, undefined, { HTTPS_PROXY: PROXY, HTTP_PROXY: 'http://other' }),
    ).to.equal(PROXY);
    expect(proxyFor(SERVER, undefined, { https_proxy: 'proxy:3128' })).to.equal(PROXY);
    expect(proxyFor(new URL('http://api'), undefined, { HTTPS_PROXY: PROXY })).to.equal(undefined);
  });

  it('goes straight to this machine', () => {
    for (const host of ['localhost', '127.0.0.1', '[::1]', 'kind.localhost']) {
      const server = new URL(`https://${host}:6443`);
      expect(isLoopback(server), host).to.equal(true);
      expect(proxyFor(server, undefined, { HTTPS_PROXY: PROXY }), host).to.equal(undefined);
    }
  });

  const RULES: readonly (readonly [rule: string, server: string, isDirect: boolean])[] = [
    ['*', 'https://api.example.com', true],
    ['example.com', 'https://api.example.com', true],
    ['example.com', 'https://example.com', true],
    ['.example.com', 'https://api.example.com', true],
    ['.example.com', 'https://example.com', false],
    ['example.com', 'https://badexample.com', false],
    ['other, Api.Example.com:6443', 'https://api.example.com:6443', true],
    ['api.example.com:443', 'https://api.example.com', true],
    ['api.example.com:443', 'https://api.example.com:6443', false],
    ['10.0.0.0/8', 'https://10.1.2.3:6443', true],
    ['10.0.0.0/8', 'https://11.1.2.3:6443', false],
    ['10.1.2.3', 'https://10.1.2.3', true],
    ['2001:db8::/32', 'https://[2001:db8::1]:6443', true],
    ['[2001:db8::1]:6443', 'https://[2001:db8::1]:6443', true],
    ['', 'https://api.example.com', false],
  ];
  for (const [rule, server, isDirect] of RULES) {
    it(`${isDirect ? 'lets' : 'does not let'} NO_PROXY "${rule}" pass ${server} by`, () => {
      const proxy = proxyFor(new URL(server), undefined, { HTTPS_PROXY: PROXY, NO_PROXY: rule });
      expect(proxy).to.equal(isDirect ? undefined : PROXY);
    });
  }
});

import type { SrvRecord } from 'node:dns';
import { expect } from 'chai';
import { findEndpoints, parseEndpoints } from '../../../../src/datastore/etcd/endpoints.ts';
import { failureOf } from '../../../support/temp-folder.ts';

const ORIGIN = 'environment variable ETCD_ENDPOINTS';

function displays(value: string, secureByDefault = false): string[] {
  return parseEndpoints({ value, origin: ORIGIN }, secureByDefault).map(({ display }) => display);
}

describe('datastore/etcd/endpoints', () => {
  for (const [text, expected] of [
    [
      'https://etcd-0.lab:2379,https://etcd-1.lab:2379',
      ['https://etcd-0.lab:2379', 'https://etcd-1.lab:2379'],
    ],
    [' http://a:1 , http://b:2/ ,', ['http://a:1', 'http://b:2']],
    ['HTTPS://A:1', ['https://A:1']],
    ['http://10.0.0.1', ['http://10.0.0.1:2379']],
    ['http://[fd00::1]:2380,http://[::1]', ['http://[fd00::1]:2380', 'http://[::1]:2379']],
    ['a:2379', ['http://a:2379']],
  ] as const) {
    it(`reads ${JSON.stringify(text)}`, () => {
      expect(displays(text)).to.deep.equal(expected);
    });
  }

  it('takes an address apart for sockets', () => {
    expect(
      parseEndpoints({ value: 'https://[fd00::1]:2380', origin: ORIGIN }, false),
    ).to.deep.equal([
      {
        ...{ host: 'fd00::1', port: 2380, isSecure: true, origin: ORIGIN },
        display: 'https://[fd00::1]:2380',
      },
    ]);
  });

  it('lets certificates decide over an endpoint without scheme, and over no other', () => {
    expect(displays('a:1,http://b:1', true)).to.deep.equal(['https://a:1', 'http://b:1']);
  });

  for (const text of [
    ...['', ' , ', 'ftp://a:1', 'http://', 'http://a:0', 'http://a:65536', 'http://a:1/path'],
    ...[
      'http://a:1?x=1',
      'http://fd00::1:2379',
      'http://[10.0.0.1]:1',
      'http://[fe80::1%25x',
      'a:b',
    ],
  ]) {
    it(`refuses ${JSON.stringify(text)}, naming its origin`, () => {
      expect(() => displays(text)).to.throw(`${ORIGIN}: `);
    });
  }

  it('shows no password that stands in an endpoint', () => {
    try {
      displays('http://root:secret@a:1');
      expect.fail('it did not fail');
    } catch (error) {
      expect(error).to.include({ code: 'CONFIGURATION' });
      expect(String(error)).not.to.include('secret');
    }
  });

  describe('discovery', () => {
    const discoverySrv = { value: 'lab.example', origin: 'a test' };

    function records(found: Record<string, SrvRecord[]>): (name: string) => Promise<SrvRecord[]> {
      return async (name) => {
        const list = found[name];
        if (list === undefined) throw new Error(`queryA ENOTFOUND ${name}`);
        return list;
      };
    }

    it('takes secure and plain records, each by priority and weight', async () => {
      const resolve = records({
        '_etcd-client-ssl._tcp.lab.example': [
          { name: 'c.lab', port: 2379, priority: 10, weight: 0 },
          { name: 'b.lab.', port: 2379, priority: 0, weight: 1 },
          { name: 'a.lab', port: 2380, priority: 0, weight: 5 },
        ],
        '_etcd-client._tcp.lab.example': [{ name: 'p.lab', port: 1, priority: 0, weight: 0 }],
      });
      const found = await findEndpoints({ env: {}, discoverySrv }, resolve);
      expect(found.map(({ display }) => display)).to.deep.equal([
        ...['https://a.lab:2380', 'https://b.lab:2379', 'https://c.lab:2379', 'http://p.lab:1'],
      ]);
    });

    it('takes what there is when one of the two services has no records', async () => {
      const resolve = records({
        '_etcd-client._tcp.lab.example': [{ name: 'p.lab', port: 1, priority: 0, weight: 0 }],
      });
      const found = await findEndpoints({ env: {}, discoverySrv }, resolve);
      expect(found.map(({ display }) => display)).to.deep.equal(['http://p.lab:1']);
    });

    it('fails when there are none, naming domain and origin', async () => {
      const error = await failureOf(findEndpoints({ env: {}, discoverySrv }, records({})));
      expect(error).to.include({ code: 'UNAVAILABLE', status: 8 });
      expect(error.message).to.equal('a test: no SRV record of lab.example names an etcd server');
    });
  });
});

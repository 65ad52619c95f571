import { expect } from 'chai';
import { type Address, formatAddress, parseAddress } from '../../../src/net/address.ts';
import {
  type Cidr,
  cidrFamily,
  cidrSize,
  cidrsEqual,
  cidrsOverlap,
  compareCidrs,
  containsAddress,
  containsCidr,
  formatCidr,
  lastAddress,
  ordinalOf,
  parseCidr,
  parseCidrOrAddress,
} from '../../../src/net/cidr.ts';

function cidr(text: string): Cidr {
  const parsed = parseCidr(text);
  if (!parsed) throw new Error(`no CIDR: ${text}`);
  return parsed;
}

function address(text: string): Address {
  const parsed = parseAddress(text);
  if (parsed === undefined) throw new Error(`no address: ${text}`);
  return parsed;
}

describe('net/cidr', () => {
  describe('parseCidr', () => {
    const canonical: readonly (readonly [string, string])[] = [
      ['10.0.0.64/26', '10.0.0.64/26'],
      ['10.0.0.77/26', '10.0.0.64/26'],
      ['255.255.255.255/0', '0.0.0.0/0'],
      ['10.0.0.5/32', '10.0.0.5/32'],
      ['FD00::1/0', '::/0'],
      ['fd00:10:244::7f/122', 'fd00:10:244::40/122'],
      ['2001:db8:0:0:1::/122', '2001:db8:0:0:1::/122'],
      ['fd00::1/128', 'fd00::1/128'],
      ['::ffff:10.9.0.0/120', '10.9.0.0/24'],
      ['::ffff:10.9.0.7/128', '10.9.0.7/32'],
      ['::ffff:10.9.0.7/96', '0.0.0.0/0'],
    ];
    for (const [text, expected] of canonical) {
      it(`reads ${text} as ${expected}`, () => {
        expect(formatCidr(cidr(text))).to.equal(expected);
      });
    }

    const malformed = [
      '',
      '/',
      '10.0.0.0',
      '10.0.0.0/',
      '/24',
      '10.0.0.0/33',
      '10.0.0.0/-1',
      '10.0.0.0/+1',
      '10.0.0.0/08',
      '10.0.0.0/ 8',
      '10.0.0.0/8 ',
      '10.0.0.0/8x',
      '10.0.0.0/8/8',
      '10/8',
      '10.0.0/8',
      '010.0.0.0/8',
      '10.0.0.0/1e1',
      '10.0.0.0/255.0.0.0',
      'fd00::/129',
      'fd00::/0128',
      'fd00::%1/64',
      '::ffff:10.0.0.0/95',
      '::ffff:10.0.0.0/24',
      '10.0.0.0/999999999999999999',
      'not-a-cidr',
    ];
    for (const text of malformed) {
      it(`refuses ${JSON.stringify(text)}`, () => {
        expect(parseCidr(text)).to.equal(undefined);
      });
    }
  });

  it('reads a bare address as a prefix of full length (V41)', () => {
    const read = (text: string) => {
      const parsed = parseCidrOrAddress(text);
      return parsed && formatCidr(parsed);
    };
    expect(read('10.1.0.1')).to.equal('10.1.0.1/32');
    expect(read('fd00::1')).to.equal('fd00::1/128');
    expect(read('10.0.0.9/24')).to.equal('10.0.0.0/24');
    for (const text of ['', '   ', 'not-a-cidr', '10.0.0.0/33'])
      expect(read(text), text).to.equal(undefined);
  });

  it('counts the addresses of any prefix exactly', () => {
    expect(cidrSize(cidr('10.0.0.0/26'))).to.equal(64n);
    expect(cidrSize(cidr('0.0.0.0/0'))).to.equal(4294967296n);
    expect(cidrSize(cidr('fd00::/64'))).to.equal(18446744073709551616n);
    expect(cidrSize(cidr('::/0'))).to.equal(340282366920938463463374607431768211456n);
    expect(cidrSize(cidr('fd00::1/128'))).to.equal(1n);
  });

  it('knows the last address', () => {
    const last = (text: string) => formatAddress(lastAddress(cidr(text)));
    expect(last('10.0.0.64/26')).to.equal('10.0.0.127');
    expect(last('0.0.0.0/0')).to.equal('255.255.255.255');
    expect(last('fd00:10:244::40/122')).to.equal('fd00:10:244::7f');
    expect(last('::/0')).to.equal('ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff');
  });

  it('keeps the last address of a prefix that ends among the IPv4-mapped ones in its family', () => {
    expect(lastAddress(cidr('::/80'))).to.equal(0xffffffffffffn);
  });

  it('tells which addresses a prefix contains, never across families', () => {
    expect(containsAddress(cidr('10.0.0.64/26'), address('10.0.0.64'))).to.equal(true);
    expect(containsAddress(cidr('10.0.0.64/26'), address('10.0.0.127'))).to.equal(true);
    expect(containsAddress(cidr('10.0.0.64/26'), address('10.0.0.128'))).to.equal(false);
    expect(containsAddress(cidr('10.0.0.64/26'), address('::ffff:10.0.0.65'))).to.equal(true);
    expect(containsAddress(cidr('0.0.0.0/0'), address('::1'))).to.equal(false);
    expect(containsAddress(cidr('::/0'), address('10.0.0.1'))).to.equal(false);
    expect(containsAddress(cidr('fd00::/64'), address('fd00::ffff:ffff:ffff:ffff'))).to.equal(true);
    expect(containsAddress(cidr('fd00::/64'), address('fd00:0:0:1::'))).to.equal(false);
  });

  it('tells prefixes that contain, overlap or equal each other', () => {
    expect(containsCidr(cidr('10.0.0.0/16'), cidr('10.0.5.0/24'))).to.equal(true);
    expect(containsCidr(cidr('10.0.5.0/24'), cidr('10.0.0.0/16'))).to.equal(false);
    expect(containsCidr(cidr('10.0.5.0/24'), cidr('10.0.5.0/24'))).to.equal(true);
    expect(containsCidr(cidr('0.0.0.0/0'), cidr('::/64'))).to.equal(false);
    expect(cidrsOverlap(cidr('10.0.5.0/24'), cidr('10.0.0.0/16'))).to.equal(true);
    expect(cidrsOverlap(cidr('10.0.0.0/25'), cidr('10.0.0.128/25'))).to.equal(false);
    expect(cidrsOverlap(cidr('0.0.0.0/0'), cidr('::/0'))).to.equal(false);
    expect(cidrsEqual(cidr('10.0.0.9/24'), cidr('10.0.0.0/24'))).to.equal(true);
    expect(cidrsEqual(cidr('10.0.0.0/24'), cidr('10.0.0.0/25'))).to.equal(false);
  });

  it('counts ordinals from the base of a block', () => {
    expect(ordinalOf(cidr('10.0.128.0/17'), address('10.0.129.1'))).to.equal(257);
    expect(ordinalOf(cidr('fd00:10:244::40/122'), address('fd00:10:244::7f'))).to.equal(63);
  });

  it('orders by base address, IPv4 first, then shorter prefixes first', () => {
    const texts = ['fd00::/64', '10.0.0.0/24', '10.0.0.0/16', '9.0.0.0/8', '::/0'];
    expect(texts.map(cidr).sort(compareCidrs).map(formatCidr)).to.deep.equal([
      '9.0.0.0/8',
      '10.0.0.0/16',
      '10.0.0.0/24',
      '::/0',
      'fd00::/64',
    ]);
    expect([cidrFamily(cidr('10.0.0.0/8')), cidrFamily(cidr('fd00::/8'))]).to.deep.equal([4, 6]);
  });
});

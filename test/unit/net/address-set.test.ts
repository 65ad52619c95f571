import { expect } from 'chai';
import { type Address, formatAddress } from '../../../src/net/address.ts';
import { AddressSet } from '../../../src/net/address-set.ts';
import { type Cidr, parseCidrOrAddress } from '../../../src/net/cidr.ts';

function cidr(text: string): Cidr {
  const parsed = parseCidrOrAddress(text);
  if (!parsed) throw new Error(`no CIDR: ${text}`);
  return parsed;
}

function address(text: string): Address {
  return cidr(text).base;
}

function setOf(...texts: readonly string[]): AddressSet {
  return AddressSet.of(texts.map(cidr));
}

function textOf(set: AddressSet): string[] {
  return [...set.ranges()].map(
    (range) => `${formatAddress(range.first)}-${formatAddress(range.last)}`,
  );
}

describe('net/address-set', () => {
  it('joins prefixes that overlap or touch and keeps the families apart', () => {
    expect(
      textOf(
        setOf(
          '10.0.0.128/25',
          '10.0.0.0/25',
          '10.0.0.64/26',
          '10.0.2.0/24',
          'fd00::/127',
          'fd00::2',
        ),
      ),
    ).to.deep.equal(['10.0.0.0-10.0.0.255', '10.0.2.0-10.0.2.255', 'fd00::-fd00::2']);
    expect(textOf(setOf('0.0.0.0/0', '255.255.255.255', '::/0'))).to.deep.equal([
      '0.0.0.0-255.255.255.255',
      '::-ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    ]);
  });

  describe('known answers of reservations', () => {
    it('V38 covers a pool that lies inside, and nothing of a pool elsewhere', () => {
      expect(setOf('10.0.0.0/16').sizeWithin(cidr('10.0.0.0/24'))).to.equal(256n);
      expect(setOf('192.168.0.0/24', 'fd00::/120').sizeWithin(cidr('10.0.0.0/24'))).to.equal(0n);
    });

    it('V39 counts an address once, however many entries cover it', () => {
      const reserved = setOf('10.0.0.0/28', '10.0.0.4', '10.0.0.8/29', '10.1.0.0/24');
      expect(reserved.sizeWithin(cidr('10.0.0.0/24'))).to.equal(16n);
    });

    it('V40 takes an IPv4-mapped entry for the IPv4 prefix', () => {
      const reserved = setOf('::ffff:10.9.0.0/120', '10.0.0.0/30');
      expect(reserved.sizeWithin(cidr('10.9.0.0/24'))).to.equal(256n);
      expect(reserved.contains(address('10.9.0.5'))).to.equal(true);
      expect(reserved.sizeWithin(cidr('10.0.0.0/24'))).to.equal(4n);
    });

    it('V42 contains the addresses of its prefix and no other', () => {
      const reserved = setOf('10.0.0.0/30');
      expect(reserved.contains(address('10.0.0.3'))).to.equal(true);
      expect(reserved.contains(address('10.0.0.4'))).to.equal(false);
      expect(AddressSet.empty.contains(address('10.0.0.3'))).to.equal(false);
    });

    it('V43 counts IPv6 prefixes', () => {
      expect(setOf('fd00::/120').size).to.equal(256n);
      expect(setOf('fd00::/126').sizeWithin(cidr('fd00::/120'))).to.equal(4n);
    });

    it('V44 does not count an entry elsewhere', () => {
      expect(setOf('10.0.0.5', '10.7.0.0/16').sizeWithin(cidr('10.0.0.0/26'))).to.equal(1n);
    });
  });

  it('is exact beyond 2^53', () => {
    expect(setOf('fd00::/64', 'fd00:0:0:1::1').size).to.equal(18446744073709551617n);
    expect(setOf('::/0').sizeWithin(cidr('::/1'))).to.equal(1n << 127n);
    expect(setOf('::/0', '0.0.0.0/0').size).to.equal((1n << 128n) + (1n << 32n));
  });

  it('tells whether it shares an address with a prefix', () => {
    const set = setOf('10.0.0.64/26', 'fd00::40/122');
    expect(set.overlaps(cidr('10.0.0.0/24'))).to.equal(true);
    expect(set.overlaps(cidr('10.0.0.70/32'))).to.equal(true);
    expect(set.overlaps(cidr('10.0.0.0/26'))).to.equal(false);
    expect(set.overlaps(cidr('10.0.0.128/26'))).to.equal(false);
    expect(set.overlaps(cidr('::/0'))).to.equal(true);
    expect(set.overlaps(cidr('fd00::80/122'))).to.equal(false);
    expect(AddressSet.empty.overlaps(cidr('0.0.0.0/0'))).to.equal(false);
  });

  it('keeps an IPv6 prefix that spans the mapped addresses away from IPv4', () => {
    const set = setOf('::/80');
    expect(set.size).to.equal(1n << 48n);
    expect(set.contains(address('10.0.0.1'))).to.equal(false);
    expect(set.contains(address('::1'))).to.equal(true);
  });

  it('unites, subtracts and tells what changed', () => {
    const pool = setOf('10.0.0.0/24');
    const left = pool.subtract(setOf('10.0.0.0/30', '10.0.0.64/26', '10.0.0.255', '10.0.1.0/24'));
    expect(textOf(left)).to.deep.equal(['10.0.0.4-10.0.0.63', '10.0.0.128-10.0.0.254']);
    expect(left.size).to.equal(60n + 127n);
    expect(textOf(left.union(setOf('10.0.0.0/30')))).to.deep.equal([
      '10.0.0.0-10.0.0.63',
      '10.0.0.128-10.0.0.254',
    ]);
    expect(pool.subtract(setOf('10.0.0.0/8')).isEmpty).to.equal(true);
    expect(
      textOf(setOf('10.0.0.0/30').symmetricDifference(setOf('10.0.0.2/31', '10.0.0.4'))),
    ).to.deep.equal(['10.0.0.0-10.0.0.1', '10.0.0.4-10.0.0.4']);
    expect(
      setOf('10.0.0.0/31', '10.0.0.2/31').symmetricDifference(setOf('10.0.0.0/30')).isEmpty,
    ).to.equal(true);
  });

  it('subtracts a range that reaches over several of its own', () => {
    const set = setOf('10.0.0.0/30', '10.0.0.8/30', '10.0.0.16/30');
    expect(
      textOf(
        set.subtract(
          setOf('10.0.0.2/31', '10.0.0.4/30', '10.0.0.8/30', '10.0.0.12/30', '10.0.0.16'),
        ),
      ),
    ).to.deep.equal(['10.0.0.0-10.0.0.1', '10.0.0.17-10.0.0.19']);
  });

  it('leaves the ends of the address space intact', () => {
    expect(textOf(setOf('0.0.0.0/0').subtract(setOf('0.0.0.0', '255.255.255.255')))).to.deep.equal([
      '0.0.0.1-255.255.255.254',
    ]);
    expect(setOf('::/0').subtract(setOf('8000::/1')).size).to.equal(1n << 127n);
  });
});

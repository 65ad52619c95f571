import { isIP, isIPv4, isIPv6 } from 'node:net';
import { expect } from 'chai';
import {
  containsCidr as oracleContains,
  excludeCidr,
  mergeCidr,
  overlapCidr,
  parseCidr as oracleCidr,
} from 'cidr-tools';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import {
  type Address,
  bitsOf,
  familyOf,
  formatAddress,
  parseAddress,
} from '../../src/net/address.ts';
import { AddressSet } from '../../src/net/address-set.ts';
import {
  type Cidr,
  cidrOf,
  cidrSize,
  cidrsOverlap,
  containsAddress,
  containsCidr,
  formatCidr,
  lastAddress,
  parseCidr,
} from '../../src/net/cidr.ts';

const MAPPED = 0xffffn;

const v4 = fc.nat({ max: 0xffffffff }).map((value) => value as Address);
/** IPv6 with many zero groups, where the shortening has its corners; never an IPv4-mapped one. */
const v6 = fc
  .array(fc.oneof(fc.constantFrom(0, 0, 0, 1, 0xffff), fc.nat({ max: 0xffff })), {
    minLength: 8,
    maxLength: 8,
  })
  .map((groups) => groups.reduce((value, group) => (value << 16n) | BigInt(group), 0n))
  .filter((value) => value >> 32n !== MAPPED)
  .map((value) => value as unknown as Address);
const addresses = fc.oneof(v4, v6);
const cidrs = addresses.chain((address) => {
  const bits = bitsOf(familyOf(address));
  // Prefixes of IPv6 that hold mapped addresses are another matter: the libraries do not know them.
  return fc
    .integer({ min: bits === 32 ? 0 : 97, max: bits })
    .map((length) => cidrOf(address, length));
});

/** Prefixes that meet often: inside two small ranges. */
const crowded = fc
  .tuple(fc.constantFrom('10.0.0.0/24', 'fd00::/120'), fc.nat({ max: 255 }), fc.nat({ max: 8 }))
  .map(([range, offset, bits]) => {
    const { base, length } = parseCidr(range) as Cidr;
    const address = (
      typeof base === 'number' ? base + offset : (base as unknown as bigint) + BigInt(offset)
    ) as Address;
    return cidrOf(address, length + 8 - bits);
  });
const crowds = fc.array(crowded, { maxLength: 8 });

/** Texts near an address: real ones with a character changed, and loose assemblies. */
const alphabet = fc.constantFrom(...'0123456789abcdefABCDEF.:/%gx -+'.split(''));
const nearAddresses = fc.oneof(
  fc
    .array(fc.oneof(alphabet, fc.constantFrom('::', '10', '255', '256', '0', 'ffff')), {
      maxLength: 12,
    })
    .map((parts) => parts.join('')),
  fc
    .tuple(
      addresses.map(formatAddress),
      fc.nat({ max: 40 }),
      fc.nat({ max: 2 }),
      fc.oneof(alphabet, fc.constant('')),
    )
    .map(([text, at, cut, put]) => text.slice(0, at) + put + text.slice(at + cut)),
  fc.ipV4(),
  fc.ipV6(),
  fc.ipV6().map((text) => text.toUpperCase()),
);

describe('net properties', () => {
  it('accepts what node:net accepts, and no zone', () => {
    fc.assert(
      fc.property(nearAddresses, (text) => {
        expect(parseAddress(text) !== undefined, text).to.equal(
          isIP(text) !== 0 && !text.includes('%'),
        );
      }),
      { numRuns: 20000 },
    );
  });

  it('reads the value that ipaddr.js reads', () => {
    fc.assert(
      fc.property(nearAddresses, (text) => {
        // ipaddr.js reads the deprecated `::1.2.3.4` as IPv4-mapped, which it is not.
        fc.pre(
          isIPv4(text) ||
            (isIPv6(text) && !text.includes('%') && !/^::[0-9.]+\.[0-9]+$/.test(text)),
        );
        const address = parseAddress(text) as Address;
        const bytes = ipaddr.process(text).toByteArray();
        expect(BigInt(address), text).to.equal(
          bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n),
        );
        expect(familyOf(address)).to.equal(bytes.length === 4 ? 4 : 6);
      }),
      { numRuns: 5000 },
    );
  });

  it('prints the canonical text of ipaddr.js and reads it back', () => {
    fc.assert(
      fc.property(addresses, (address) => {
        const text = formatAddress(address);
        expect(text).to.equal(ipaddr.parse(text).toString());
        expect(parseAddress(text)).to.equal(address);
      }),
      { numRuns: 5000 },
    );
  });

  it('masks, ends and sizes a prefix as cidr-tools does', () => {
    fc.assert(
      fc.property(cidrs, (cidr) => {
        const oracle = oracleCidr(formatCidr(cidr));
        expect(BigInt(cidr.base)).to.equal(oracle.start);
        expect(BigInt(lastAddress(cidr))).to.equal(oracle.end);
        expect(cidrSize(cidr)).to.equal(oracle.end - oracle.start + 1n);
        expect(parseCidr(formatCidr(cidr))).to.deep.equal(cidr);
      }),
    );
  });

  it('contains and overlaps as cidr-tools and ipaddr.js say', () => {
    fc.assert(
      fc.property(crowded, crowded, (a, b) => {
        expect(containsCidr(a, b)).to.equal(oracleContains(formatCidr(a), formatCidr(b)));
        expect(cidrsOverlap(a, b)).to.equal(overlapCidr(formatCidr(a), formatCidr(b)));
        const sameFamily = familyOf(a.base) === familyOf(b.base);
        const [range, bits] = ipaddr.parseCIDR(formatCidr(a));
        const inside = sameFamily && ipaddr.parse(formatAddress(b.base)).match(range, bits);
        expect(containsAddress(a, b.base)).to.equal(inside);
      }),
    );
  });
});

describe('net/address-set properties', () => {
  it('unites as cidr-tools merges', () => {
    fc.assert(
      fc.property(crowds, crowds, (a, b) => {
        const union = AddressSet.of(a).union(AddressSet.of(b));
        expect(rangesOf(union)).to.deep.equal(
          rangesOf(setOfTexts(mergeCidr([...a, ...b].map(formatCidr)))),
        );
      }),
    );
  });

  it('subtracts as cidr-tools excludes', () => {
    fc.assert(
      fc.property(crowds, crowds, (a, b) => {
        const left = AddressSet.of(a).subtract(AddressSet.of(b));
        const oracle = a.length === 0 ? [] : excludeCidr(a.map(formatCidr), b.map(formatCidr));
        expect(rangesOf(left)).to.deep.equal(rangesOf(setOfTexts(oracle)));
      }),
    );
  });

  it('agrees with a plain set of addresses', () => {
    fc.assert(
      fc.property(crowds, crowds, crowded, (a, b, window) => {
        const [plainA, plainB] = [plainSet(a), plainSet(b)];
        const [setA, setB] = [AddressSet.of(a), AddressSet.of(b)];
        const inWindow = [...plainA].filter((value) => containsAddress(window, value));
        expect(setA.size).to.equal(BigInt(plainA.size));
        expect(setA.sizeWithin(window)).to.equal(BigInt(inWindow.length));
        expect(setA.overlaps(window)).to.equal(inWindow.length > 0);
        for (const value of plainSet([window]))
          expect(setA.contains(value)).to.equal(plainA.has(value));
        const both = [...plainA].filter((value) => plainB.has(value)).length;
        expect(setA.union(setB).size).to.equal(BigInt(plainA.size + plainB.size - both));
        expect(setA.subtract(setB).size).to.equal(BigInt(plainA.size - both));
        expect(setA.symmetricDifference(setB).size).to.equal(
          BigInt(plainA.size + plainB.size - 2 * both),
        );
      }),
      { numRuns: 300 },
    );
  });
});

function setOfTexts(texts: readonly string[]): AddressSet {
  return AddressSet.of(
    texts.map(
      (text) =>
        parseCidr(text.includes('/') ? text : `${text}/${isIP(text) === 4 ? 32 : 128}`) as Cidr,
    ),
  );
}

function rangesOf(set: AddressSet): string[] {
  return [...set.ranges()].map(
    (range) => `${formatAddress(range.first)}-${formatAddress(range.last)}`,
  );
}

function plainSet(prefixes: readonly Cidr[]): Set<Address> {
  const values = new Set<Address>();
  for (const { base, length } of prefixes) {
    const size = 2 ** (bitsOf(familyOf(base)) - length);
    for (let offset = 0; offset < size; offset++) {
      values.add(
        (typeof base === 'number'
          ? base + offset
          : (base as unknown as bigint) + BigInt(offset)) as Address,
      );
    }
  }
  return values;
}

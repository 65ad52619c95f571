import { expect } from 'chai';
import {
  type Address,
  addressAt,
  bitsOf,
  compareAddresses,
  familyOf,
  formatAddress,
  parseAddress,
} from '../../../src/net/address.ts';

function address(text: string): Address {
  const parsed = parseAddress(text);
  if (parsed === undefined) throw new Error(`no address: ${text}`);
  return parsed;
}

describe('net/address', () => {
  describe('parseAddress', () => {
    it('reads IPv4 as a number and IPv6 as a bigint', () => {
      expect(parseAddress('10.0.0.1')).to.equal(0x0a000001);
      expect(parseAddress('255.255.255.255')).to.equal(0xffffffff);
      expect(parseAddress('fd00::1')).to.equal(0xfd000000000000000000000000000001n);
      expect(parseAddress('::')).to.equal(0n);
    });

    it('reads an IPv4-mapped IPv6 address as the IPv4 address, in either spelling', () => {
      expect(parseAddress('::ffff:10.0.0.1')).to.equal(0x0a000001);
      expect(parseAddress('::FFFF:a00:1')).to.equal(0x0a000001);
      expect(parseAddress('0:0:0:0:0:ffff:0a00:0001')).to.equal(0x0a000001);
    });

    it('reads a dotted tail only at the very end', () => {
      expect(parseAddress('64:ff9b::192.0.2.33')).to.equal(address('64:ff9b::c000:221'));
      expect(parseAddress('1:2:3:4:5:6:1.2.3.4')).to.equal(address('1:2:3:4:5:6:102:304'));
      expect(parseAddress('::1.2.3.4')).to.equal(0x01020304n);
      for (const text of [
        '1.2.3.4::',
        '1.2.3.4::1',
        '::1.2.3.4:5',
        '1:2:3:4:5:6:7:1.2.3.4',
        '::1.2.3',
        '::01.2.3.4',
      ]) {
        expect(parseAddress(text), text).to.equal(undefined);
      }
    });

    it('takes a double colon for one group of zeros or more, once', () => {
      expect(parseAddress('1:2:3:4:5:6:7::')).to.equal(address('1:2:3:4:5:6:7:0'));
      expect(parseAddress('::2:3:4:5:6:7:8')).to.equal(address('0:2:3:4:5:6:7:8'));
      for (const text of ['1:2:3:4:5:6:7::8', '1::2::3', ':::', '::1:', ':1::', '1:', ':']) {
        expect(parseAddress(text), text).to.equal(undefined);
      }
    });

    const malformed = [
      '',
      ' ',
      '1',
      '1.2.3',
      '1.2.3.4.5',
      '1.2.3.4.',
      '.1.2.3.4',
      '1..2.3',
      '256.1.1.1',
      '1.1.1.256',
      '-1.1.1.1',
      '010.1.1.1',
      '1.1.1.01',
      '00.0.0.0',
      '0x7f.0.0.1',
      '2130706433',
      '1.2.3.4 ',
      ' 1.2.3.4',
      '1.2.3.4\n',
      '1.2.3.4/32',
      '１.2.3.4',
      '1,2,3,4',
      'fd00::1%eth0',
      'fd00::g',
      '12345::',
      '1:2:3:4:5:6:7',
      '1:2:3:4:5:6:7:8:9',
      '[::1]',
      '::1 ',
      'fd00::/64',
      'localhost',
      '::ffff:256.0.0.1',
      '1.2.3.99999999999999999999',
    ];
    for (const text of malformed) {
      it(`refuses ${JSON.stringify(text)}`, () => {
        expect(parseAddress(text)).to.equal(undefined);
      });
    }
  });

  describe('formatAddress', () => {
    const canonical: readonly (readonly [string, string])[] = [
      ['0.0.0.0', '0.0.0.0'],
      ['10.0.129.1', '10.0.129.1'],
      ['255.255.255.255', '255.255.255.255'],
      ['::', '::'],
      ['0:0:0:0:0:0:0:1', '::1'],
      ['FD00:0010:0244::7F', 'fd00:10:244::7f'],
      ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
      ['2001:0:0:1:0:0:0:1', '2001:0:0:1::1'],
      ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
      ['1:2:3:4:5:6:7:0', '1:2:3:4:5:6:7:0'],
      ['1:2:3:4:5:6:0:0', '1:2:3:4:5:6::'],
      ['0:0:3:4:5:6:7:8', '::3:4:5:6:7:8'],
      ['::1.2.3.4', '::102:304'],
      ['::ffff:10.0.0.1', '10.0.0.1'],
      ['ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ];
    for (const [text, expected] of canonical) {
      it(`prints ${text} as ${expected}`, () => {
        expect(formatAddress(address(text))).to.equal(expected);
      });
    }
  });

  it('knows the family of an address and its width', () => {
    expect([familyOf(address('10.0.0.1')), bitsOf(4)]).to.deep.equal([4, 32]);
    expect([familyOf(address('fd00::1')), bitsOf(6)]).to.deep.equal([6, 128]);
    expect(familyOf(address('::ffff:10.0.0.1'))).to.equal(4);
  });

  it('orders addresses numerically, IPv4 first', () => {
    const texts = ['fd00::10', '10.0.0.10', '::1', '9.255.255.255', 'fd00::9', '10.0.0.9'];
    const sorted = texts.map(address).sort(compareAddresses).map(formatAddress);
    expect(sorted).to.deep.equal([
      '9.255.255.255',
      '10.0.0.9',
      '10.0.0.10',
      '::1',
      'fd00::9',
      'fd00::10',
    ]);
    expect(compareAddresses(address('10.0.0.1'), address('::ffff:10.0.0.1'))).to.equal(0);
  });

  it('finds the address at an ordinal', () => {
    expect(formatAddress(addressAt(address('10.0.128.0'), 257))).to.equal('10.0.129.1');
    expect(formatAddress(addressAt(address('fd00:10:244::40'), 63))).to.equal('fd00:10:244::7f');
    expect(formatAddress(addressAt(address('fd00::1:0'), -1))).to.equal('fd00::ffff');
  });
});

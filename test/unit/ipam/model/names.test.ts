import { expect } from 'chai';
import {
  affinityEntryName,
  affinityName,
  blockEntryName,
  cidrToName,
  handleName,
  hostnameHash,
} from '../../../../src/ipam/model/names.ts';
import { type Cidr, parseCidr } from '../../../../src/net/cidr.ts';

function cidr(text: string): Cidr {
  const parsed = parseCidr(text);
  if (!parsed) throw new Error(`no CIDR: ${text}`);
  return parsed;
}

describe('ipam/model/names', () => {
  describe('cidrToName', () => {
    const cases: readonly (readonly [string, string])[] = [
      ['10.0.0.0/26', '10-0-0-0-26'],
      ['192.168.0.64/26', '192-168-0-64-26'],
      ['172.16.5.128/28', '172-16-5-128-28'],
      ['10.0.0.5/32', '10-0-0-5-32'],
      ['10.0.0.77/26', '10-0-0-64-26'],
      ['10.60.0.4/30', '10-60-0-4-30'],
      ['fd00::/122', 'fd00---122'],
      ['fd00:10:244::40/122', 'fd00-10-244--40-122'],
      ['2001:db8:0:0:1::/122', '2001-db8-0-0-1---122'],
      ['2001:DB8:1:2:3:4:5:0/122', '2001-db8-1-2-3-4-5-0-122'],
      ['fd00:1::1/128', 'fd00-1--1-128'],
      ['fd80:24e2:f998:72d6::/122', 'fd80-24e2-f998-72d6---122'],
    ];
    for (const [text, name] of cases) {
      it(`names ${text} ${name}`, () => {
        expect(cidrToName(cidr(text))).to.equal(name);
      });
    }
  });

  it('knows the name of an affinity row in etcd', () => {
    expect(affinityEntryName({ type: 'host', host: 'node-a' }, cidr('10.0.0.64/26'))).to.equal(
      'host/node-a/ipv4/block/10.0.0.64-26',
    );
    expect(affinityEntryName({ type: 'virtual', host: 'a/b' }, cidr('fd00::/122'))).to.equal(
      'virtual/a%2fb/ipv6/block/fd00::-122',
    );
  });

  it('knows the name of a block in etcd', () => {
    expect(blockEntryName(cidr('fd00:10:244::40/122'))).to.equal('ipv6/block/fd00:10:244::40-122');
    expect(blockEntryName(cidr('10.0.0.77/26'))).to.equal('ipv4/block/10.0.0.64-26');
  });

  describe('affinityName', () => {
    const cases: readonly (readonly [string, string, string])[] = [
      ['node-1', '10.0.0.0/26', 'node-1-10-0-0-0-26'],
      [
        'ip-10-1-2-3.eu-west-1.compute.internal',
        '192.168.17.64/26',
        'ip-10-1-2-3.eu-west-1.compute.internal-192-168-17-64-26',
      ],
      ['worker.example.com', '172.16.5.128/28', 'worker.example.com-172-16-5-128-28'],
      ['node-1', 'fd00:10:244::40/122', 'node-1-fd00-10-244--40-122'],
      ['load-balancer', '10.9.8.0/26', 'load-balancer-10-9-8-0-26'],
      ['kind-worker', '10.244.162.128/26', 'kind-worker-10-244-162-128-26'],
      ['Node-A', '10.0.0.0/26', 'Node-A-10-0-0-0-26'],
      ['a'.repeat(240), '10.0.0.0/26', `${'a'.repeat(240)}-10-0-0-0-26`],
      ['a'.repeat(241), '10.0.0.0/26', `${'a'.repeat(228)}-10-0-0-0-26-f2d0b24ba4a`],
      ['a'.repeat(242), '10.0.0.0/26', `${'a'.repeat(228)}-10-0-0-0-26-e01d25771c7`],
      ['b'.repeat(253), '10.0.0.0/26', `${'b'.repeat(228)}-10-0-0-0-26-ce29d9c8d86`],
      [
        'c'.repeat(253),
        'fd00:10:244::40/122',
        `${'c'.repeat(220)}-fd00-10-244--40-122-46101635e8f`,
      ],
      ['d'.repeat(230), '255.255.255.128/26', `${'d'.repeat(230)}-255-255-255-128-26`],
    ];
    for (const [host, block, name] of cases) {
      it(`names the claim of ${block} by ${host.slice(0, 40)} (${host.length} characters)`, () => {
        expect(affinityName(host, cidr(block))).to.equal(name);
      });
    }

    it('never makes a name longer than 252 bytes', () => {
      expect(Buffer.byteLength(affinityName('a'.repeat(241), cidr('10.0.0.0/26')))).to.equal(252);
      expect(
        Buffer.byteLength(affinityName('c'.repeat(253), cidr('fd00:10:244::40/122'))),
      ).to.equal(252);
    });
  });

  describe('handleName', () => {
    it('is the id in lower case and nothing else', () => {
      expect(handleName('K8s-Pod-Network.AbC')).to.equal('k8s-pod-network.abc');
      expect(handleName('lb-6FKqwqdDKDSQo6TvwNS7zN3Rqhqg3YVgGH0s2Njt0Pk')).to.equal(
        'lb-6fkqwqddkdsqo6tvwns7zn3rqhqg3yvggh0s2njt0pk',
      );
    });
  });

  describe('hostnameHash', () => {
    const cases: readonly (readonly [string, string])[] = [
      ['node-a', 'PY3TQE2E3XMTETLM2MJO3UITKPFB27YUJ4T4E5XGPEJON3SM4QAA'],
      ['node-b', 'CMAXSCEQN2FQX6QTO46RNUSW2SYX5B4KAJRNYFFLLCEBP5WWXSDA'],
      ['node-1', 'A3XPYDATRKB7Q4SM2O5FN4RXIHBFIL2PITFX26BAIP5XAB2X74CA'],
      ['host-a', 'BFCLEOKXKXJN3LUK3AL2TWDBTX3OWLM5ZSRM6I3Y5HSZA6Z2BHOA'],
      ['kind-control-plane', 'RLBCRO3IX3QQV6BPPDEDUBOTWHZ2CHKUZQUIKELDIYNV2D4W4NFA'],
      ['kind-worker', 'IBVBROKXJCMHPK3CZI3D3PWK642IN433QZEAMKIO7Z4KRA4BKK3Q'],
      [
        'ip-10-1-2-3.eu-west-1.compute.internal',
        '5LFWRYPCNGTTLVKR4IKSPTFIQMMSS5QZ6D6A3KSNZFPID7YYH4VQ',
      ],
      ['load-balancer', 'TAU2RK2F2FG7MIS72DPZYC6FJ3U3BIWIDZAMUTQY7ZXMSKQZ5GSQ'],
      ['Node-A', 'T6MRQD5RBVJUIBMC7PWYJ6ASDIJIONDAKZTG23752QSDQVHWZHUQ'],
    ];
    for (const [host, hash] of cases) {
      it(`hashes ${host}`, () => {
        expect(hostnameHash(host)).to.equal(hash);
      });
    }
  });
});

import { expect } from 'chai';
import { decodeEntry } from '../../../../src/datastore/codec/decode.ts';
import { parseCidr } from '../../../../src/net/cidr.ts';
import type { JsonObject, JsonValue } from '../../../../src/ipam/model/resource.ts';
import { NEWER, anObject, blockSpec } from '../../../support/stored-objects.ts';

const IPAM = '/calico/ipam/v2';
const RESOURCES = '/calico/resources/v3/projectcalico.org';

describe('datastore/codec/decode, blocks of the etcd layout', () => {
  const BLOCK = `${IPAM}/assignment/ipv4/block/10.60.0.4-30`;

  it('reads a block with the field names of etcd', () => {
    const { affinityClaimTime, ...rest } = blockSpec();
    const value = { ...rest, affinity_claim_time: affinityClaimTime ?? null };
    expect(decodeEntry(BLOCK, value)).to.deep.include({
      kind: 'IPAMBlock',
      key: { name: 'ipv4/block/10.60.0.4-30' },
      createdAt: undefined,
      cidr: parseCidr('10.60.0.4/30'),
      claimedAt: Date.UTC(2026, 10, 29, 9),
      sequenceNumber: 1795942800000000123n,
    });
  });

  it('18 reads a block that never held an address, and colons in its key', () => {
    const value = { affinity: null, allocations: [null], unallocated: [0], attributes: null };
    const path = `${IPAM}/assignment/ipv6/block/fd00:10:244::40-122`;
    expect(decodeEntry(path, value)).to.deep.include({
      cidr: parseCidr('fd00:10:244::40/122'),
      attributes: [],
      misreadings: [],
    });
  });

  const DAMAGE: readonly (readonly [string, string, JsonValue])[] = [
    [
      'its key names 10.60.0.4/30 and its value 10.60.0.8/30',
      BLOCK,
      blockSpec({ cidr: '10.60.0.8/30' }),
    ],
    ['cidr "x" is no CIDR', BLOCK, blockSpec({ cidr: 'x' })],
    ['its value "{" is no object', BLOCK, '{'],
    ['its value is missing', BLOCK, null],
    ['its key names no block', `${IPAM}/assignment/ipv4/block/10.60.0.4`, {}],
    ['its key names no block', `${IPAM}/assignment/ipv6/block/10.60.0.4-30`, {}],
    ['its key names no block', `${IPAM}/assignment/ipv4/block/10.60.0.4-30/x`, {}],
    ['its key names no block', `${IPAM}/assignment/x`, {}],
  ];
  for (const [unreadable, path, value] of DAMAGE) {
    it(`cannot read ${path} where ${unreadable}`, () => {
      expect(decodeEntry(path, value)).to.include({ kind: 'IPAMBlock', unreadable });
    });
  }
});

describe('datastore/codec/decode, affinities and handles of the etcd layout', () => {
  const OWNERS = [
    ['host/node-1/ipv4/block/10.60.0.0-26', 'host', 'node-1', '10.60.0.0/26'],
    ['host/node-1/ipv6/block/2001:db8:50::-124', 'host', 'node-1', '2001:db8:50::/124'],
    ['virtual/load-balancer/ipv4/block/10.9.8.0-26', 'virtual', 'load-balancer', '10.9.8.0/26'],
    ['@/node-1/ipv4/block/10.60.0.0-26', 'host', 'node-1', '10.60.0.0/26'],
    ['host/a%2fb/ipv4/block/10.60.0.0-26', 'host', 'a/b', '10.60.0.0/26'],
    ['host/alder\n/ipv4/block/10.60.0.0-26', 'host', 'alder\n', '10.60.0.0/26'],
  ] as const;
  for (const [name, type, host, cidr] of OWNERS) {
    it(`reads the owner of ${JSON.stringify(name)}`, () => {
      expect(
        decodeEntry(`${IPAM}/${name}`, { state: 'confirmed', deleted: false }),
      ).to.deep.include({
        kind: 'BlockAffinity',
        key: { name },
        type,
        host,
        cidr: parseCidr(cidr),
        state: 'confirmed',
        deleted: false,
        labelled: undefined,
      });
    });
  }

  for (const value of ['', {}, null]) {
    it(`20 reads the affinity value ${JSON.stringify(value)} as one without state`, () => {
      const path = `${IPAM}/host/node-1/ipv4/block/10.60.0.0-26`;
      expect(decodeEntry(path, value)).to.include({ state: '', deleted: false });
    });
  }

  for (const name of [
    'host/a/ipv4/block/x',
    'host/a/b/c',
    'virtual/a',
    'host//ipv4/block/10.0.0.0-26',
  ]) {
    it(`cannot read the affinity key ${name}`, () => {
      expect(decodeEntry(`${IPAM}/${name}`, {})).to.include({
        kind: 'BlockAffinity',
        unreadable: 'its key names no owner and block',
      });
    });
  }

  it('reads the id of a handle from its key', () => {
    const path = `${IPAM}/handle/K8s-Pod-Network.AbC`;
    expect(decodeEntry(path, { block: { '10.60.0.0/26': 2 }, deleted: false })).to.deep.include({
      kind: 'IPAMHandle',
      key: { name: 'K8s-Pod-Network.AbC' },
      id: 'K8s-Pod-Network.AbC',
      counts: [{ text: '10.60.0.0/26', cidr: parseCidr('10.60.0.0/26'), count: 2 }],
    });
  });

  for (const name of ['a/b', 'a%2fb', 'a/']) {
    it(`takes the handle id "${name}" as it stands, though lists of Calico leave it out`, () => {
      expect(decodeEntry(`${IPAM}/handle/${name}`, { block: {} })).to.deep.include({
        kind: 'IPAMHandle',
        key: { name },
        id: name,
      });
    });
  }

  it('cannot read the handle key without an id', () => {
    expect(decodeEntry(`${IPAM}/handle/`, { block: {} })).to.deep.include({
      kind: 'IPAMHandle',
      key: { name: '' },
      unreadable: 'its key names no handle',
    });
  });
});

describe('datastore/codec/decode, other entries of the etcd layout', () => {
  it('21 reads an empty configuration as everything off', () => {
    expect(decodeEntry(`${IPAM}/config`, {})).to.deep.include({
      kind: 'IPAMConfig',
      key: { name: 'default' },
      strictAffinity: false,
      autoAllocateBlocks: false,
      kubeVirtVMAddressPersistence: 'Enabled',
    });
  });

  it('reads the configuration with the field names of etcd', () => {
    const value = { strict_affinity: true, auto_allocate_blocks: true, maxBlocksPerHost: 4 };
    expect(decodeEntry(`${IPAM}/config`, value)).to.include({
      strictAffinity: true,
      autoAllocateBlocks: true,
      maxBlocksPerHost: 4,
    });
  });

  function resource(name: string, spec: JsonObject, namespace?: string): JsonObject {
    const metadata = namespace === undefined ? { name } : { name, namespace };
    return anObject({ apiVersion: NEWER, metadata, spec });
  }

  it('reads resources under their own names', () => {
    const pool = decodeEntry(
      `${RESOURCES}/ippools/main`,
      resource('main', { cidr: '10.0.0.0/16' }),
    );
    expect(pool).to.deep.include({ kind: 'IPPool', key: { name: 'main' } });
    const node = decodeEntry(`${RESOURCES}/nodes/alder`, resource('alder', {}));
    expect(node).to.include({ kind: 'Node', origin: 'calico' });
    const spec = { node: 'alder', orchestrator: 'k8s' };
    const path = `${RESOURCES}/workloadendpoints/shop/alder-k8s-a-eth0`;
    expect(decodeEntry(path, resource('alder-k8s-a-eth0', spec, 'shop'))).to.deep.include({
      kind: 'WorkloadEndpoint',
      key: { namespace: 'shop', name: 'alder-k8s-a-eth0' },
    });
  });

  const DAMAGE: readonly (readonly [string, string, JsonValue])[] = [
    ['its metadata has another name than its key', 'ippools/main', resource('other', {})],
    ['its metadata has another name than its key', 'ippools/main', {}],
    ['its value "x" is no object', 'nodes/alder', 'x'],
    ['its key names no object', 'ippools/', {}],
    ['its key names no object', 'workloadendpoints/shop', {}],
    ['its key names no object', 'ippools/a/b', {}],
  ];
  for (const [unreadable, path, value] of DAMAGE) {
    it(`cannot read ${path} where ${unreadable}`, () => {
      expect(decodeEntry(`${RESOURCES}/${path}`, value)).to.include({ unreadable });
    });
  }

  const OTHERS = [
    `${IPAM}/host/node-1`,
    `${IPAM}/host/node-1/`,
    `${IPAM}/other/x`,
    `${RESOURCES}/ipamconfigurations/default`,
    `${RESOURCES}/blockaffinities/a`,
    `${RESOURCES}/profiles/kns.shop`,
    '/calico/v1/Ready',
    '/registry/pods/shop/cart-0',
    '',
  ];
  for (const path of OTHERS) {
    it(`does not look at "${path}"`, () => {
      expect(decodeEntry(path, {})).to.equal(undefined);
    });
  }
});

import { expect } from 'chai';
import { carryBlock, type CarriedBlock } from '../../../../src/ipam/migration/carry-block.ts';
import { HealingTally } from '../../../../src/ipam/migration/healing.ts';
import { LoweredCounts } from '../../../../src/ipam/migration/lowered-counts.ts';
import { NodeNames } from '../../../../src/ipam/migration/node-names.ts';
import type { BlockRow } from '../../../../src/ipam/model/block.ts';
import type { JsonObject } from '../../../../src/ipam/model/resource.ts';
import { net } from '../../../support/builders.ts';

const NAMES = new NodeNames(
  [
    { from: 'a', to: 'a.example' },
    { from: 'b', to: 'b.example' },
  ],
  new Set(['bare']),
);
const CIDR = '10.0.0.0/30';

function carry(value: JsonObject): CarriedBlock & {
  readonly healed: Readonly<Record<string, number>>;
  readonly lowered: LoweredCounts;
} {
  const tally = new HealingTally();
  const lowered = new LoweredCounts();
  const row = { kind: 'IPAMBlock', key: { name: 'x' }, cidr: net(CIDR), object: value };
  const carried = carryBlock(row as unknown as BlockRow, { names: NAMES, tally, lowered });
  const healed = Object.fromEntries(tally.entries().map(({ code, count }) => [code, count]));
  return { ...carried, healed, lowered };
}

function block(attributes: readonly JsonObject[], more: JsonObject = {}): JsonObject {
  return {
    cidr: CIDR,
    affinity: 'host:a',
    allocations: [0, 1, 2, 3].map((slot) => (slot < attributes.length ? slot : null)),
    unallocated: [0, 1, 2, 3].slice(attributes.length),
    attributes: [...attributes],
    sequenceNumber: 1795942800000000121n,
    sequenceNumberForAllocation: { 0: 5, 1: 6, 2: 1795942800000000120n },
    deleted: false,
    ...more,
  };
}

describe('ipam/migration/carry-block', () => {
  it('maps the owner, both attribute maps and handles of tunnels, and nothing else', () => {
    const { row, healed } = carry(
      block([
        {
          handle_id: 'vxlan-v6-tunnel-addr-a',
          secondary: { node: 'a', type: 'vxlanV6TunnelAddress' },
        },
        {
          handle_id: 'k8s-pod-network.a',
          secondary: { node: 'a', pod: 'a' },
          alternateOwnerAttrs: { node: 'b', pod: 'b' },
        },
        { secondary: { node: 'gone' }, future: { node: 'a' } },
      ]),
    );
    expect(row?.entryName).to.equal('ipv4/block/10.0.0.0-30');
    expect(row?.value['affinity']).to.equal('host:a.example');
    expect(row?.value['attributes']).to.deep.equal([
      {
        handle_id: 'vxlan-v6-tunnel-addr-a.example',
        secondary: { node: 'a.example', type: 'vxlanV6TunnelAddress' },
      },
      {
        handle_id: 'k8s-pod-network.a',
        secondary: { node: 'a.example', pod: 'a' },
        alternateOwnerAttrs: { node: 'b.example', pod: 'b' },
      },
      { secondary: { node: 'gone' }, future: { node: 'a' } },
    ]);
    expect(healed).to.deep.equal({});
  });

  it('keeps a virtual owner that is called like a node', () => {
    expect(carry(block([], { affinity: 'virtual:a' })).row?.value['affinity']).to.equal(
      'virtual:a',
    );
  });

  it('keeps unknown fields, the order of the free list and numbers beyond 2^53', () => {
    const { row } = carry(block([], { unallocated: [3, 0, 2, 1], later: { x: 1 } }));
    expect(row?.value).to.deep.include({
      unallocated: [3, 0, 2, 1],
      later: { x: 1 },
      sequenceNumber: 1795942800000000121n,
    });
  });

  const forms: readonly (readonly [string, JsonObject, string, JsonObject])[] = [
    ['null for attributes', { attributes: null }, 'null-attributes', { attributes: [] }],
    [
      'an old owner',
      { affinity: null, hostAffinity: 'b' },
      'host-affinity',
      { affinity: 'host:b.example' },
    ],
    [
      'an old owner beside the new',
      { hostAffinity: 'b' },
      'host-affinity',
      { affinity: 'host:a.example' },
    ],
    [
      'no sequence numbers',
      { sequenceNumber: null, sequenceNumberForAllocation: null },
      'missing-sequence',
      { sequenceNumber: 0, sequenceNumberForAllocation: {} },
    ],
    ['no mark of deletion', { deleted: null }, 'missing-deleted', { deleted: false }],
    ['no free list', { unallocated: null }, 'null-values', { unallocated: [] }],
    ['no prefix', { cidr: null }, 'other-spelling', { cidr: CIDR }],
  ];
  for (const [title, old, code, now] of forms) {
    it(`heals ${title}`, () => {
      const { row, healed } = carry(block([], old));
      expect(row?.value).to.deep.include(now);
      expect(row?.value).not.to.have.property('hostAffinity');
      expect(healed).to.deep.equal({ [code]: 1 });
    });
  }

  it('heals what is absent as well as what is null', () => {
    const { row, healed } = carry({
      allocations: [null, null, null, null],
      unallocated: [0, 1, 2, 3],
    });
    expect(row?.value).to.deep.equal({
      cidr: CIDR,
      affinity: null,
      allocations: [null, null, null, null],
      unallocated: [0, 1, 2, 3],
      attributes: [],
      sequenceNumber: 0,
      sequenceNumberForAllocation: {},
      deleted: false,
    });
    expect(healed).to.deep.equal({
      'null-attributes': 1,
      'missing-sequence': 1,
      'missing-deleted': 1,
      'other-spelling': 1,
    });
  });

  it('cuts handle ids and takes nulls out of attributes', () => {
    const { row, healed } = carry(
      block([
        { handle_id: 'x.1\r\neth0', secondary: { pod: null, node: 'a' } },
        { handle_id: null, alternateOwnerAttrs: null, secondary: {} },
      ]),
    );
    expect(row?.value['attributes']).to.deep.equal([
      { handle_id: 'x.1', secondary: { pod: '', node: 'a.example' } },
      { secondary: {} },
    ]);
    expect(healed).to.deep.equal({ 'handle-id-cut': 1, 'null-values': 2 });
  });

  describe('leaving a node out', () => {
    const tunnel = { handle_id: 'ipip-tunnel-addr-bare', secondary: { type: 'ipipTunnelAddress' } };
    const own = { handle_id: 'net.own', secondary: { node: 'bare', pod: 'own' } };
    const other = { handle_id: 'net.other', secondary: { node: 'a', pod: 'other' } };
    const cooling = { releasedAt: '2026-11-29T09:05:00Z' };
    const windows = { handle_id: 'Windows-Reserved-IPAM-Handle', secondary: { note: 'x' } };

    it('drops a block that holds only addresses of its own, cooling and reserved ones', () => {
      const { row, lowered } = carry(
        block([tunnel, own, cooling, windows], { affinity: 'host:bare' }),
      );
      expect(row).to.equal(undefined);
      expect(lowered.lower('net.own', CIDR, 7)).to.equal(0);
    });

    it('keeps a block with an address of somebody else, without owner and its own addresses', () => {
      const { row, lowered, freedAddresses, isDisowned } = carry(
        block([tunnel, other, own], {
          affinity: 'host:bare',
          affinity_claim_time: '2026-11-09T12:00:01Z',
        }),
      );
      expect(row?.value).to.deep.equal(
        block([], {
          affinity: null,
          allocations: [null, 0, null, null],
          unallocated: [3, 0, 2],
          attributes: [{ handle_id: 'net.other', secondary: { node: 'a.example', pod: 'other' } }],
          sequenceNumberForAllocation: { 1: 6 },
        }),
      );
      expect([freedAddresses, isDisowned]).to.deep.equal([2, true]);
      expect(lowered.lower('net.own', CIDR, 3)).to.equal(2);
      expect(lowered.lower('net.other', CIDR, 1)).to.equal(1);
    });

    it('keeps a block with an address of which nobody says whose it is', () => {
      expect(carry(block([{ handle_id: 'net.1' }], { affinity: 'host:bare' })).row).not.to.equal(
        undefined,
      );
    });

    it('frees its addresses in blocks of others, whose owner stays', () => {
      const { row, freedAddresses, isDisowned } = carry(block([other, tunnel]));
      expect(row?.value).to.deep.include({
        affinity: 'host:a.example',
        allocations: [0, null, null, null],
        unallocated: [2, 3, 1],
      });
      expect([freedAddresses, isDisowned]).to.deep.equal([1, false]);
    });

    it('frees every slot of one attribute', () => {
      const { row, lowered } = carry(
        block([own, other], { allocations: [0, 1, 0, null], unallocated: [3] }),
      );
      expect(row?.value).to.deep.include({
        allocations: [null, 0, null, null],
        unallocated: [3, 0, 2],
      });
      expect(lowered.lower('net.own', CIDR, 2)).to.equal(0);
    });

    it('leaves a virtual owner of that name alone', () => {
      expect(carry(block([other], { affinity: 'virtual:bare' })).row?.value['affinity']).to.equal(
        'virtual:bare',
      );
    });

    it('leaves the other side of a machine that moves', () => {
      const from = {
        handle_id: 'net.vm',
        secondary: { node: 'bare' },
        alternateOwnerAttrs: { node: 'a' },
      };
      const to = {
        handle_id: 'net.vm2',
        secondary: { node: 'a' },
        alternateOwnerAttrs: { node: 'bare' },
      };
      const { row, freedAddresses } = carry(block([from, to]));
      expect(row?.value['attributes']).to.deep.equal([
        { handle_id: 'net.vm', secondary: { node: 'a.example' } },
        { handle_id: 'net.vm2', secondary: { node: 'a.example' } },
      ]);
      expect(freedAddresses).to.equal(0);
    });
  });
});

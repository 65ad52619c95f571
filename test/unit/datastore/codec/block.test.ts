import { expect } from 'chai';
import { decodeObject } from '../../../../src/datastore/codec/decode.ts';
import type { BlockRow } from '../../../../src/ipam/model/block.ts';
import type { JsonObject, JsonValue } from '../../../../src/ipam/model/resource.ts';
import { NEWER, anObject, blockSpec } from '../../../support/stored-objects.ts';

function read(changes: JsonObject = {}, apiVersion?: string) {
  const parts = { metadata: { name: '10-60-0-4-30' }, spec: blockSpec(changes) };
  return decodeObject('IPAMBlock', anObject(apiVersion ? { apiVersion, ...parts } : parts));
}

function readBlock(changes: JsonObject = {}): BlockRow {
  const row = read(changes);
  expect(row).to.include({ kind: 'IPAMBlock' }).and.not.have.property('unreadable');
  return row as BlockRow;
}

describe('datastore/codec/block', () => {
  it('reads every field, sequence numbers exactly', () => {
    expect(read()).to.deep.equal({
      kind: 'IPAMBlock',
      key: { name: '10-60-0-4-30' },
      revision: '4711',
      uid: '0c8c26a6-c6a6-44c6-adc6-ac2646b46c1c',
      createdAt: Date.UTC(2026, 10, 29, 9),
      terminating: false,
      cidr: { base: 0x0a3c0004, length: 30 },
      affinity: 'host:node-1',
      claimedAt: Date.UTC(2026, 10, 29, 9),
      allocations: [null, 0, null, 1],
      unallocated: [0, 2],
      attributes: [
        {
          handle: 'k8s-pod-network.4f1ad2',
          owner: { namespace: 'shop', node: 'node-1', pod: 'cart-0' },
          alternateOwner: undefined,
          releasedAt: undefined,
        },
        {
          handle: undefined,
          owner: {},
          alternateOwner: undefined,
          releasedAt: Date.UTC(2026, 10, 29, 9, 5),
        },
      ],
      sequenceNumber: 1795942800000000123n,
      sequenceNumbers: new Map([
        [1, 1795942800000000120n],
        [3, 1795942800000000121n],
      ]),
      deleted: false,
      misreadings: [],
    });
  });

  it('reads both groups alike', () => {
    expect(read({}, NEWER)).to.deep.equal(read());
  });

  it('reads a block of an old release: no claim time, no sequence numbers', () => {
    const { affinityClaimTime: _, sequenceNumber: __, ...rest } = blockSpec();
    const { sequenceNumberForAllocation: ___, ...spec } = rest;
    const row = decodeObject('IPAMBlock', anObject({ spec })) as BlockRow;
    expect(row).to.include({ claimedAt: undefined, sequenceNumber: 0n });
    expect(row.sequenceNumbers.size).to.equal(0);
    expect(row.misreadings).to.deep.equal([]);
  });

  it('reads a block with the host of old releases only as owned by nobody', () => {
    expect(readBlock({ affinity: null, hostAffinity: 'node-1' }).affinity).to.equal(undefined);
  });

  for (const affinity of ['', null]) {
    it(`reads the affinity ${JSON.stringify(affinity)} as none`, () => {
      expect(readBlock({ affinity }).affinity).to.equal(undefined);
    });
  }

  it('keeps the text of a damaged affinity', () => {
    expect(readBlock({ affinity: 'node-1' }).affinity).to.equal('node-1');
  });

  it('reads absent lists as empty', () => {
    const row = readBlock({ allocations: null, unallocated: null, attributes: null });
    expect(row.allocations).to.deep.equal([]);
    expect(row.unallocated).to.deep.equal([]);
    expect(row.attributes).to.deep.equal([]);
  });

  it('tells an absent handle from an empty one', () => {
    const attributes = [{}, { handle_id: null }, { handle_id: '' }];
    const handles = readBlock({ attributes }).attributes.map((attribute) => attribute.handle);
    expect(handles).to.deep.equal([undefined, undefined, '']);
  });

  it('keeps the other side of a live migration, and reads null in a map as the empty text', () => {
    const attributes = [{ alternateOwnerAttrs: { pod: 'a', node: null }, secondary: null }];
    const [attribute] = readBlock({ attributes }).attributes;
    expect(attribute?.alternateOwner).to.deep.equal({ pod: 'a', node: '' });
    expect(attribute?.owner).to.deep.equal({});
  });

  it('masks the prefix and takes any spelling', () => {
    expect(readBlock({ cidr: '2001:DB8:0:0::7/124' }).cidr).to.deep.equal({
      base: 0x20010db8000000000000000000000000n,
      length: 124,
    });
  });
});

describe('datastore/codec/block, damage inside', () => {
  it('keeps wild integers and marks other entries of the lists', () => {
    const row = readBlock({
      allocations: [-1, 7, 2n ** 60n, '0', 0.5, true, [], 0],
      unallocated: [9, '1', null, 2],
    });
    expect(row.allocations).to.deep.equal([-1, 7, 2 ** 60, NaN, NaN, NaN, NaN, 0]);
    expect(row.unallocated).to.deep.equal([9, NaN, NaN, 2]);
  });

  it('does not change the object that it reads', () => {
    const allocations = [null, 'x', 0];
    readBlock({ allocations });
    expect(allocations).to.deep.equal([null, 'x', 0]);
  });

  const RECORDS: readonly (readonly [string, JsonValue])[] = [
    ['attributes[0] 5 is no object', 5],
    ['attributes[0] is missing', null],
    ['attributes[0].handle_id 5 is no text', { handle_id: 5 }],
    ['attributes[0].secondary […] is no map of texts', { secondary: [] }],
    ['attributes[0].secondary.pod 5 is no text', { secondary: { pod: 5 } }],
    ['attributes[0].alternateOwnerAttrs.pod {…} is no text', { alternateOwnerAttrs: { pod: {} } }],
    ['attributes[0].releasedAt "soon" is no time', { releasedAt: 'soon' }],
    ['attributes[0].releasedAt 5 is no time', { releasedAt: 5 }],
  ];
  for (const [misreading, record] of RECORDS) {
    it(`takes the slots out of account where ${misreading}`, () => {
      const row = readBlock({ attributes: [record, { handle_id: 'h' }] });
      expect(row.misreadings).to.deep.equal([misreading]);
      expect(row.allocations).to.deep.equal([null, NaN, null, 1]);
      expect(row.attributes).to.have.length(2);
    });
  }

  const NUMBERS: readonly (readonly [string, JsonValue, bigint | undefined])[] = [
    ['zero', 0, 0n],
    ['five', 5, 5n],
    ['the largest', 2n ** 64n - 1n, 2n ** 64n - 1n],
    ['null', null, 0n],
    ['one beyond 64 bits', 2n ** 64n, undefined],
    ['a negative one', -1, undefined],
    ['a fraction', 1.5, undefined],
    ['a rounded one', 2 ** 60, undefined],
    ['a text', '5', undefined],
    ['a list', [], undefined],
  ];
  for (const [title, value, expected] of NUMBERS) {
    it(`reads the sequence number ${title} as ${expected ?? 'damage'}`, () => {
      const row = readBlock({ sequenceNumber: value, sequenceNumberForAllocation: { 1: value } });
      expect(row.sequenceNumber).to.equal(expected ?? 0n);
      expect(row.sequenceNumbers.get(1)).to.equal(expected ?? 0n);
      expect(row.misreadings).to.have.length(expected === undefined ? 2 : 0);
    });
  }

  for (const name of ['', '01', '-1', 'x', '1.0', ' 1', '1e3', '12345678901']) {
    it(`does not take "${name}" for an ordinal`, () => {
      const row = readBlock({ sequenceNumberForAllocation: { [name]: 5 } });
      expect(row.sequenceNumbers.size).to.equal(0);
      expect(row.misreadings).to.deep.equal([
        `sequenceNumberForAllocation names "${name}", which is no ordinal`,
      ]);
    });
  }

  it('reads a claim time that is none as absent', () => {
    const row = readBlock({ affinityClaimTime: 'never' });
    expect(row.claimedAt).to.equal(undefined);
    expect(row.misreadings).to.deep.equal(['affinityClaimTime "never" is no time']);
  });
});

describe('datastore/codec/block, damage of the whole', () => {
  const DAMAGE: readonly (readonly [string, JsonObject])[] = [
    ['spec.cidr "10.60.0.4" is no CIDR', { cidr: '10.60.0.4' }],
    ['spec.cidr "10.60.0.04/30" is no CIDR', { cidr: '10.60.0.04/30' }],
    ['spec.cidr 5 is no CIDR', { cidr: 5 }],
    ['spec.cidr is missing', { cidr: null }],
    ['spec.affinity 5 is no text', { affinity: 5 }],
    ['spec.allocations {…} is no list', { allocations: {} }],
    ['spec.unallocated "0" is no list', { unallocated: '0' }],
    ['attributes {…} is no list', { attributes: {} }],
    [
      'sequenceNumberForAllocation […] is no map of sequence numbers',
      { sequenceNumberForAllocation: [] },
    ],
    ['spec.deleted "false" is no boolean', { deleted: 'false' }],
  ];
  for (const [unreadable, change] of DAMAGE) {
    it(`cannot read a block where ${unreadable}`, () => {
      expect(read(change)).to.include({ kind: 'IPAMBlock', unreadable });
    });
  }

  it('cannot read a block without spec', () => {
    expect(decodeObject('IPAMBlock', anObject({}))).to.include({
      unreadable: 'spec.cidr is missing',
    });
    expect(decodeObject('IPAMBlock', anObject({ spec: 'x' }))).to.include({
      unreadable: 'spec "x" is no object',
    });
  });
});

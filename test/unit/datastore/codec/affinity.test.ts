import { expect } from 'chai';
import { decodeObject } from '../../../../src/datastore/codec/decode.ts';
import type { JsonObject, JsonValue } from '../../../../src/ipam/model/resource.ts';
import { NEWER, OLDER, anObject } from '../../../support/stored-objects.ts';

const HASH = 'A3XPYDATRKB7Q4SM2O5FN4RXIHBFIL2PITFX26BAIP5XAB2X74CA';

function read(spec: JsonValue, metadata: JsonObject = {}, apiVersion = OLDER) {
  return decodeObject('BlockAffinity', anObject({ apiVersion, metadata, spec }));
}

const SPEC = {
  state: 'confirmed',
  node: 'node-1',
  type: 'host',
  cidr: '10.60.0.0/26',
  deleted: 'false',
};

describe('datastore/codec/affinity', () => {
  it('reads a row of the older group', () => {
    expect(read(SPEC)).to.deep.include({
      kind: 'BlockAffinity',
      type: 'host',
      host: 'node-1',
      cidr: { base: 0x0a3c0000, length: 26 },
      state: 'confirmed',
      deleted: false,
      labelled: false,
    });
  });

  const MARKS: readonly (readonly [JsonValue, boolean | undefined])[] = [
    ...['1', 't', 'T', 'TRUE', 'true', 'True', true].map((mark) => [mark, true] as const),
    ...['0', 'f', 'F', 'FALSE', 'false', 'False', '', false, null].map(
      (mark) => [mark, false] as const,
    ),
    ...['yes', 'tRUE', ' true', '00', 1, 0, [], {}].map((mark) => [mark, undefined] as const),
  ];
  for (const [mark, expected] of MARKS) {
    it(`reads the deletion mark ${JSON.stringify(mark)} as ${expected ?? 'unreadable'}`, () => {
      const row = read({ ...SPEC, deleted: mark });
      if (expected === undefined) expect(row).to.have.property('unreadable');
      else expect(row).to.have.property('deleted', expected);
    });
  }

  it('reads the boolean mark of the newer group', () => {
    expect(read({ ...SPEC, deleted: true }, {}, NEWER)).to.have.property('deleted', true);
  });

  for (const type of [undefined, null, ''] as const) {
    it(`reads a type that is ${type === '' ? 'blank' : String(type)} as host`, () => {
      const { type: _, ...rest } = SPEC;
      const spec = type === undefined ? rest : { ...rest, type };
      expect(read(spec)).to.have.property('type', 'host');
    });
  }

  it('reads an absent state as the blank one of old releases', () => {
    const { state: _, ...rest } = SPEC;
    expect(read(rest)).to.have.property('state', '');
  });

  const DAMAGE = [
    ['spec.state "Confirmed" is no state of an affinity', { state: 'Confirmed' }],
    ['spec.state 5 is no state of an affinity', { state: 5 }],
    ['spec.node is missing', { node: '' }],
    ['spec.node 5 is no text', { node: 5 }],
    ['spec.cidr "10.60.0.0" is no CIDR', { cidr: '10.60.0.0' }],
    ['spec.cidr is missing', { cidr: null }],
    ['spec.type {…} is no text', { type: {} }],
    ['spec.deleted "maybe" is no boolean', { deleted: 'maybe' }],
  ] as const;
  for (const [unreadable, change] of DAMAGE) {
    it(`cannot read a row where ${unreadable}`, () => {
      expect(read({ ...SPEC, ...change })).to.include({ kind: 'BlockAffinity', unreadable });
    });
  }

  it('is labelled by the hash of its host', () => {
    const labels = { 'projectcalico.org/hostname-hash': HASH };
    expect(read(SPEC, { labels })).to.have.property('labelled', true);
    expect(read({ ...SPEC, node: 'node-2' }, { labels })).to.have.property('labelled', false);
  });

  it('is not labelled by a hash that only the copied metadata holds', () => {
    const copy = JSON.stringify({ labels: { 'projectcalico.org/hostname-hash': HASH } });
    const annotations = { 'projectcalico.org/metadata': copy };
    expect(read(SPEC, { annotations })).to.have.property('labelled', false);
  });
});

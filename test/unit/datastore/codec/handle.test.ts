import { expect } from 'chai';
import { decodeObject } from '../../../../src/datastore/codec/decode.ts';
import type { HandleRow } from '../../../../src/ipam/model/handle.ts';
import type { JsonObject } from '../../../../src/ipam/model/resource.ts';
import { anObject } from '../../../support/stored-objects.ts';

function read(changes: JsonObject = {}): HandleRow {
  const spec = { handleID: 'k8s-pod-network.AbC', block: { '10.60.0.0/26': 1 }, ...changes };
  return decodeObject(
    'IPAMHandle',
    anObject({ metadata: { name: 'k8s-pod-network.abc' }, spec }),
  ) as HandleRow;
}

describe('datastore/codec/handle', () => {
  it('keeps the case of the id, apart from the name of the row', () => {
    expect(read()).to.deep.include({
      kind: 'IPAMHandle',
      key: { name: 'k8s-pod-network.abc' },
      id: 'k8s-pod-network.AbC',
      counts: [{ text: '10.60.0.0/26', cidr: { base: 0x0a3c0000, length: 26 }, count: 1 }],
      deleted: false,
    });
  });

  it('keeps control characters of the id', () => {
    expect(read({ handleID: 'a\r\neth0' })).to.have.property('id', 'a\r\neth0');
  });

  it('keeps a block text that is no CIDR', () => {
    expect(read({ block: { nonsense: 2 } })).to.deep.include({
      counts: [{ text: 'nonsense', cidr: undefined, count: 2 }],
    });
  });

  it('reads counts of zero and null, and an absent map', () => {
    const block = { '10.0.0.0/26': 0, '10.0.0.64/26': null };
    expect(read({ block }).counts.map(({ count }) => count)).to.deep.equal([0, 0]);
    expect(read({ block: null })).to.deep.include({ counts: [] });
  });

  it('reads a row that was left behind in deletion', () => {
    expect(read({ deleted: true })).to.have.property('deleted', true);
  });

  const DAMAGE: readonly (readonly [string, JsonObject])[] = [
    ['spec.handleID is empty', { handleID: '' }],
    ['spec.handleID is missing', { handleID: null }],
    ['spec.handleID 5 is no text', { handleID: 5 }],
    ['spec.block […] is no map of counts', { block: [] }],
    ['spec.block.10.60.0.0/26 -1 is no count', { block: { '10.60.0.0/26': -1 } }],
    ['spec.block.10.60.0.0/26 0.5 is no count', { block: { '10.60.0.0/26': 0.5 } }],
    ['spec.block.10.60.0.0/26 "1" is no count', { block: { '10.60.0.0/26': '1' } }],
    ['spec.deleted "true" is no boolean', { deleted: 'true' }],
  ];
  for (const [unreadable, change] of DAMAGE) {
    it(`cannot read a handle where ${unreadable} (${JSON.stringify(change)})`, () => {
      expect(read(change)).to.include({ kind: 'IPAMHandle', unreadable });
    });
  }
});

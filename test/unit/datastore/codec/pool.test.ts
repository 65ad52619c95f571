import { expect } from 'chai';
import { decodeObject } from '../../../../src/datastore/codec/decode.ts';
import type { JsonObject, JsonValue } from '../../../../src/ipam/model/resource.ts';
import { anObject } from '../../../support/stored-objects.ts';

function read(spec: JsonObject, parts: { status?: JsonValue; metadata?: JsonObject } = {}) {
  return decodeObject('IPPool', anObject({ spec: { cidr: '10.60.0.0/16', ...spec }, ...parts }));
}

describe('datastore/codec/pool', () => {
  it('fills in what Calico fills in', () => {
    expect(read({})).to.deep.include({
      kind: 'IPPool',
      cidr: { base: 0x0a3c0000, length: 16 },
      blockSize: 26,
      disabled: false,
      allocatable: true,
      lostOverlap: false,
      nodeSelector: 'all()',
      namespaceSelector: '',
      allowedUses: ['Workload', 'Tunnel'],
      assignmentMode: 'Automatic',
    });
  });

  const SIZES = [
    ['10.0.0.0/16', 0, 26],
    ['10.0.0.0/16', null, 26],
    ['10.0.0.0/16', 28, 28],
    ['10.0.0.0/16', 19, 19],
    ['fd00::/64', 0, 122],
    ['fd00::/64', 124, 124],
  ] as const;
  for (const [cidr, blockSize, expected] of SIZES) {
    it(`reads block size ${blockSize} of ${cidr} as ${expected}`, () => {
      expect(read({ cidr, blockSize })).to.have.property('blockSize', expected);
    });
  }

  it('reads an empty list of uses as the default, any other as it is', () => {
    expect(read({ allowedUses: [] })).to.deep.include({ allowedUses: ['Workload', 'Tunnel'] });
    expect(read({ allowedUses: ['Other'] })).to.deep.include({ allowedUses: ['Other'] });
  });

  it('masks a CIDR with host bits', () => {
    expect(read({ cidr: '198.18.0.7/24' })).to.deep.include({
      cidr: { base: 0xc6120000, length: 24 },
    });
  });

  it('is out of allocation while its condition says so', () => {
    const lost = { type: 'Allocatable', status: 'False', reason: 'CIDROverlap' };
    const disabled = { type: 'Allocatable', status: 'False', reason: 'PoolDisabled' };
    const fine = { type: 'Allocatable', status: 'True', reason: 'OK' };
    const other = { type: 'Ready', status: 'False', reason: 'CIDROverlap' };
    const answers = [
      [lost, { allocatable: false, lostOverlap: true }],
      [disabled, { allocatable: false, lostOverlap: false }],
      [fine, { allocatable: true, lostOverlap: false }],
      [other, { allocatable: true, lostOverlap: false }],
    ] as const;
    for (const [condition, expected] of answers) {
      expect(read({}, { status: { conditions: [condition] } })).to.include(expected);
    }
  });

  it('terminates when it is marked for deletion, whatever its copied metadata says', () => {
    const metadata = {
      deletionTimestamp: '2026-11-29T10:00:00Z',
      annotations: { 'projectcalico.org/metadata': '{"creationTimestamp":"2026-01-01T00:00:00Z"}' },
    };
    expect(read({}, { metadata })).to.include({
      terminating: true,
      createdAt: Date.UTC(2026, 0, 1),
    });
  });

  const DAMAGE: readonly (readonly [string, JsonObject])[] = [
    ['spec.cidr "10.60.0.0" is no CIDR', { cidr: '10.60.0.0' }],
    ['spec.cidr is missing', { cidr: null }],
    ['spec.blockSize 33 is no prefix length', { blockSize: 33 }],
    ['spec.blockSize -1 is no prefix length', { blockSize: -1 }],
    ['spec.blockSize "26" is no integer', { blockSize: '26' }],
    ['spec.disabled "no" is no boolean', { disabled: 'no' }],
    ['spec.allowedUses "Workload" is no list', { allowedUses: 'Workload' }],
    ['spec.allowedUses[1] 5 is no text', { allowedUses: ['Workload', 5] }],
  ];
  for (const [unreadable, change] of DAMAGE) {
    it(`cannot read a pool where ${unreadable}`, () => {
      expect(read(change)).to.include({ kind: 'IPPool', unreadable });
    });
  }
});

import { expect } from 'chai';
import { decodeObject } from '../../../../src/datastore/codec/decode.ts';
import type { JsonValue } from '../../../../src/ipam/model/resource.ts';
import { NEWER, OLDER, anObject } from '../../../support/stored-objects.ts';

describe('datastore/codec/ipam-config', () => {
  const FORMS = [
    [OLDER, {}, { strictAffinity: false, autoAllocateBlocks: false }],
    [NEWER, {}, { strictAffinity: false, autoAllocateBlocks: true }],
    [OLDER, { autoAllocateBlocks: true }, { autoAllocateBlocks: true }],
    [NEWER, { autoAllocateBlocks: false }, { autoAllocateBlocks: false }],
    [OLDER, { strict_affinity: true }, { strictAffinity: false }],
    [OLDER, { strictAffinity: true }, { strictAffinity: true }],
  ] as const;
  for (const [apiVersion, spec, expected] of FORMS) {
    it(`reads ${JSON.stringify(spec)} of ${apiVersion} as ${JSON.stringify(expected)}`, () => {
      expect(decodeObject('IPAMConfig', anObject({ apiVersion, spec }))).to.include(expected);
    });
  }

  it('fills in the other defaults', () => {
    expect(decodeObject('IPAMConfig', anObject({ spec: {} }))).to.include({
      maxBlocksPerHost: 0,
      kubeVirtVMAddressPersistence: 'Enabled',
      ipCooldownSeconds: 0,
    });
  });

  it('keeps numbers out of bounds', () => {
    const spec = { maxBlocksPerHost: -3, ipCooldownSeconds: 999999 };
    expect(decodeObject('IPAMConfig', anObject({ spec }))).to.include(spec);
  });

  const DAMAGE: readonly (readonly [string, JsonValue])[] = [
    ['spec.strictAffinity "true" is no boolean', { strictAffinity: 'true' }],
    ['spec.maxBlocksPerHost 1.5 is no integer', { maxBlocksPerHost: 1.5 }],
    [
      'spec.kubeVirtVMAddressPersistence "enabled" is no known setting',
      { kubeVirtVMAddressPersistence: 'enabled' },
    ],
    ['spec […] is no object', []],
  ];
  for (const [unreadable, spec] of DAMAGE) {
    it(`cannot read a configuration where ${unreadable}`, () => {
      expect(decodeObject('IPAMConfig', anObject({ spec }))).to.include({ unreadable });
    });
  }
});

describe('datastore/codec/cluster-information', () => {
  it('reads identity, version and lock', () => {
    const spec = { clusterGUID: 'abc', calicoVersion: 'v3.33.0', datastoreReady: false };
    expect(decodeObject('ClusterInformation', anObject({ spec }))).to.include({
      ...spec,
      clusterType: undefined,
    });
  });

  it('tells an absent lock from an open one', () => {
    expect(decodeObject('ClusterInformation', anObject({}))).to.include({
      datastoreReady: undefined,
      clusterGUID: undefined,
    });
  });

  it('cannot read a lock that is no boolean', () => {
    const object = anObject({ spec: { datastoreReady: 'true' } });
    expect(decodeObject('ClusterInformation', object)).to.include({
      unreadable: 'spec.datastoreReady "true" is no boolean',
    });
  });
});

describe('datastore/codec/cluster-information, controllers configuration', () => {
  const SECTIONS: readonly (readonly [JsonValue, string | undefined])[] = [
    [{ controllers: { loadBalancer: { assignIPs: 'AllServices' } } }, 'AllServices'],
    [{ controllers: { loadBalancer: {} } }, ''],
    [{ controllers: { loadBalancer: null } }, undefined],
    [{ controllers: {} }, undefined],
    [{}, undefined],
    [null, undefined],
  ];
  for (const [spec, assignIPs] of SECTIONS) {
    it(`reads ${JSON.stringify(spec)} as ${assignIPs === undefined ? 'no section' : `"${assignIPs}"`}`, () => {
      const row = decodeObject('KubeControllersConfiguration', anObject({ spec }));
      expect(row).to.include({ kind: 'KubeControllersConfiguration', assignIPs });
    });
  }

  it('cannot read a section that is none', () => {
    const object = anObject({ spec: { controllers: { loadBalancer: 'x' } } });
    expect(decodeObject('KubeControllersConfiguration', object)).to.include({
      unreadable: 'spec.controllers.loadBalancer "x" is no object',
    });
  });
});

describe('datastore/codec/reservation', () => {
  it('trims entries, takes bare addresses, skips blanks and keeps what is none apart', () => {
    const reservedCIDRs = [
      ' 10.0.0.7/24 ',
      '10.1.0.9',
      'fd00::1',
      '',
      '  ',
      '10.0.0.0/33',
      5,
      null,
    ];
    expect(decodeObject('IPReservation', anObject({ spec: { reservedCIDRs } }))).to.deep.include({
      cidrs: [
        { base: 0x0a000000, length: 24 },
        { base: 0x0a010009, length: 32 },
        { base: 0xfd000000000000000000000000000001n, length: 128 },
      ],
      unreadableEntries: ['10.0.0.0/33', '5', 'null'],
    });
  });

  it('reserves nothing without entries', () => {
    expect(decodeObject('IPReservation', anObject({ spec: {} }))).to.deep.include({
      cidrs: [],
      unreadableEntries: [],
    });
  });

  it('cannot read entries that are no list', () => {
    const object = anObject({ spec: { reservedCIDRs: '10.0.0.0/24' } });
    expect(decodeObject('IPReservation', object)).to.include({
      unreadable: 'spec.reservedCIDRs "10.0.0.0/24" is no list',
    });
  });
});

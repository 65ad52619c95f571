import { expect } from 'chai';
import { decodeObject, resourceKindOf } from '../../../../src/datastore/codec/decode.ts';
import { isReadable } from '../../../../src/ipam/model/row.ts';
import { SOUND_OBJECTS, anObject } from '../../../support/stored-objects.ts';

describe('datastore/codec/decode', () => {
  const KINDS = [
    ['crd.projectcalico.org/v1', 'IPAMBlock', 'IPAMBlock'],
    ['projectcalico.org/v3', 'IPAMBlock', 'IPAMBlock'],
    ['crd.projectcalico.org/v1', 'IPAMConfig', 'IPAMConfig'],
    ['projectcalico.org/v3', 'IPAMConfiguration', 'IPAMConfig'],
    ['projectcalico.org/v3', 'Node', 'Node'],
    ['projectcalico.org/v3', 'WorkloadEndpoint', 'WorkloadEndpoint'],
    ['v1', 'Node', 'Node'],
    ['v1', 'Pod', 'Pod'],
    ['v1', 'Service', 'Service'],
    ['kubevirt.io/v1', 'VirtualMachine', 'VirtualMachine'],
    ['kubevirt.io/v1alpha3', 'VirtualMachineInstance', 'VirtualMachineInstance'],
    ['crd.projectcalico.org/v1', 'Node', undefined],
    ['crd.projectcalico.org/v1', 'IPAMConfiguration', undefined],
    ['v1', 'PodList', undefined],
    ['v1', 'List', undefined],
    ['v1', 'IPPool', undefined],
    ['apps/v1', 'Pod', undefined],
    ['', 'Pod', 'Pod'],
    ['v1', 'constructor', undefined],
  ] as const;
  for (const [apiVersion, kind, expected] of KINDS) {
    it(`knows ${kind} of "${apiVersion}" as ${expected ?? 'nothing to read'}`, () => {
      expect(resourceKindOf(apiVersion, kind)).to.equal(expected);
    });
  }

  for (const { kind, form, object } of SOUND_OBJECTS) {
    it(`reads a sound ${kind} of ${form}`, () => {
      const row = decodeObject(kind, object);
      expect(row).to.include({ kind });
      expect(row && isReadable(row)).to.equal(true);
    });

    it(`cannot read a ${kind} of ${form} without name`, () => {
      const metadata = { namespace: 'shop' };
      expect(decodeObject(kind, { ...object, metadata })).to.deep.include({
        kind,
        unreadable: 'metadata.name is missing',
      });
    });
  }

  it('ignores a namespace where the kind has none', () => {
    const object = anObject({ metadata: { namespace: 'stray' }, spec: { cidr: '10.0.0.0/16' } });
    expect(decodeObject('IPPool', object)?.key).to.deep.equal({ name: 'thing' });
  });

  it('cannot read an object whose metadata is none', () => {
    expect(decodeObject('IPPool', { metadata: [] })).to.deep.include({
      key: { name: '' },
      unreadable: 'metadata […] is no object',
    });
  });

  it('shortens the quoted text of a message', () => {
    const object = anObject({ spec: { cidr: 'x'.repeat(1000) } });
    const row = decodeObject('IPPool', object);
    expect(row).to.include({ unreadable: `spec.cidr "${'x'.repeat(80)}…" is no CIDR` });
  });
});

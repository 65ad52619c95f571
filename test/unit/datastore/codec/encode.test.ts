import { expect } from 'chai';
import { decodeObject } from '../../../../src/datastore/codec/decode.ts';
import { encodeRow } from '../../../../src/datastore/codec/encode.ts';
import type { WritableRow } from '../../../../src/datastore/datastore.ts';
import { DataError } from '../../../../src/errors/data-error.ts';
import type { BlockRow } from '../../../../src/ipam/model/block.ts';
import type { JsonObject, ResourceKind } from '../../../../src/ipam/model/resource.ts';
import { parseCidr } from '../../../../src/net/cidr.ts';
import { stringifyJson } from '../../../../src/support/json.ts';

const BLOCK: BlockRow = {
  kind: 'IPAMBlock',
  key: { name: '192-0-2-0-30' },
  cidr: parseCidr('192.0.2.0/30')!,
  affinity: 'host:node-a',
  claimedAt: Date.UTC(2026, 10, 29, 9) + 750,
  allocations: [null, 0, null, null],
  unallocated: [0, 2, 3],
  attributes: [{ handle: 'h', owner: { pod: 'web-0', node: 'node-a' } }],
  sequenceNumber: 1_795_942_800_000_000_123n,
  sequenceNumbers: new Map([[1, 7n]]),
  deleted: false,
  misreadings: [],
};

function decoded(kind: ResourceKind, object: JsonObject): WritableRow {
  const row = decodeObject(kind, object);
  if (row === undefined || 'unreadable' in row) throw new Error(`${kind} cannot be read`);
  return { ...(row as WritableRow), object };
}

const spec = (object: JsonObject): JsonObject => object['spec'] as JsonObject;
const metadata = (object: JsonObject): JsonObject => object['metadata'] as JsonObject;

describe('datastore/codec/encode', () => {
  it('writes a block of either group with exact numbers and whole seconds', () => {
    for (const [flavor, apiVersion] of [
      ['crd', 'crd.projectcalico.org/v1'],
      ['v3', 'projectcalico.org/v3'],
    ] as const) {
      const object = encodeRow(BLOCK, flavor);
      expect(object).to.include({ apiVersion, kind: 'IPAMBlock' });
      expect(spec(object)).to.deep.equal({
        cidr: '192.0.2.0/30',
        affinity: 'host:node-a',
        affinityClaimTime: '2026-11-29T09:00:00Z',
        allocations: [null, 0, null, null],
        unallocated: [0, 2, 3],
        attributes: [{ handle_id: 'h', secondary: { node: 'node-a', pod: 'web-0' } }],
        sequenceNumber: 1_795_942_800_000_000_123n,
        sequenceNumberForAllocation: { '1': 7 },
        deleted: false,
        strictAffinity: false,
      });
    }
    expect(metadata(encodeRow(BLOCK, 'crd'))['annotations']).to.deep.equal({
      'projectcalico.org/metadata': '{}',
    });
    expect(metadata(encodeRow(BLOCK, 'v3'))).to.deep.equal({ name: '192-0-2-0-30' });
  });

  it('writes etcd values in the order of Calico, with null for what was never there', () => {
    const value = encodeRow(
      { ...BLOCK, affinity: undefined, claimedAt: undefined, attributes: [] },
      'etcd',
    );
    expect(stringifyJson(value)).to.equal(
      '{"cidr":"192.0.2.0/30","affinity":null,"allocations":[null,0,null,null],"unallocated":[0,2,3],' +
        '"attributes":null,"sequenceNumber":1795942800000000123,"sequenceNumberForAllocation":{"1":7},"deleted":false}',
    );
  });

  it('keeps what it does not know: fields, records of attributes, metadata', () => {
    const object: JsonObject = {
      apiVersion: 'crd.projectcalico.org/v1',
      kind: 'IPAMBlock',
      metadata: {
        name: '192-0-2-0-30',
        uid: 'u',
        resourceVersion: '7',
        labels: { team: 'blue' },
        annotations: { note: 'kept' },
        finalizers: ['hold'],
      },
      spec: {
        cidr: '192.0.2.0/30',
        allocations: [0, null, null, null],
        unallocated: [1, 2, 3],
        attributes: [{ handle_id: 'h', secondary: null, future: 'x' }],
        sequenceNumber: 3,
        deleted: false,
        strictAffinity: false,
        hostAffinity: 'old',
        affinityClaimTime: '2026-11-29T09:00:00.5Z',
      },
    };
    const written = encodeRow(
      { ...(decoded('IPAMBlock', object) as BlockRow), sequenceNumber: 4n },
      'crd',
    );
    expect(spec(written)).to.deep.equal({
      ...spec(object),
      sequenceNumber: 4,
      sequenceNumberForAllocation: {},
    });
    expect(metadata(written)).to.deep.equal({
      ...metadata(object),
      annotations: { note: 'kept', 'projectcalico.org/metadata': '{}' },
    });
  });

  it('refuses a block that could not be read in full', () => {
    for (const damage of [
      { misreadings: ['attributes[0] is missing'] },
      { allocations: [NaN, null, null, null] },
      { unallocated: [NaN] },
    ]) {
      expect(() => encodeRow({ ...BLOCK, ...damage }, 'crd')).to.throw(DataError, '192.0.2.0/30');
    }
  });

  it('labels an affinity, and adds the labels to a copy of the metadata that says more', () => {
    const annotation = '{"creationTimestamp":"2026-01-02T03:04:05Z","labels":{"team":"blue"}}';
    const object: JsonObject = {
      apiVersion: 'crd.projectcalico.org/v1',
      kind: 'BlockAffinity',
      metadata: { name: 'a', annotations: { 'projectcalico.org/metadata': annotation } },
      spec: {
        state: 'pending',
        node: 'node-a',
        type: 'host',
        cidr: '192.0.2.0/30',
        deleted: 'false',
      },
    };
    const written = encodeRow(decoded('BlockAffinity', object), 'crd');
    const labels = {
      'projectcalico.org/affinity-type': 'host',
      'projectcalico.org/hostname-hash': 'PY3TQE2E3XMTETLM2MJO3UITKPFB27YUJ4T4E5XGPEJON3SM4QAA',
      'projectcalico.org/ip-version': '4',
    };
    expect(metadata(written)['labels']).to.deep.equal(labels);
    const { annotations } = metadata(written) as { annotations: Record<string, string> };
    expect(JSON.parse(annotations['projectcalico.org/metadata'] ?? '')).to.deep.equal({
      creationTimestamp: '2026-01-02T03:04:05Z',
      labels: { ...labels, team: 'blue' },
    });
  });

  it('says in the way of each store that an affinity is deleted', () => {
    const row = {
      kind: 'BlockAffinity' as const,
      key: { name: 'a' },
      type: 'host',
      host: 'node-a',
      cidr: parseCidr('192.0.2.0/30')!,
      state: 'pendingDeletion' as const,
      deleted: true,
    };
    expect(spec(encodeRow(row, 'crd'))['deleted']).to.equal('true');
    expect(spec(encodeRow(row, 'v3'))['deleted']).to.equal(true);
    expect(encodeRow(row, 'etcd')).to.deep.equal({ state: 'pendingDeletion', deleted: true });
  });

  it('writes of a pool only what changed', () => {
    const object: JsonObject = {
      apiVersion: 'projectcalico.org/v3',
      kind: 'IPPool',
      metadata: { name: 'p' },
      spec: { cidr: '192.0.2.7/24', natOutgoing: true },
    };
    const pool = decoded('IPPool', object);
    expect(spec(encodeRow(pool, 'v3'))).to.deep.equal(spec(object));
    if (pool.kind !== 'IPPool') throw new Error('no pool');
    expect(spec(encodeRow({ ...pool, disabled: true }, 'v3'))).to.deep.equal({
      ...spec(object),
      disabled: true,
    });
  });

  it('writes a new pool in full, with what Calico fills in', () => {
    const pool = decoded('IPPool', {
      apiVersion: 'projectcalico.org/v3',
      kind: 'IPPool',
      metadata: { name: 'p' },
      spec: { cidr: '192.0.2.0/24' },
    });
    expect(spec(encodeRow({ ...pool, object: undefined }, 'crd'))).to.deep.equal({
      vxlanMode: 'Never',
      ipipMode: 'Never',
      cidr: '192.0.2.0/24',
      blockSize: 26,
      nodeSelector: 'all()',
      allowedUses: ['Workload', 'Tunnel'],
      assignmentMode: 'Automatic',
    });
  });

  it('tells a persistence that is left out from one that is enabled', () => {
    const row = {
      kind: 'IPAMConfig' as const,
      key: { name: 'default' },
      strictAffinity: false,
      autoAllocateBlocks: true,
      maxBlocksPerHost: 0,
      kubeVirtVMAddressPersistence: 'Enabled' as const,
      ipCooldownSeconds: 0,
    };
    expect(spec(encodeRow(row, 'crd'))).to.have.property('kubeVirtVMAddressPersistence', 'Enabled');
    const unset = encodeRow({ ...row, persistenceUnset: true }, 'v3');
    expect(unset).to.include({ kind: 'IPAMConfiguration' });
    expect(spec(unset)).to.deep.equal({
      strictAffinity: false,
      autoAllocateBlocks: true,
      maxBlocksPerHost: 0,
    });
    expect(encodeRow({ ...row, persistenceUnset: true }, 'etcd')).to.deep.equal({
      auto_allocate_blocks: true,
    });
  });
});

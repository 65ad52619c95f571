import type { WritableDatastore } from '../../src/datastore/datastore.ts';
import type { AffinityRow } from '../../src/ipam/model/affinity.ts';
import type { BlockRow } from '../../src/ipam/model/block.ts';
import type { HandleRow } from '../../src/ipam/model/handle.ts';
import type { JsonObject } from '../../src/ipam/model/resource.ts';
import { parseCidr, type Cidr } from '../../src/net/cidr.ts';
import { type ContractSeed, EXACT_SEQUENCE_NUMBER, SMALL_SEED } from './contract-seed.ts';

/** Block of {@link WRITE_SEED} that is marked deleted, with its affinity and handle. */
export const LEFTOVER = { cidr: '198.18.0.200/30', handle: 'left.over' } as const;

function calico(kind: string, name: string, spec: JsonObject): JsonObject {
  return { apiVersion: 'crd.projectcalico.org/v1', kind, metadata: { name }, spec };
}

const LEFTOVERS: readonly JsonObject[] = [
  calico('IPAMBlock', '198-18-0-200-30', {
    cidr: LEFTOVER.cidr,
    allocations: [null, null, null, null],
    unallocated: [0, 1, 2, 3],
    attributes: [],
    sequenceNumber: EXACT_SEQUENCE_NUMBER,
    deleted: true,
    strictAffinity: false,
  }),
  calico('BlockAffinity', 'node-z-198-18-0-200-30', {
    state: 'pendingDeletion',
    node: 'node-z',
    type: 'host',
    cidr: LEFTOVER.cidr,
    deleted: 'true',
  }),
  calico('IPAMHandle', LEFTOVER.handle, { handleID: LEFTOVER.handle, block: {}, deleted: true }),
];

/** Metadata that somebody else put on a row. */
export const FOREIGN = {
  labels: { 'example.com/team': 'blue' },
  annotations: { 'example.com/note': 'kept' },
  finalizers: ['example.com/hold'],
};

function withForeign(object: JsonObject): JsonObject {
  if (object['kind'] !== 'IPAMHandle') return object;
  const metadata = { ...(object['metadata'] as JsonObject), ...structuredClone(FOREIGN) };
  return { ...object, metadata };
}

/** The small seed, its handle with foreign metadata, and rows that were left marked deleted. */
export const WRITE_SEED: ContractSeed = {
  objects: [...SMALL_SEED.objects.map(withForeign), ...LEFTOVERS],
  emptyKinds: [],
};

/** A prefix of a test. */
export function cidr(text: string): Cidr {
  const parsed = parseCidr(text);
  if (!parsed) throw new Error(`${text} is no CIDR`);
  return parsed;
}

/** A block of four addresses with nothing in it. */
export function newBlock(datastore: WritableDatastore, text: string): BlockRow {
  return {
    kind: 'IPAMBlock',
    key: datastore.keys.block(cidr(text)),
    cidr: cidr(text),
    affinity: 'host:node-a',
    claimedAt: Date.UTC(2026, 10, 29, 12),
    allocations: [null, null, null, null],
    unallocated: [0, 1, 2, 3],
    attributes: [],
    sequenceNumber: EXACT_SEQUENCE_NUMBER,
    sequenceNumbers: new Map(),
    deleted: false,
    misreadings: [],
  };
}

/** A claim by a host. */
export function newAffinity(datastore: WritableDatastore, host: string, text: string): AffinityRow {
  const owner = { type: 'host', host };
  const key = datastore.keys.affinity(owner, cidr(text));
  return {
    kind: 'BlockAffinity',
    key,
    ...owner,
    cidr: cidr(text),
    state: 'pending',
    deleted: false,
  };
}

/** A handle with one address. */
export function newHandle(datastore: WritableDatastore, id: string, text: string): HandleRow {
  const counts = [{ text, cidr: cidr(text), count: 1 }];
  return { kind: 'IPAMHandle', key: datastore.keys.handle(id), id, counts, deleted: false };
}

/** Objects of Calico as the entries of etcd that say the same. */
import { decodeObject, resourceKindOf } from '../../src/datastore/codec/decode.ts';
import { encodeRow } from '../../src/datastore/codec/encode.ts';
import { storedPathOf } from '../../src/datastore/codec/entry-path.ts';
import { entryText } from '../../src/datastore/codec/entry-text.ts';
import type { WritableRow } from '../../src/datastore/datastore.ts';
import type { JsonObject, ResourceKey } from '../../src/ipam/model/resource.ts';
import { ENTRY_KEYS } from '../../src/ipam/model/row-keys.ts';
import type { Row } from '../../src/ipam/model/row.ts';

/** A key with its value. */
export type SeedEntry = readonly [path: string, value: string];

/**
 * The entry of a Calico object; undefined for an object of Kubernetes. Metadata of rows of IPAM, for which etcd has no
 * place, become a member that nobody knows.
 */
export function seedEntry(object: JsonObject): SeedEntry | undefined {
  const kind = resourceKindOf(object['apiVersion'] as string, object['kind'] as string);
  const row = kind && decodeObject(kind, object);
  if (kind === undefined || row === undefined || !isCalico(object)) return undefined;
  const path = storedPathOf(kind, keyOf(row));
  if (path === undefined) return undefined;
  return [path, entryText(isOfIpam(row) ? ipamValue(row, object) : resourceValue(object))];
}

function isCalico({ apiVersion }: JsonObject): boolean {
  return (apiVersion as string).includes('projectcalico.org/');
}

type IpamRow = Extract<
  WritableRow,
  { kind: 'IPAMBlock' | 'BlockAffinity' | 'IPAMHandle' | 'IPAMConfig' }
>;

function isOfIpam(row: Row): row is IpamRow {
  return ['IPAMBlock', 'BlockAffinity', 'IPAMHandle', 'IPAMConfig'].includes(row.kind);
}

function keyOf(row: Row): ResourceKey {
  if ('unreadable' in row) return row.key;
  if (row.kind === 'IPAMBlock') return ENTRY_KEYS.block(row.cidr);
  if (row.kind === 'BlockAffinity') return ENTRY_KEYS.affinity(row, row.cidr);
  return row.kind === 'IPAMHandle' ? ENTRY_KEYS.handle(row.id) : row.key;
}

function ipamValue(row: IpamRow, object: JsonObject): JsonObject {
  const value = encodeRow(
    { ...row, object: undefined, uid: undefined, revision: undefined },
    'etcd',
  );
  const { name: _name, ...metadata } = object['metadata'] as JsonObject;
  return Object.keys(metadata).length === 0 ? value : { ...value, metadata };
}

function resourceValue({ kind, metadata, spec }: JsonObject): JsonObject {
  return {
    kind: kind ?? '',
    apiVersion: 'projectcalico.org/v3',
    metadata: metadata ?? {},
    spec: spec ?? {},
  };
}

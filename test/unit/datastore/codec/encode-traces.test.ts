import { expect } from 'chai';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeEntry, decodeObject } from '../../../../src/datastore/codec/decode.ts';
import { encodeRow, type RowFlavor } from '../../../../src/datastore/codec/encode.ts';
import { isObject } from '../../../../src/datastore/codec/fields.ts';
import type { WritableRow } from '../../../../src/datastore/datastore.ts';
import type { JsonValue, ResourceKind } from '../../../../src/ipam/model/resource.ts';
import type { Row } from '../../../../src/ipam/model/row.ts';
import { parseJson, stringifyJson } from '../../../../src/support/json.ts';

const TRACES = join(import.meta.dirname, '..', '..', '..', 'traces');

/** Steps that put rows in by hand: those may look like anything. */
const SET_UP = new Set([
  'putObject',
  'patchObject',
  'putKey',
  'ageBlock',
  'createPool',
  'updatePool',
  'deletePool',
]);

const KINDS: Readonly<Record<string, ResourceKind>> = {
  ipamblocks: 'IPAMBlock',
  blockaffinities: 'BlockAffinity',
  ipamhandles: 'IPAMHandle',
  ipamconfigs: 'IPAMConfig',
  ipamconfigurations: 'IPAMConfig',
};

interface Trace {
  readonly steps: readonly {
    readonly op: string;
    readonly changes?: readonly { readonly at: string; readonly value: JsonValue }[];
  }[];
}

/** Numbers and times as they could have been before the trace was normalised. */
function denormalised(text: string): string {
  return text
    .replace(/"?S(\d+)\+(\d+)"?/g, (_all, base: string, step: string) =>
      String(BigInt(base) * 1_795_942_800_000_000_000n + BigInt(step)),
    )
    .replaceAll('"T"', '"2026-01-01T00:00:00Z"');
}

function valueOf(flavor: RowFlavor, recorded: JsonValue): JsonValue {
  if (flavor !== 'etcd') return parseJson(denormalised(stringifyJson(recorded)));
  return recorded === '' ? '' : parseJson(denormalised(recorded as string));
}

function decode(flavor: RowFlavor, at: string, value: JsonValue): Row | undefined {
  if (flavor === 'etcd') return decodeEntry(at, value);
  const kind = KINDS[at.split('/')[0] ?? ''];
  return kind && isObject(value) ? decodeObject(kind, value) : undefined;
}

/** Members in one order, but for etcd, where Calico's own order counts. */
function comparable(flavor: RowFlavor, value: JsonValue): string {
  return stringifyJson(flavor === 'etcd' ? value : sorted(value));
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, item]) => [name, sorted(item)] as const);
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function flavorOfFile(file: string): RowFlavor {
  if (file.startsWith('etcd-')) return 'etcd';
  return file.startsWith('v3-') ? 'v3' : 'crd';
}

/** Encodes each row that Calico's library wrote over the one that it had read, and says where the two differ. */
function differences(file: string): string[] {
  const flavor = flavorOfFile(file);
  const { steps } = JSON.parse(readFileSync(join(TRACES, file), 'utf8')) as Trace;
  const stored = new Map<string, JsonValue>();
  const wrong: string[] = [];
  for (const { op, changes = [] } of steps) {
    for (const { at, value: recorded } of changes) {
      const before = stored.get(at);
      if (recorded === null) {
        stored.delete(at);
        continue;
      }
      const value = valueOf(flavor, recorded);
      stored.set(at, value);
      if (SET_UP.has(op)) continue;
      const row = decode(flavor, at, value);
      const object = isObject(before) ? before : undefined;
      const encoded = encodeRow({ ...(row as WritableRow), object }, flavor);
      if (comparable(flavor, encoded) !== comparable(flavor, value)) wrong.push(`${op} ${at}`);
    }
  }
  return wrong;
}

describe('datastore/codec/encode: recorded rows', () => {
  for (const file of readdirSync(TRACES).filter((name) => name.endsWith('.json'))) {
    it(`gives the rows of ${file}`, () => {
      expect(differences(file)).to.deep.equal([]);
    });
  }
});

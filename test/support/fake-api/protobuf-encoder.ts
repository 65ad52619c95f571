import type { JsonObject, JsonValue } from '../../../src/support/json.ts';

/** A field of a message: its number, and a text, an encoded message or an unsigned integer. */
type Field = readonly [number: number, value: string | Buffer | number | boolean | undefined];

const VARINT = 0;
const BYTES = 2;

/** Encodes fields in order; absent ones are left out. */
export function message(...fields: readonly Field[]): Buffer {
  return Buffer.concat(fields.map(([number, value]) => field(number, value)));
}

function field(number: number, value: Field[1]): Buffer {
  if (value === undefined) return Buffer.alloc(0);
  if (typeof value === 'number' || typeof value === 'boolean') {
    return Buffer.concat([varint(number * 8 + VARINT), varint(Number(value))]);
  }
  const bytes = typeof value === 'string' ? Buffer.from(value, 'utf8') : value;
  return Buffer.concat([varint(number * 8 + BYTES), varint(bytes.length), bytes]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  return Buffer.from([...bytes, rest]);
}

/** The envelope of Kubernetes around an encoded object. */
export function envelope(kind: string, object: Buffer): Buffer {
  const type = message([1, 'v1'], [2, kind]);
  return Buffer.concat([
    Buffer.from('k8s\0', 'latin1'),
    message([1, type], [2, object], [3, ''], [4, '']),
  ]);
}

/** A list of pods or nodes as a server sends it. */
export function listInProtobuf(
  kind: 'Pod' | 'Node',
  metadata: JsonObject,
  items: readonly JsonObject[],
): Buffer {
  const encode = kind === 'Pod' ? podInProtobuf : nodeInProtobuf;
  const listMeta = message(
    [1, ''],
    [2, text(metadata['resourceVersion'])],
    [3, text(metadata['continue']) ?? ''],
  );
  return envelope(
    `${kind}List`,
    message([1, listMeta], ...items.map((item) => [2, encode(item)] as const)),
  );
}

/** A Status as a server sends it to whoever prefers protobuf. */
export function statusInProtobuf(status: JsonObject): Buffer {
  const fields = message(
    [2, 'Failure'],
    [3, text(status['message'])],
    [4, text(status['reason'])],
    [6, Number(status['code'])],
  );
  return envelope('Status', fields);
}

/** A pod with the fields that the product reads and some that it has to pass over. */
export function podInProtobuf(pod: JsonObject): Buffer {
  const spec = member(pod, 'spec');
  const status = member(pod, 'status');
  const containers = array(spec['containers']).map(
    (container) =>
      [2, message([1, text(container['name'])], [2, text(container['image'])])] as const,
  );
  return message(
    [1, metadataInProtobuf(member(pod, 'metadata'))],
    [
      2,
      message(
        ...containers,
        [4, 30],
        [10, text(spec['nodeName'])],
        [11, spec['hostNetwork'] === true],
        [12, false],
      ),
    ],
    [
      3,
      message(
        [1, text(status['phase'])],
        [5, '192.0.2.200'],
        [6, text(status['podIP'])],
        ...array(status['podIPs']).map((entry) => [12, message([1, text(entry['ip'])])] as const),
      ),
    ],
  );
}

/** A node with its metadata and an address. */
export function nodeInProtobuf(node: JsonObject): Buffer {
  const address = message([1, 'InternalIP'], [2, '192.0.2.200']);
  return message(
    [1, metadataInProtobuf(member(node, 'metadata'))],
    [2, message()],
    [3, message([5, address])],
  );
}

function metadataInProtobuf(metadata: JsonObject): Buffer {
  return message(
    [1, text(metadata['name'])],
    [2, ''],
    [3, text(metadata['namespace'])],
    [5, text(metadata['uid'])],
    [6, text(metadata['resourceVersion'])],
    [7, 1],
    [8, time(metadata['creationTimestamp'])],
    [
      9,
      metadata['deletionTimestamp'] === undefined ? undefined : time(metadata['deletionTimestamp']),
    ],
    ...entries(11, metadata['labels']),
    ...entries(12, metadata['annotations']),
    [17, message([1, 'tests'], [2, 'Update'])],
  );
}

function entries(number: number, map: JsonValue | undefined): Field[] {
  const pairs = Object.entries((map ?? {}) as JsonObject);
  return pairs.map(([key, value]) => [number, message([1, key], [2, text(value)])]);
}

function time(value: JsonValue | undefined): Buffer {
  return typeof value === 'string' ? message([1, Math.floor(Date.parse(value) / 1000)]) : message();
}

function text(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function member(object: JsonObject, name: string): JsonObject {
  return (object[name] ?? {}) as JsonObject;
}

function array(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? (value as JsonObject[]) : [];
}

import type { JsonObject } from '../../ipam/model/resource.ts';
import type { Row } from '../../ipam/model/row.ts';
import { formatTime } from '../../support/time.ts';
import { nodeRow } from '../codec/node.ts';
import type { ObjectHead } from '../codec/object-head.ts';
import { ADDRESS_ANNOTATIONS, type PodFacts, podRow } from '../codec/pod.ts';
import type { ProtobufReader } from './protobuf-reader.ts';

/** Fields of Pod and of Node alike. */
const OBJECT = { metadata: 1, spec: 2, status: 3 } as const;
/** Fields of `ObjectMeta`. */
const META = {
  name: 1,
  namespace: 3,
  uid: 5,
  resourceVersion: 6,
  creationTimestamp: 8,
  deletionTimestamp: 9,
  labels: 11,
  annotations: 12,
} as const;
/** Field of `Time`. */
const SECONDS = 1;
/** Fields of an entry of a map. */
const ENTRY = { key: 1, value: 2 } as const;
/** Fields of `PodSpec`. */
const POD_SPEC = { nodeName: 10, hostNetwork: 11 } as const;
/** Fields of `PodStatus`. */
const POD_STATUS = { phase: 1, podIP: 6, podIPs: 12 } as const;
/** Field of `PodIP`. */
const IP = 1;

/**
 * The annotations that say which addresses a pod carries. Taking all of them would cost more than everything else of a pod,
 * since they may hold whole manifests.
 */
const POD_ANNOTATIONS = ADDRESS_ANNOTATIONS.map((name) => ({
  name,
  bytes: Buffer.from(name, 'latin1'),
}));

/** Names that are looked for, and their bytes. */
type Wanted = typeof POD_ANNOTATIONS;

/** Rows for which the object comes along, as far as it was read: the same row can be read from it again. */
type Keep = ((row: Row) => boolean) | undefined;

/**
 * The row of a pod in its protobuf form; equal to the row of its JSON.
 * @throws RangeError when the bytes are no pod.
 * Source: https://github.com/kubernetes/api/blob/master/core/v1/generated.proto
 */
export function podRowFromProtobuf(pod: ProtobufReader, keep?: Keep): Row {
  let head = EMPTY_HEAD;
  const facts: Mutable<PodFacts> = { hostNetwork: false, podIPs: [] };
  while (pod.next()) {
    if (pod.field === OBJECT.metadata) head = objectHead(pod.message(), POD_ANNOTATIONS);
    else if (pod.field === OBJECT.spec) readPodSpec(pod.message(), facts);
    else if (pod.field === OBJECT.status) readPodStatus(pod.message(), facts);
    else pod.skip();
  }
  const row = podRow(head, facts);
  return keep?.(row) === true ? { ...row, object: podObject(head, facts) } : row;
}

/**
 * The row of a node in its protobuf form; equal to the row of its JSON.
 * @throws RangeError when the bytes are no node.
 */
export function nodeRowFromProtobuf(node: ProtobufReader, keep?: Keep): Row {
  let head = EMPTY_HEAD;
  while (node.next()) {
    if (node.field === OBJECT.metadata) head = objectHead(node.message());
    else node.skip();
  }
  const row = nodeRow(head);
  return keep?.(row) === true ? { ...row, object: objectOf('Node', head) } : row;
}

function podObject(
  head: ObjectHead,
  { nodeName, hostNetwork, phase, podIP, podIPs }: PodFacts,
): JsonObject {
  const spec = { ...defined({ nodeName }), ...(hostNetwork ? { hostNetwork } : {}) };
  const ips = podIPs.length === 0 ? {} : { podIPs: podIPs.map((ip) => ({ ip })) };
  return { ...objectOf('Pod', head), spec, status: { ...defined({ phase, podIP }), ...ips } };
}

/** Types and metadata; of labels and annotations what was taken of them. */
function objectOf(kind: 'Pod' | 'Node', head: ObjectHead): JsonObject {
  const { labels, annotations, createdAt, damage: _damage, ...texts } = head;
  const creationTimestamp = createdAt === undefined ? undefined : formatTime(createdAt);
  const metadata = { ...defined({ ...texts, creationTimestamp }), labels, annotations };
  return { apiVersion: 'v1', kind, metadata };
}

function defined(texts: Readonly<Record<string, string | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(texts).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const EMPTY_HEAD: ObjectHead = { name: '', labels: {}, annotations: {} };

/** Reads the metadata; with names only the annotations of these, and no labels. */
function objectHead(meta: ProtobufReader, wanted?: Wanted): ObjectHead {
  const labels: Record<string, string> = {};
  const annotations: Record<string, string> = {};
  const head: Mutable<ObjectHead> = { name: '', labels, annotations };
  while (meta.next()) {
    if (meta.field === META.annotations) readEntry(meta.message(), annotations, wanted);
    else if (meta.field === META.labels && wanted === undefined) readEntry(meta.message(), labels);
    else readMetaField(meta, head);
  }
  return head;
}

function readMetaField(meta: ProtobufReader, head: Mutable<ObjectHead>): void {
  if (meta.field === META.name) head.name = meta.text();
  else if (meta.field === META.namespace) head.namespace = meta.text() || undefined;
  else if (meta.field === META.uid) head.uid = meta.text() || undefined;
  else if (meta.field === META.resourceVersion) head.resourceVersion = meta.text() || undefined;
  else if (meta.field === META.creationTimestamp) head.createdAt = timeIn(meta.message());
  else if (meta.field === META.deletionTimestamp) head.deletionTimestamp = timeText(meta.message());
  else meta.skip();
}

/** Adds an entry of a map of texts, unless other keys are wanted; the key stands before the value. */
function readEntry(entry: ProtobufReader, map: Record<string, string>, wanted?: Wanted): void {
  let key: string | undefined = wanted === undefined ? '' : undefined;
  let value = '';
  while (entry.next()) {
    if (entry.field === ENTRY.key) {
      key = wanted === undefined ? entry.text() : entry.oneOf(wanted);
      if (key === undefined) return;
    } else if (entry.field === ENTRY.value) value = entry.text();
    else entry.skip();
  }
  if (key !== undefined) map[key] = value;
}

/** A time as JSON has it; undefined for the empty message that stands for no time. */
function timeText(message: ProtobufReader): string | undefined {
  const time = timeIn(message);
  return time === undefined ? undefined : formatTime(time);
}

/** Milliseconds since 1970; undefined as above. */
function timeIn(message: ProtobufReader): number | undefined {
  let seconds: number | undefined;
  while (message.next()) {
    if (message.field === SECONDS) seconds = message.varint();
    else message.skip();
  }
  return seconds === undefined ? undefined : seconds * 1000;
}

function readPodSpec(spec: ProtobufReader, facts: Mutable<PodFacts>): void {
  while (spec.next()) {
    if (spec.field === POD_SPEC.nodeName) facts.nodeName = spec.text() || undefined;
    else if (spec.field === POD_SPEC.hostNetwork) facts.hostNetwork = spec.varint() !== 0;
    else spec.skip();
  }
}

function readPodStatus(status: ProtobufReader, facts: Mutable<PodFacts>): void {
  const podIPs: string[] = [];
  while (status.next()) {
    if (status.field === POD_STATUS.phase) facts.phase = status.text() || undefined;
    else if (status.field === POD_STATUS.podIP) facts.podIP = status.text() || undefined;
    else if (status.field === POD_STATUS.podIPs) podIPs.push(podIp(status.message()));
    else status.skip();
  }
  facts.podIPs = podIPs;
}

function podIp(entry: ProtobufReader): string {
  let ip = '';
  while (entry.next()) {
    if (entry.field === IP) ip = entry.text();
    else entry.skip();
  }
  return ip;
}

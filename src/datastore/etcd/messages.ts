import { isUtf8 } from 'node:buffer';
import type { EtcdEntry } from './etcd-client.ts';
import { MessageWriter, readFields } from './wire.ts';

// Messages of etcd's gRPC interface, as far as the client needs them.
// Source: etcd, api/etcdserverpb/rpc.proto and api/mvccpb/kv.proto.

/** A read of one key, or of all keys from `key` up to, but not, `end`. */
export interface RangeRequest {
  readonly key: Buffer | string;
  /** One key when absent. */
  readonly end?: Buffer | undefined;
  /** Entries at most; all when absent. */
  readonly limit?: number | undefined;
  /** The newest state when absent. */
  readonly revision?: bigint | undefined;
}

/** What came back to a {@link RangeRequest}. */
export interface RangeResponse {
  /** Revision of the store when it answered. */
  readonly revision: bigint;
  readonly entries: readonly EtcdEntry[];
  /** Key of the last entry as it is, to go on from; absent without entries. */
  readonly lastKey: Buffer | undefined;
  /** Whether there are entries beyond the limit. */
  readonly more: boolean;
}

/** A write of one key that is done if the key is as it should be, and answered with what is there if not. */
export interface ConditionalWrite {
  readonly key: Buffer | string;
  /** 0 demands that there is no such key. */
  readonly modRevision: bigint;
  /** Text to put; deletes the key when absent. */
  readonly value?: string | undefined;
}

/** What came back to a {@link ConditionalWrite}. */
export interface TxnResponse {
  readonly revision: bigint;
  /** Whether the condition held, and so the write was done. */
  readonly succeeded: boolean;
  /** What is there, when the condition did not hold; absent when nothing is. */
  readonly current: EtcdEntry | undefined;
}

/** Encodes a RangeRequest; linearizable. */
export function encodeRange(request: RangeRequest): Buffer {
  return rangeMessage(request).finish();
}

function rangeMessage({ key, end, limit = 0, revision = 0n }: RangeRequest): MessageWriter {
  return new MessageWriter()
    .bytes(1, key)
    .bytes(2, end ?? '')
    .integer(3, BigInt(limit))
    .integer(4, revision);
}

/** Decodes a RangeResponse. @throws RangeError when it is none. */
export function decodeRange(message: Buffer): RangeResponse {
  let revision = 0n;
  let more = false;
  let lastKey: Buffer | undefined;
  const entries: EtcdEntry[] = [];
  for (const { field, bytes, integer } of readFields(message)) {
    if (field === 1) revision = headerRevision(bytes);
    else if (field === 3) more = integer !== 0n;
    else if (field === 2) {
      const { entry, key } = decodeEntry(bytes);
      entries.push(entry);
      lastKey = key;
    }
  }
  return { revision, entries, lastKey, more };
}

/** Numbers of etcd's enumerations for a comparison. */
const EQUAL = 0n;
const TARGET_VERSION = 0n;
const TARGET_MOD = 2n;

/** Encodes a TxnRequest: one comparison, one write, one read in its place. */
export function encodeConditionalWrite(write: ConditionalWrite): Buffer {
  const { key, modRevision } = write;
  // A version or revision of zero is the default value of its field, which etcd reads as zero.
  const compare = new MessageWriter().integer(1, EQUAL);
  if (modRevision === 0n) compare.integer(2, TARGET_VERSION).bytes(3, key);
  else compare.integer(2, TARGET_MOD).bytes(3, key).integer(6, modRevision);
  const otherwise = new MessageWriter().message(1, rangeMessage({ key }));
  return new MessageWriter()
    .message(1, compare)
    .message(2, writeOperation(write))
    .message(3, otherwise)
    .finish();
}

function writeOperation({ key, value, modRevision }: ConditionalWrite): MessageWriter {
  if (value === undefined) {
    return new MessageWriter().message(3, new MessageWriter().bytes(1, key));
  }
  const put = new MessageWriter().bytes(1, key).bytes(2, value);
  // A key that is written anew keeps the lease that somebody gave it.
  return new MessageWriter().message(2, put.flag(6, modRevision !== 0n));
}

/** Decodes the TxnResponse to a {@link ConditionalWrite}. @throws RangeError when it is none. */
export function decodeTxn(message: Buffer): TxnResponse {
  let revision = 0n;
  let succeeded = false;
  let current: EtcdEntry | undefined;
  for (const { field, bytes, integer } of readFields(message)) {
    if (field === 1) revision = headerRevision(bytes);
    else if (field === 2) succeeded = integer !== 0n;
    else if (field === 3) current = rangeInside(bytes);
  }
  return { revision, succeeded, current };
}

/** First entry of the RangeResponse in a ResponseOp. */
function rangeInside(operation: Buffer): EtcdEntry | undefined {
  for (const { field, bytes } of readFields(operation)) {
    if (field === 1) return decodeRange(bytes).entries[0];
  }
  return undefined;
}

/** Encodes an AuthenticateRequest. */
export function encodeAuthenticate(name: string, password: string): Buffer {
  return new MessageWriter().bytes(1, name).bytes(2, password).finish();
}

/** Token of an AuthenticateResponse. @throws RangeError when it is none. */
export function decodeAuthenticate(message: Buffer): string {
  let token = '';
  for (const { field, bytes } of readFields(message)) {
    if (field === 2) token = bytes.toString('utf8');
  }
  return token;
}

function headerRevision(header: Buffer): bigint {
  for (const { field, integer } of readFields(header)) if (field === 3) return integer;
  return 0n;
}

function decodeEntry(message: Buffer): { entry: EtcdEntry; key: Buffer } {
  let key: Buffer = Buffer.alloc(0);
  let value = key;
  let createRevision = 0n;
  let modRevision = 0n;
  for (const { field, bytes, integer } of readFields(message)) {
    if (field === 1) key = bytes;
    else if (field === 2) createRevision = integer;
    else if (field === 3) modRevision = integer;
    else if (field === 5) value = bytes;
  }
  const isText = isUtf8(key) && isUtf8(value);
  const entry = {
    key: key.toString('utf8'),
    value: isText ? value.toString('utf8') : undefined,
    modRevision,
    createRevision,
  };
  return { entry, key };
}

/** The least key that is greater than all keys with this prefix, as etcd wants the end of a range. */
export function prefixEnd(prefix: string): Buffer {
  const bytes = Buffer.from(prefix, 'utf8');
  for (let index = bytes.length - 1; index >= 0; index--) {
    const byte = bytes[index] ?? 0;
    if (byte < 0xff) {
      return Buffer.concat([bytes.subarray(0, index), Buffer.from([byte + 1])]);
    }
  }
  // A zero byte alone means: up to the last key there is.
  return Buffer.from([0]);
}

/** The least key that is greater than this one. */
export function keyAfter(key: Buffer): Buffer {
  return Buffer.concat([key, Buffer.from([0])]);
}

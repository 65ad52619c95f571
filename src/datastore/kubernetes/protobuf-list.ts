import { ProtobufReader, WIRE } from './protobuf-reader.ts';
import { Scratch } from './scratch.ts';

/** First bytes of every protobuf answer of Kubernetes. */
const MAGIC = Buffer.from('k8s\0', 'latin1');
/** Field of `runtime.Unknown` that holds the encoded object. */
const RAW = 2;
/** Fields of every list message. */
const LIST = { metadata: 1, items: 2 } as const;
/** Fields of `ListMeta`. */
const LIST_META = { resourceVersion: 2, continue: 3 } as const;

/** What the metadata of a list says; empty texts are absent. */
export interface ListMetadata {
  readonly resourceVersion?: string | undefined;
  /** Token of the next page. */
  readonly continue?: string | undefined;
}

/** A field whose value may reach beyond the bytes at hand. */
interface Frame {
  readonly field: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Cuts a protobuf list of Kubernetes into its items, without ever holding the whole; same manners as the cutter of JSON.
 *
 * Source: https://kubernetes.io/docs/reference/using-api/api-concepts/#protobuf-encoding
 */
export class ProtobufList {
  readonly #scratch = new Scratch();
  #place: 'magic' | 'envelope' | 'list' = 'magic';
  /** Bytes of the list message that have not been taken. */
  #left = 0;
  #sawList = false;
  #metadata: ListMetadata | undefined;

  /**
   * Readers of the items that became complete, in order; good until the next call.
   * @throws RangeError when the bytes are no protobuf list.
   */
  push(pieces: readonly Buffer[]): ProtobufReader[] {
    const bytes = this.#scratch.append(pieces);
    const items: ProtobufReader[] = [];
    let position = 0;
    for (;;) {
      const next = this.#step(bytes, position, items);
      if (next === undefined) break;
      position = next;
    }
    this.#scratch.keepFrom(position);
    return items;
  }

  /** Metadata of the list as soon as it was read; it stands in front of the items. */
  get metadata(): ListMetadata | undefined {
    return this.#metadata;
  }

  /** The metadata, to be asked for at the end of the body. @throws RangeError when the list was cut. */
  end(): ListMetadata {
    if (this.#place !== 'envelope' || !this.#sawList || this.#scratch.kept > 0) {
      throw new RangeError('the protobuf list is cut off');
    }
    return this.#metadata ?? {};
  }

  /** Takes one thing; answers the position behind it, or undefined when it is not complete yet. */
  #step(bytes: Buffer, position: number, items: ProtobufReader[]): number | undefined {
    if (this.#place === 'magic') return this.#takeMagic(bytes);
    if (this.#place === 'list' && this.#left === 0) this.#place = 'envelope';
    const frame = frameAt(bytes, position);
    if (frame === undefined) return undefined;
    if (this.#place === 'envelope' && frame.field === RAW) {
      this.#place = 'list';
      this.#sawList = true;
      this.#left = frame.end - frame.start;
      return frame.start;
    }
    if (frame.end > bytes.length) return undefined;
    if (this.#place === 'list') {
      this.#left -= frame.end - position;
      this.#takeField(bytes, frame, items);
    }
    return frame.end;
  }

  #takeMagic(bytes: Buffer): number | undefined {
    if (bytes.length < MAGIC.length) return undefined;
    if (!bytes.subarray(0, MAGIC.length).equals(MAGIC))
      throw new RangeError('the answer is no protobuf of Kubernetes');
    this.#place = 'envelope';
    return MAGIC.length;
  }

  #takeField(bytes: Buffer, frame: Frame, items: ProtobufReader[]): void {
    if (this.#left < 0) throw new RangeError('a field reaches beyond the end of the list');
    const reader = new ProtobufReader(bytes, frame.start, frame.end);
    if (frame.field === LIST.items) items.push(reader);
    else if (frame.field === LIST.metadata) this.#metadata = listMetadata(reader);
  }
}

function listMetadata(reader: ProtobufReader): ListMetadata {
  let resourceVersion: string | undefined;
  let token: string | undefined;
  while (reader.next()) {
    if (reader.field === LIST_META.resourceVersion) resourceVersion = reader.text() || undefined;
    else if (reader.field === LIST_META.continue) token = reader.text() || undefined;
    else reader.skip();
  }
  return { resourceVersion, continue: token };
}

/** The field at a position; undefined when even its tag and length are not complete. */
function frameAt(bytes: Buffer, position: number): Frame | undefined {
  const tag = varintAt(bytes, position);
  if (tag === undefined) return undefined;
  const number = varintAt(bytes, tag.end);
  if (number === undefined) return undefined;
  const field = tag.value >>> 3;
  const wire = tag.value & 7;
  if (wire === WIRE.bytes) return { field, start: number.end, end: number.end + number.value };
  if (wire === WIRE.varint) return { field, start: tag.end, end: number.end };
  throw new RangeError(`a field of the list has wire type ${String(wire)}`);
}

function varintAt(bytes: Buffer, start: number): { value: number; end: number } | undefined {
  let value = 0;
  let factor = 1;
  for (let position = start; position < bytes.length; position++) {
    const byte = bytes[position] as number;
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) return { value, end: position + 1 };
    factor *= 0x80;
  }
  return undefined;
}

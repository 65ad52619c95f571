/** Wire types of protocol buffers that etcd uses. */
const WIRE = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

/**
 * Builds one protocol-buffers message, field after field. Fields of the default value (zero, false, no bytes) are left
 * out, as proto3 wants it.
 *
 * Source: https://protobuf.dev/programming-guides/encoding/
 */
export class MessageWriter {
  readonly #parts: Buffer[] = [];

  /** An integer from 0 up to 2^63 - 1. @throws RangeError for any other. */
  integer(field: number, value: bigint): this {
    if (value < 0n || value > 0x7fff_ffff_ffff_ffffn) {
      throw new RangeError(`${String(value)} is no positive 64-bit integer`);
    }
    if (value === 0n) return this;
    this.#parts.push(varint(tagOf(field, WIRE.varint)), varint(value));
    return this;
  }

  /** A boolean. */
  flag(field: number, value: boolean): this {
    return this.integer(field, value ? 1n : 0n);
  }

  /** Bytes, or a text in UTF-8; a lone surrogate becomes U+FFFD. */
  bytes(field: number, value: Buffer | string): this {
    const bytes = typeof value === 'string' ? Buffer.from(value, 'utf8') : value;
    return bytes.length === 0 ? this : this.#lengthPrefixed(field, bytes);
  }

  /** A message inside of this one; an empty one is written, since its presence says something. */
  message(field: number, value: MessageWriter): this {
    return this.#lengthPrefixed(field, value.finish());
  }

  /** The whole message. */
  finish(): Buffer {
    return Buffer.concat(this.#parts);
  }

  #lengthPrefixed(field: number, bytes: Buffer): this {
    this.#parts.push(varint(tagOf(field, WIRE.bytes)), varint(BigInt(bytes.length)), bytes);
    return this;
  }
}

/** What {@link readFields} calls for each field. */
export interface FieldValue {
  readonly field: number;
  /** A varint or fixed integer; 0 for bytes. */
  readonly integer: bigint;
  /** Bytes of the field, a view into the message; empty for integers. */
  readonly bytes: Buffer;
}

/**
 * The fields of one message, in the order in which they stand; whoever reads leaves out what it does not know.
 *
 * @throws RangeError when the message is cut off or no such message.
 */
export function* readFields(message: Buffer): Generator<FieldValue, void, undefined> {
  const cursor = new Cursor(message);
  while (!cursor.isAtEnd()) {
    const tag = cursor.varint();
    const field = Number(tag >> 3n);
    if (field === 0) throw new RangeError('a field without number');
    yield { field, ...cursor.value(Number(tag & 7n)) };
  }
}

const NO_BYTES = Buffer.alloc(0);

class Cursor {
  readonly #bytes: Buffer;
  #position = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  isAtEnd(): boolean {
    return this.#position >= this.#bytes.length;
  }

  /** An unsigned integer of 64 bits. */
  varint(): bigint {
    // Seven bits at a time in a plain number as long as they fit: lengths and tags are the bulk of a message.
    let low = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.#byte();
      low |= (byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt(low);
    }
    let value = BigInt(low);
    for (let shift = 28n; shift < 70n; shift += 7n) {
      const byte = this.#byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new RangeError('an integer of more than 64 bits');
  }

  value(wire: number): Pick<FieldValue, 'integer' | 'bytes'> {
    switch (wire) {
      case WIRE.varint:
        return { integer: this.varint(), bytes: NO_BYTES };
      case WIRE.bytes:
        return { integer: 0n, bytes: this.#take(Number(this.varint())) };
      case WIRE.fixed64:
        return { integer: this.#take(8).readBigUInt64LE(), bytes: NO_BYTES };
      case WIRE.fixed32:
        return { integer: BigInt(this.#take(4).readUInt32LE()), bytes: NO_BYTES };
      default:
        throw new RangeError(`wire type ${String(wire)} is not known`);
    }
  }

  #byte(): number {
    const byte = this.#bytes[this.#position];
    if (byte === undefined) throw new RangeError('the message is cut off');
    this.#position++;
    return byte;
  }

  #take(length: number): Buffer {
    const end = this.#position + length;
    if (end > this.#bytes.length) throw new RangeError('the message is cut off');
    const part = this.#bytes.subarray(this.#position, end);
    this.#position = end;
    return part;
  }
}

function tagOf(field: number, wire: number): bigint {
  return BigInt(field * 8 + wire);
}

function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}

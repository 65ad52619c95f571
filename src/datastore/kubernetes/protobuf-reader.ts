/** Wire types of protocol buffers that Kubernetes uses. */
export const WIRE = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

/**
 * Reads the fields of one protocol-buffers message out of a buffer, one after another, and skips what nobody asks for.
 *
 * @remarks Only what the reader of pods and nodes needs: no groups, no packed fields, no signed varints.
 * Source: https://protobuf.dev/programming-guides/encoding/
 */
export class ProtobufReader {
  readonly #bytes: Buffer;
  readonly #end: number;
  #position: number;
  /** Number and wire type of the field that {@link next} found. */
  field = 0;
  wire = 0;

  constructor(bytes: Buffer, start = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#position = start;
    this.#end = end;
  }

  /** Goes to the next field; false at the end of the message. Read or {@link skip} its value before the next call. */
  next(): boolean {
    if (this.#position >= this.#end) return false;
    const tag = this.varint();
    this.field = tag >>> 3;
    this.wire = tag & 7;
    return true;
  }

  /**
   * An unsigned integer; exact up to 2^53, which no field that we read exceeds.
   * @throws RangeError when the message ends inside of it.
   */
  varint(): number {
    const byte = this.#byte();
    // Nearly all of them are as short.
    return byte < 0x80 ? byte : this.#longVarint(byte & 0x7f);
  }

  #longVarint(first: number): number {
    let value = first;
    for (let factor = 0x80; ; factor *= 0x80) {
      const byte = this.#byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  }

  /** Text of a field of bytes. */
  text(): string {
    const start = this.#enter();
    // UTF-8, whose name would be looked up for each text.
    return this.#bytes.toString(undefined, start, this.#position);
  }

  /** Text of a field of bytes if it is one of these, which makes no text of the others; undefined for any other. */
  oneOf(
    texts: readonly { readonly name: string; readonly bytes: Uint8Array }[],
  ): string | undefined {
    const start = this.#enter();
    for (const { name, bytes } of texts) if (this.#holds(bytes, start)) return name;
    return undefined;
  }

  /** Whether these bytes stand from there to the position. A call out of JavaScript takes longer than most comparisons. */
  #holds(bytes: Uint8Array, start: number): boolean {
    if (bytes.length !== this.#position - start) return false;
    for (let at = 0; at < bytes.length; at++)
      if (this.#bytes[start + at] !== bytes[at]) return false;
    return true;
  }

  /** A reader of the message inside of the field. */
  message(): ProtobufReader {
    const start = this.#enter();
    return new ProtobufReader(this.#bytes, start, this.#position);
  }

  /** Passes over the value of a field. @throws RangeError for a wire type that cannot be, or beyond the end. */
  skip(): void {
    if (this.wire === WIRE.bytes) this.#enter();
    else if (this.wire === WIRE.varint) this.varint();
    else if (this.wire === WIRE.fixed64) this.#advance(8);
    else if (this.wire === WIRE.fixed32) this.#advance(4);
    else throw new RangeError(`wire type ${String(this.wire)} is not known`);
  }

  #byte(): number {
    if (this.#position >= this.#end) throw new RangeError('the message is cut off');
    return this.#bytes[this.#position++] as number;
  }

  /** Start of the value of a field of bytes; the position moves to its end. */
  #enter(): number {
    if (this.wire !== WIRE.bytes)
      throw new RangeError(`field ${String(this.field)} holds no bytes`);
    const length = this.varint();
    const start = this.#position;
    this.#advance(length);
    return start;
  }

  #advance(length: number): void {
    if (this.#position + length > this.#end) throw new RangeError('the message is cut off');
    this.#position += length;
  }
}

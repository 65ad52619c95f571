import { hash } from 'node:crypto';

const BLOCK_BYTES = 64;
const INNER = 0x36;
const OUTER = 0x5c;

/**
 * HMAC-SHA-256 of texts under one key.
 *
 * @remarks Made of two plain hashes: hundreds of thousands of short texts are hashed, and an HMAC object of Node takes
 * five times as long to make as both.
 * Source: RFC 2104.
 */
export class KeyedHash {
  readonly #inner: Buffer;
  readonly #outer: Buffer;

  /** @param key At most 64 bytes. */
  constructor(key: Uint8Array) {
    this.#inner = padded(key, INNER);
    this.#outer = padded(key, OUTER);
  }

  digest(text: string): Buffer {
    const inner = hash('sha256', Buffer.concat([this.#inner, Buffer.from(text)]), 'buffer');
    return hash('sha256', Buffer.concat([this.#outer, inner]), 'buffer');
  }
}

function padded(key: Uint8Array, pad: number): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES, pad);
  for (const [i, byte] of key.entries()) block[i] = byte ^ pad;
  return block;
}

import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Bytes of a text in the form in which the file had them: compressed or not, with the same byte order mark. */
export async function encodeLike(text: string, bytes: Buffer, plain: Buffer): Promise<Buffer> {
  const encoded = encodeText(text, plain);
  return isGzip(bytes) ? promisify(gzip)(encoded) : encoded;
}

/** Whether bytes are gzip data, whatever the file is called. */
export function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function encodeText(text: string, like: Buffer): Buffer {
  if (like[0] === 0xff && like[1] === 0xfe) return Buffer.from(`\uFEFF${text}`, 'utf16le');
  if (like[0] === 0xfe && like[1] === 0xff) return Buffer.from(`\uFEFF${text}`, 'utf16le').swap16();
  const hasMark = like.subarray(0, UTF8_MARK.length).equals(UTF8_MARK);
  return hasMark ? Buffer.concat([UTF8_MARK, Buffer.from(text)]) : Buffer.from(text);
}

import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { DataError } from '../../errors/data-error.ts';
import { isGzip } from './text-encoding.ts';

/**
 * Largest text in bytes that is opened. A JavaScript string cannot hold more, and a small file that inflates to more is a
 * trap rather than a snapshot.
 */
export const MAX_TEXT_BYTES = 512 * 1024 * 1024 - 64;

/**
 * Stretch of a text in bytes that is no dump when nothing in it ends a value: a server takes no object of this size, and a
 * name like that would fill the memory with its copies.
 */
const LONGEST_VALUE = 4 * 1024 * 1024;

/** One of these stands behind every value of YAML and JSON. */
const VALUE_ENDS = ['\n', '"', ',', ':'];

/** Begins of files that are archives: their content has to be unpacked first. */
const ARCHIVES: readonly { name: string; offset: number; magic: string }[] = [
  { name: 'a zip archive', offset: 0, magic: 'PK\x03\x04' },
  { name: 'a tar archive', offset: 257, magic: 'ustar' },
  { name: 'compressed with bzip2', offset: 0, magic: 'BZh' },
  { name: 'compressed with xz', offset: 0, magic: '\xfd7zXZ\x00' },
  { name: 'compressed with zstd', offset: 0, magic: '\x28\xb5\x2f\xfd' },
];

/**
 * Text of a file's bytes: inflated when they are gzip, whatever the name says, then decoded as UTF-8, or as UTF-16 when a
 * byte order mark says so (which is what PowerShell writes).
 *
 * @param limit Largest text in bytes.
 * @throws {@link DataError} when the gzip data are cut or damaged, or the content is no text, too large, or holds one value
 * that is.
 */
export async function textOf(
  bytes: Buffer,
  file: string,
  limit: number = MAX_TEXT_BYTES,
): Promise<string> {
  return decodeText(await plainBytes(bytes, file, limit), file);
}

/** The bytes, inflated when they are gzip. @throws {@link DataError} when they are damaged or too many. */
export async function plainBytes(
  bytes: Buffer,
  file: string,
  limit: number = MAX_TEXT_BYTES,
): Promise<Buffer> {
  const plain = isGzip(bytes) ? await inflate(bytes, file, limit) : bytes;
  if (plain.length > limit) throw tooLarge(file, limit);
  assertShortValues(plain, file);
  return plain;
}

function assertShortValues(bytes: Buffer, file: string): void {
  for (let at = 0; at + LONGEST_VALUE <= bytes.length; at += LONGEST_VALUE) {
    const stretch = bytes.subarray(at, at + LONGEST_VALUE);
    if (VALUE_ENDS.some((end) => stretch.includes(end))) continue;
    throw new DataError(
      `${file} holds a value of more than ${LONGEST_VALUE / 1048576} MiB, which no Kubernetes object has`,
      { details: { file } },
    );
  }
}

/** The error for more text than is opened. */
export function tooLarge(file: string, limit: number): DataError {
  return new DataError(`${file} holds more than ${Math.ceil(limit / 1048576)} MiB of text`, {
    hint: 'write one file per kind into a folder and give the folder',
  });
}

async function inflate(bytes: Buffer, file: string, limit: number): Promise<Buffer> {
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: limit });
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(file, limit);
    const problem =
      code === 'Z_BUF_ERROR' ? 'ends in the middle of its gzip data' : 'is damaged gzip data';
    throw new DataError(`${file} ${problem}`, { details: { file }, cause });
  }
}

/** The text of plain bytes. @throws {@link DataError} when they are none. */
export function decodeText(bytes: Buffer, file: string): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString('utf16le', 2);
  if (bytes[0] === 0xfe && bytes[1] === 0xff && bytes.length % 2 === 0) {
    return bytes.subarray(2).swap16().toString('utf16le');
  }
  const archive = ARCHIVES.find(
    ({ offset, magic }) => bytes.toString('latin1', offset, offset + magic.length) === magic,
  );
  if (archive) {
    throw new DataError(`${file} is ${archive.name}`, {
      hint: 'unpack it and give the folder or file that comes out',
      details: { file },
    });
  }
  if (!isUtf8(bytes) || bytes.includes(0)) {
    throw new DataError(`${file} is neither text nor gzip`, { details: { file } });
  }
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return bytes.toString('utf8', hasMark ? 3 : 0);
}

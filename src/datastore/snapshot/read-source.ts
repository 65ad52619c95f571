import { hash } from 'node:crypto';
import { constants, createReadStream, openSync, readFileSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import { addAbortSignal, Readable } from 'node:stream';
import { DataError } from '../../errors/data-error.ts';
import { cannotRead, findFiles } from './find-files.ts';
import { MAX_TEXT_BYTES, textOf, tooLarge } from './read-text.ts';

/** Name that stands for standard input on the command line. */
export const STANDARD_INPUT = '-';

/** Makes what tells contents of a file apart. */
export type Digest = () => string;

/** A text of the input under the name by which messages call it. */
export interface SourceText {
  readonly file: string;
  readonly text: string;
  /** Makes the digest of the bytes of a file; absent for standard input and pipes, which cannot be written back. */
  readonly digest?: Digest | undefined;
}

/** Where to read from, beside the path. */
export interface SourceOptions {
  /** What `-` stands for; nothing when absent. */
  readonly stdin?: AsyncIterable<Uint8Array> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A file of up to so many bytes is read at once: a stream would take longer to load than the file. */
const AT_ONCE = 1024 * 1024;

/** First thing in a text that holds Kubernetes objects, behind comments and document markers. */
const OBJECT_BEGIN =
  /^\uFEFF?(?:\s|#[^\n]*(?:\n|$)|---[^\n]*(?:\n|$))*(?:["']?(?:apiVersion|kind|items|metadata)["']?\s*:|[{[])/;

/**
 * Texts of a file, of standard input, or of all files below a folder that hold Kubernetes objects by name or content, one at
 * a time and sorted by path.
 *
 * @throws {@link DataError} naming what is absent, cannot be read, or is no text.
 */
export async function* readSource(
  path: string,
  options: SourceOptions,
): AsyncGenerator<SourceText> {
  if (path === STANDARD_INPUT) {
    const bytes = await gather(
      options.stdin ?? Readable.from([]),
      'standard input',
      options.signal,
    );
    yield { file: 'standard input', text: await textOf(bytes, 'standard input') };
  } else if (isFolder(path)) {
    yield* readFolder(path, options.signal);
  } else {
    const bytes = await readBytes(path, options.signal);
    const digest = statSync(path).isFile() ? digestOf(bytes) : undefined;
    yield { file: path, text: await textOf(bytes, path), digest };
  }
}

/** Digest of a file's bytes. That of a small file is made when it is asked for, which only commands that write do. */
export function digestOf(bytes: Buffer): Digest {
  if (bytes.length <= AT_ONCE) return () => hash('sha256', bytes);
  const digest = hash('sha256', bytes);
  return () => digest;
}

async function* readFolder(
  folder: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<SourceText> {
  for (const { path, isTried } of await findFiles(folder)) {
    const source = await readFile(path, { isTried, signal });
    if (source !== undefined && !(isTried && !OBJECT_BEGIN.test(source.text))) yield source;
  }
}

/** Text of a file in a folder; undefined for one that is no text and does not claim to be by its name. */
async function readFile(
  path: string,
  { isTried, signal }: { isTried: boolean; signal: AbortSignal | undefined },
): Promise<SourceText | undefined> {
  try {
    const bytes = await readBytes(path, signal);
    return { file: path, text: await textOf(bytes, path), digest: digestOf(bytes) };
  } catch (error) {
    if (isTried && error instanceof DataError) return undefined;
    throw error;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (cause) {
    throw cannotRead(path, cause);
  }
}

/** Bytes of a file, or of a pipe that has a name. */
export async function readBytes(path: string, signal: AbortSignal | undefined): Promise<Buffer> {
  try {
    const found = statSync(path);
    if (found.isFile() && found.size <= AT_ONCE) return readFileSync(path);
    return await gather(openStream(path, found.isFIFO()), path, signal);
  } catch (cause) {
    signal?.throwIfAborted();
    throw cause instanceof DataError ? cause : cannotRead(path, cause);
  }
}

/**
 * A stream of a file. A pipe with a name is opened without waiting for whoever writes to it, and waited for as for a
 * connection: nothing could end an open that blocks, not even a signal.
 */
function openStream(path: string, isPipe: boolean): Readable {
  if (!isPipe) return createReadStream(path, { highWaterMark: 1024 * 1024 });
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return new Socket({ fd, readable: true, writable: false });
}

/** Reads to the end, but not without end: the compressed form of a text is never larger than the largest text. */
async function gather(
  stream: AsyncIterable<Uint8Array>,
  file: string,
  signal: AbortSignal | undefined,
): Promise<Buffer> {
  // A pipe whose other end stays open would be waited for without end.
  if (signal !== undefined && stream instanceof Readable) addAbortSignal(signal, stream);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      signal?.throwIfAborted();
      size += chunk.length;
      if (size > MAX_TEXT_BYTES) throw tooLarge(file, MAX_TEXT_BYTES);
      chunks.push(chunk);
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
  return Buffer.concat(chunks, size);
}

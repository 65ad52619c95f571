import type { IncomingMessage } from 'node:http';
import { type Readable, pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** Bytes to collect before they are handed on: parsing every small piece on its own costs more than twice the time. */
const GROUP_BYTES = 512 * 1024;
/** Output of one step of the decompressor. */
const GUNZIP_CHUNK_BYTES = 256 * 1024;

/** How a body is read. */
export interface BodyOptions {
  /** Milliseconds of silence after which the server counts as hung. */
  readonly idleMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Makes our error of whatever broke the body off. */
  readonly mapError: (error: unknown) => Error;
}

/** The body of an answer, unpacked; it can be read once. */
export class ResponseBody {
  readonly #stream: Readable;
  readonly #options: BodyOptions;

  constructor(message: IncomingMessage, options: BodyOptions) {
    this.#stream = unpacked(message);
    // Errors reach whoever reads; this keeps one that comes before or after from ending the process.
    this.#stream.on('error', () => undefined);
    this.#options = options;
  }

  /**
   * The body in groups of pieces of about half a megabyte; the first group comes as soon as there is anything. Breaking
   * off the loop closes the connection.
   */
  async *groups(): AsyncGenerator<Buffer[]> {
    let group: Buffer[] = [];
    let size = 0;
    let threshold = 1;
    for await (const piece of this.#pieces()) {
      group.push(piece);
      size += piece.length;
      if (size < threshold) continue;
      yield group;
      group = [];
      size = 0;
      threshold = GROUP_BYTES;
    }
    if (size > 0) yield group;
  }

  /** The whole body. */
  async bytes(): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for await (const piece of this.#pieces()) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  /** Gives the body up and closes its connection. */
  discard(): void {
    this.#stream.destroy();
  }

  async *#pieces(): AsyncGenerator<Buffer> {
    const { idleMs, signal, mapError } = this.#options;
    const abort = (): void => void this.#stream.destroy();
    signal?.addEventListener('abort', abort, { once: true });
    const iterator = this.#stream.iterator() as AsyncIterator<Buffer>;
    try {
      for (;;) {
        const step = await withinSilence(iterator, {
          idleMs,
          onSilence: (error) => this.#stream.destroy(error),
        });
        signal?.throwIfAborted();
        if (step.done === true) return;
        yield step.value;
      }
    } catch (error) {
      throw signal?.aborted ? signal.reason : mapError(error);
    } finally {
      signal?.removeEventListener('abort', abort);
      this.#stream.destroy();
    }
  }
}

/** Thrown into a body whose server says nothing more. */
export class SilenceError extends Error {
  constructor(milliseconds: number) {
    super(`nothing came for ${String(milliseconds / 1000)} s`);
    this.name = 'SilenceError';
  }
}

/** Only the time spent waiting counts, not that of a slow reader. */
async function withinSilence(
  iterator: AsyncIterator<Buffer>,
  watch: { readonly idleMs: number; readonly onSilence: (error: Error) => void },
): Promise<IteratorResult<Buffer>> {
  const timer = setTimeout(() => watch.onSilence(new SilenceError(watch.idleMs)), watch.idleMs);
  try {
    return await iterator.next();
  } finally {
    clearTimeout(timer);
  }
}

function unpacked(message: IncomingMessage): Readable {
  if (message.headers['content-encoding'] !== 'gzip') return message;
  const gunzip = createGunzip({ chunkSize: GUNZIP_CHUNK_BYTES });
  // Errors of either reach the reader through the decompressor.
  pipeline(message, gunzip, () => undefined);
  return gunzip;
}

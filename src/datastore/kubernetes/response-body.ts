import type { IncomingHttpHeaders } from 'node:http';
import { type Readable, finished, pipeline } from 'node:stream';
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

  constructor(body: Readable, headers: IncomingHttpHeaders, options: BodyOptions) {
    this.#stream = headers['content-encoding'] === 'gzip' ? unpacked(body) : body;
    // Errors reach whoever reads; this keeps one that comes before or after from ending the process.
    this.#stream.on('error', () => undefined);
    this.#options = options;
  }

  /**
   * The body in groups of pieces of about half a megabyte; the first group comes as soon as there is anything. Breaking
   * off the loop closes the connection.
   */
  async *groups(): AsyncGenerator<Buffer[]> {
    const pieces = new Pieces(this.#stream, this.#options.idleMs);
    try {
      for (let least = 1; ; least = GROUP_BYTES) {
        const group = await this.#guarded(() => pieces.take(least));
        if (group.length === 0) return;
        yield group;
      }
    } finally {
      pieces.end();
    }
  }

  /** The whole body. */
  async bytes(): Promise<Buffer> {
    const pieces = new Pieces(this.#stream, this.#options.idleMs);
    try {
      return Buffer.concat(await this.#guarded(() => pieces.take(Infinity)));
    } finally {
      pieces.end();
    }
  }

  /** Gives the body up and closes its connection. */
  discard(): void {
    this.#stream.destroy();
  }

  /** Waits for pieces as long as nobody gives up. */
  async #guarded(take: () => Promise<Buffer[]>): Promise<Buffer[]> {
    const { signal, mapError } = this.#options;
    const abort = (): void => void this.#stream.destroy();
    signal?.addEventListener('abort', abort, { once: true });
    try {
      signal?.throwIfAborted();
      const group = await take();
      signal?.throwIfAborted();
      return group;
    } catch (error) {
      throw signal?.aborted ? signal.reason : mapError(error);
    } finally {
      signal?.removeEventListener('abort', abort);
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

/**
 * Collects the pieces of a stream. A server sends them by the 4 KB, tens of thousands in a large list, so none of them gets a
 * promise or a timer of its own; the stream stands still while nobody waits.
 */
class Pieces {
  readonly #stream: Readable;
  readonly #stopWatching: () => void;
  readonly #silence: NodeJS.Timeout;
  #group: Buffer[] = [];
  #size = 0;
  #least = 0;
  #end: { readonly error?: Error | null | undefined } | undefined;
  /** Called when there is what somebody waits for; undefined while nobody does. */
  #wake: (() => void) | undefined;

  /** @param idleMs Only the time spent waiting counts, not that of a slow reader. */
  constructor(stream: Readable, idleMs: number) {
    this.#stream = stream;
    this.#silence = setTimeout(() => {
      if (this.#wake) stream.destroy(new SilenceError(idleMs));
    }, idleMs);
    // A stream that is waited for keeps the process by itself.
    this.#silence.unref();
    this.#stopWatching = finished(stream, { writable: false }, (error) => {
      this.#end = { error };
      this.#wake?.();
    });
    stream.pause();
    stream.on('data', (piece: Buffer) => this.#add(piece));
  }

  /** Pieces of so many bytes, or what is left at the end; none behind it. @throws what broke the stream off. */
  async take(least: number): Promise<Buffer[]> {
    if (!this.#end) {
      this.#least = least;
      this.#silence.refresh();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        this.#stream.resume();
      });
      this.#wake = undefined;
    }
    if (this.#end?.error) throw this.#end.error;
    const group = this.#group;
    this.#group = [];
    this.#size = 0;
    return group;
  }

  /** Gives the rest up; the connection is closed unless the stream has ended. */
  end(): void {
    clearTimeout(this.#silence);
    this.#stopWatching();
    this.#stream.destroy();
  }

  #add(piece: Buffer): void {
    this.#group.push(piece);
    this.#size += piece.length;
    this.#silence.refresh();
    if (this.#size < this.#least) return;
    this.#stream.pause();
    this.#wake?.();
  }
}

function unpacked(body: Readable): Readable {
  const gunzip = createGunzip({ chunkSize: GUNZIP_CHUNK_BYTES });
  // Errors of either reach the reader through the decompressor.
  pipeline(body, gunzip, () => undefined);
  return gunzip;
}

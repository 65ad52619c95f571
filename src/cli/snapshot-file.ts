import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type {
  FinishedSnapshot,
  SnapshotPiece,
  SnapshotTarget,
} from '../operations/snapshot/snapshot-target.ts';
import { cannotWrite } from '../support/atomic-write.ts';
import { write } from './emit.ts';
import { STDOUT } from './export-output.ts';
import { openOutputFile, type OutputFile } from './files.ts';

/** Bytes that are read of a part at a time. */
const CHUNK = 1 << 20;

/**
 * A snapshot in the making: each part in a file of its own, in a folder that only its owner may read and that is gone in
 * the end; beside the result, where the room for it is, or in the folder for temporary files.
 */
export class SnapshotFile implements SnapshotTarget {
  readonly file: string;
  readonly #output: OutputFile | undefined;
  readonly #parts = new Map<string, FileHandle>();
  #folder: Promise<string> | undefined;

  private constructor(file: string, output: OutputFile | undefined) {
    this.file = file;
    this.#output = output;
  }

  /**
   * Looks whether the file can be written, before anything is read.
   * @throws {@link UsageError} when it cannot.
   */
  static async open(path: string): Promise<SnapshotFile> {
    return new SnapshotFile(
      path,
      path === STDOUT ? undefined : await openOutputFile(path, 'output'),
    );
  }

  async write(part: string, text: string): Promise<void> {
    const file = await this.#partOf(part);
    try {
      await file.appendFile(text);
    } catch (error) {
      throw cannotWrite(this.file, error);
    }
  }

  async reset(part: string): Promise<void> {
    await this.#parts.get(part)?.truncate(0);
  }

  async finish(
    pieces: readonly SnapshotPiece[],
    signal: AbortSignal,
  ): Promise<FinishedSnapshot | undefined> {
    const hash = createHash('sha256');
    let bytes = 0;
    const counted = async function* (content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of content) {
        signal.throwIfAborted();
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    };
    const plain = this.#content(pieces);
    const content = counted(this.file.endsWith('.gz') ? compressed(plain) : plain);
    if (this.#output) await this.#output.writeText(content);
    else if (!(await writeToStdout(content))) return undefined;
    return { sha256: hash.digest('hex'), bytes };
  }

  /** Takes the parts away. */
  async close(): Promise<void> {
    for (const file of this.#parts.values()) await file.close().catch(() => undefined);
    this.#parts.clear();
    const folder = await this.#folder?.catch(() => undefined);
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }

  async *#content(pieces: readonly SnapshotPiece[]): AsyncGenerator<Buffer> {
    for (const piece of pieces) {
      if (typeof piece === 'string') yield Buffer.from(piece);
      else {
        const path = join(await this.#folderOfParts(), piece.part);
        yield* createReadStream(path, { start: piece.from, highWaterMark: CHUNK });
      }
    }
  }

  async #partOf(part: string): Promise<FileHandle> {
    const known = this.#parts.get(part);
    if (known) return known;
    try {
      // In append mode, so that what follows a truncation begins at the start.
      const file = await open(join(await this.#folderOfParts(), part), 'ax', 0o600);
      this.#parts.set(part, file);
      return file;
    } catch (error) {
      throw cannotWrite(this.file, error);
    }
  }

  #folderOfParts(): Promise<string> {
    const place = this.#output?.folder;
    const prefix =
      place === undefined
        ? join(tmpdir(), 'ipamctl-snapshot-')
        : join(place, `.${basename(this.file)}.`);
    return (this.#folder ??= mkdtemp(prefix));
  }
}

/** Runs what writes a snapshot, and takes its parts away whatever comes of it. */
export async function withSnapshotFile<T>(
  path: string,
  use: (file: SnapshotFile) => Promise<T>,
): Promise<T> {
  const file = await SnapshotFile.open(path);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}

async function* compressed(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gzip = createGzip();
  // An error of the content comes out of the compressed stream too, where it is thrown.
  const flow = pipeline(Readable.from(content), gzip).catch(() => undefined);
  yield* gzip as AsyncIterable<Buffer>;
  await flow;
}

async function writeToStdout(content: AsyncIterable<Buffer>): Promise<boolean> {
  for await (const chunk of content) if (!(await write(process.stdout, chunk))) return false;
  return true;
}

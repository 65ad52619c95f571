import type { FileHandle } from 'node:fs/promises';

/** What a queue appends to. */
export interface AppendTarget {
  /** Opens the file, at the first text; undefined where texts are to be dropped. */
  readonly open: () => Promise<FileHandle | undefined>;
  /** Told of a failure once the file is closed; gives the error that each writer gets. */
  readonly refusal: (error: unknown) => Promise<Error>;
}

/** A waiting text; nobody waits for one that was only noted. */
interface Waiting {
  readonly text: string;
  readonly resolve?: (() => void) | undefined;
  readonly reject?: ((error: unknown) => void) | undefined;
}

/** How long a noted text waits for company, in milliseconds. */
const NOTED_MS = 100;

/**
 * Texts on their way to the end of a file. Those that come while others go to the disk go there together, with one
 * flush. After a failure nothing is written any more, since the last text may be cut.
 */
export class AppendQueue {
  readonly #target: AppendTarget;
  #queue: Waiting[] = [];
  #file: Promise<FileHandle | undefined> | undefined;
  #isWriting = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(target: AppendTarget) {
    this.#target = target;
  }

  /** Appends a text; settles once it is on the disk. @throws what the target makes of a failure. */
  append(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ text, resolve, reject });
      void this.#drain();
    });
  }

  /** Appends a text soon, at the latest with the next one that is waited for, or at the end; it may be lost. */
  note(text: string): void {
    this.#queue.push({ text });
    this.#timer ??= setTimeout(() => void this.#drain(), NOTED_MS);
  }

  /** Waits for what is under way and closes the file, if there is one. A failure was told to those who waited. */
  async close(): Promise<void> {
    if (this.#isWriting || this.#queue.length > 0) await this.append('').catch(() => undefined);
    await this.#closeFile();
  }

  async #closeFile(): Promise<void> {
    const file = await this.#file?.catch(() => undefined);
    await file?.close();
  }

  /** Writes all that waits, and what comes meanwhile. */
  async #drain(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#isWriting) return;
    this.#isWriting = true;
    while (this.#queue.length > 0) {
      const waiting = this.#queue;
      this.#queue = [];
      try {
        const file = await (this.#file ??= this.#target.open());
        await file?.appendFile(waiting.map(({ text }) => text).join(''));
        if (waiting.some(({ resolve }) => resolve)) await file?.datasync();
        for (const { resolve } of waiting) resolve?.();
      } catch (error) {
        await this.#closeFile().catch(() => undefined);
        const refusal = await this.#target.refusal(error);
        this.#file = Promise.reject(refusal);
        this.#file.catch(() => undefined);
        for (const { reject } of waiting) reject?.(refusal);
      }
    }
    this.#isWriting = false;
  }
}

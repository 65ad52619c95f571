import type { IncomingHttpHeaders } from 'node:http';
import { assertStatusLine, framingOf, responseHead } from './message-head.ts';
import { ResponseError } from './response-error.ts';

/** Largest head of an answer, and largest end of one behind its last chunk; four times what Node's client takes. */
const MAX_LINES_BYTES = 64 * 1024;
/** Digits of the largest chunk, which is more than any answer has. */
const MAX_SIZE_DIGITS = 13;
const CR = 13;
const LF = 10;

/** Takes what an answer consists of. */
export interface ResponseSink {
  onHead(status: number, headers: IncomingHttpHeaders): void;
  /** Told of a piece of the body by where it stands in the bytes that were pushed. */
  onPiece(bytes: Buffer, from: number, to: number): void;
  /** @param isReusable Whether another answer can follow over the connection. */
  onEnd(isReusable: boolean): void;
}

type Place = 'head' | 'sized' | 'until-end' | 'size' | 'size-end' | 'chunk' | 'chunk-end' | 'tail';

/**
 * Takes answers of HTTP/1.1 to GET apart, one after the other, as they come. It is strict, since what it lets pass may be
 * taken for a list that is shorter than the server's.
 *
 * @remarks Informational answers are passed over.
 * Source: RFC 9112
 */
export class ResponseParser {
  readonly #sink: ResponseSink;
  #place: Place = 'head';
  /** Lines of a head or tail that are complete. */
  #lines: string[] = [];
  /** Begin of a line. */
  #line = '';
  #linesBytes = 0;
  /** Whether another answer can follow this one. */
  #isReusable = false;
  /** Bytes of a body or chunk that are to come. */
  #left = 0;
  #digits = 0;
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;

  constructor(sink: ResponseSink) {
    this.#sink = sink;
  }

  /** Takes what came next. @throws {@link ResponseError} */
  push(bytes: Buffer): void {
    this.#bytes = bytes;
    this.#at = 0;
    while (this.#at < bytes.length) this.#step();
  }

  /** Takes the end of the connection. @returns false where it cuts an answer. */
  end(): boolean {
    if (this.#place === 'until-end') this.#endOfAnswer();
    return this.#place === 'head' && this.#lines.length === 0 && this.#line === '';
  }

  #step(): void {
    switch (this.#place) {
      case 'head':
        this.#takeLines((lines) => this.#takeHead(lines));
        break;
      case 'tail':
        this.#takeLines(() => this.#endOfAnswer());
        break;
      case 'size':
        this.#takeSize();
        break;
      case 'size-end':
        this.#endOfSize();
        break;
      case 'chunk-end':
        this.#endOfChunk();
        break;
      default:
        this.#takeBody();
    }
  }

  #takeHead(lines: readonly string[]): void {
    const head = responseHead(lines);
    if (head.status < 200) return;
    const framing = framingOf(head);
    this.#isReusable = head.isReusable && framing !== 'until-end';
    this.#sink.onHead(head.status, head.headers);
    if (framing === 'chunked') this.#beginSize();
    else if (framing === 'until-end') this.#place = 'until-end';
    else {
      this.#left = framing;
      this.#place = 'sized';
      if (framing === 0) this.#endOfAnswer();
    }
  }

  #takeBody(): void {
    const rest = this.#bytes.length - this.#at;
    const length = this.#place === 'until-end' ? rest : Math.min(rest, this.#left);
    const start = this.#at;
    this.#at += length;
    this.#left -= length;
    this.#sink.onPiece(this.#bytes, start, this.#at);
    if (this.#place === 'until-end' || this.#left > 0) return;
    if (this.#place === 'chunk') this.#place = 'chunk-end';
    else this.#endOfAnswer();
  }

  #beginSize(): void {
    this.#place = 'size';
    this.#left = 0;
    this.#digits = 0;
  }

  #takeSize(): void {
    while (this.#at < this.#bytes.length) {
      const digit = digitOf(this.#bytes[this.#at] as number);
      if (digit === undefined) break;
      this.#at++;
      this.#left = this.#left * 16 + digit;
      if (++this.#digits > MAX_SIZE_DIGITS) throw invalidSize();
    }
    if (this.#at === this.#bytes.length) return;
    if (this.#digits === 0) throw invalidSize();
    this.#place = 'size-end';
  }

  #endOfSize(): void {
    const rest = this.#nextLine();
    if (rest === undefined) return;
    if (!/^[ \t]*(?:;.*)?$/.test(rest)) throw invalidSize();
    this.#linesBytes = 0;
    this.#place = this.#left === 0 ? 'tail' : 'chunk';
  }

  #endOfChunk(): void {
    const rest = this.#nextLine();
    if (rest === undefined) return;
    if (rest !== '') throw new ResponseError('HPE_STRICT', 'a chunk does not end where it says');
    this.#linesBytes = 0;
    this.#beginSize();
  }

  #endOfAnswer(): void {
    // What follows was not asked for.
    const isAlone = this.#at === this.#bytes.length;
    this.#at = this.#bytes.length;
    this.#place = 'head';
    this.#sink.onEnd(this.#isReusable && isAlone);
  }

  /** Takes lines up to an empty one. */
  #takeLines(use: (lines: readonly string[]) => void): void {
    const line = this.#nextLine();
    if (line === undefined) return;
    // What is no answer may have no end either.
    if (this.#place === 'head' && this.#lines.length === 0) assertStatusLine(line);
    if (line !== '') {
      this.#lines.push(line);
      return;
    }
    const lines = this.#lines;
    this.#lines = [];
    this.#linesBytes = 0;
    use(lines);
  }

  /** The line up to its end, which is taken, too; undefined when it is not complete. */
  #nextLine(): string | undefined {
    const bytes = this.#bytes;
    const start = this.#at;
    // What most of them are: the end of a chunk or of its size.
    if (this.#line === '' && bytes[start] === CR && bytes[start + 1] === LF) {
      this.#at += 2;
      return '';
    }
    const found = bytes.indexOf(LF, start);
    this.#at = found < 0 ? bytes.length : found + 1;
    this.#linesBytes += this.#at - start;
    if (this.#linesBytes > MAX_LINES_BYTES)
      throw new ResponseError('HPE_HEADER_OVERFLOW', 'the head of the answer is too long');
    this.#line += bytes.toString('latin1', start, this.#at);
    if (found < 0) return undefined;
    const line = this.#line;
    this.#line = '';
    if (!line.endsWith('\r\n'))
      throw new ResponseError('HPE_CR_EXPECTED', 'a line of the answer does not end as lines do');
    return line.slice(0, -2);
  }
}

function digitOf(code: number): number | undefined {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x61 + 10 : undefined;
}

function invalidSize(): ResponseError {
  return new ResponseError('HPE_INVALID_CHUNK_SIZE', 'a chunk of the answer does not say its size');
}

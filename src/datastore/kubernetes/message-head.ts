import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { WireRequest } from './exchange.ts';
import { ResponseError } from './response-error.ts';

/** Statuses of answers without a body, whatever their headers say. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 304]);
/** What a length may be: exact as a number. */
const LENGTH = /^\d{1,15}$/;
const STATUS_LINE = /^HTTP\/1\.([01]) (\d{3})(?: .*)?$/;
/** A name is of the characters of a token, a value of none that controls. */
const HEADER = /^([!#$%&'*+.^_`|~\dA-Za-z-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)$/;

/** What the head of an answer says. */
export interface ResponseHead {
  readonly status: number;
  /** By their names in lower case, those of one name together. */
  readonly headers: IncomingHttpHeaders;
  /** Whether the connection stays open behind an answer that says where it ends. */
  readonly isReusable: boolean;
}

/** How the end of a body is known: its length in bytes, that of its chunks, or the end of the connection. */
export type Framing = number | 'chunked' | 'until-end';

/** The text of a request without a body. @throws TypeError for what would begin another line of it. */
export function headOf({ method, path, server, headers }: WireRequest): string {
  if (/[^\x21-\x7e]/.test(path)) throw new TypeError('the path has characters that need escaping');
  const lines = linesOf({ Host: server.host, ...headers });
  return [`${method} ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n');
}

function linesOf(headers: OutgoingHttpHeaders): string[] {
  return Object.entries(headers).map(([name, value]) => {
    const line = `${name}: ${String(value)}`;
    if (/[^\t\x20-\x7e\x80-\xff]/.test(line))
      throw new TypeError(`the header ${name} has characters that no header may have`);
    return line;
  });
}

/** @throws {@link ResponseError} for a first line that no answer has. */
export function assertStatusLine(line: string): void {
  if (!STATUS_LINE.test(line))
    throw new ResponseError('HPE_INVALID_CONSTANT', 'the answer is no HTTP/1.1');
}

/** Reads the lines of an answer's head, the first of which is sound. @throws {@link ResponseError} */
export function responseHead([first = '', ...lines]: readonly string[]): ResponseHead {
  const [, minor, status] = STATUS_LINE.exec(first) ?? [];
  const headers = headersOf(lines);
  const tokens = (headers.connection ?? '').toLowerCase().split(/[ \t]*,[ \t]*/);
  const isReusable = minor === '1' ? !tokens.includes('close') : tokens.includes('keep-alive');
  return { status: Number(status), headers, isReusable };
}

function headersOf(lines: readonly string[]): IncomingHttpHeaders {
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name = '', value = ''] = HEADER.exec(line) ?? [];
    if (name === '')
      throw new ResponseError('HPE_INVALID_HEADER_TOKEN', 'a line of the head is no header');
    const key = name.toLowerCase();
    const before = headers.get(key);
    headers.set(key, before === undefined ? value.trimEnd() : `${before}, ${value.trimEnd()}`);
  }
  return Object.fromEntries(headers);
}

/**
 * Where the body ends.
 * @throws {@link ResponseError} where the head does not say that clearly, since the rest would be lost or taken for an answer.
 */
export function framingOf({ status, headers }: ResponseHead): Framing {
  if (WITHOUT_BODY.has(status)) return 0;
  const length = headers['content-length'];
  const coding = headers['transfer-encoding'];
  if (coding !== undefined) {
    if (coding.toLowerCase() === 'chunked' && length === undefined) return 'chunked';
    throw new ResponseError(
      'HPE_INVALID_TRANSFER_ENCODING',
      `the answer is coded as ${coding}, which was not asked for`,
    );
  }
  if (length === undefined) return 'until-end';
  if (LENGTH.test(length)) return Number(length);
  throw new ResponseError('HPE_INVALID_CONTENT_LENGTH', 'the answer does not say its length');
}

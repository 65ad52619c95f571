import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { WireRequest } from './exchange.ts';

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

/** @param list Names and values in turn. @returns values by names in lower case, those of one name together. */
export function headersOf(list: readonly string[]): IncomingHttpHeaders {
  const headers: Record<string, string> = {};
  for (let at = 0; at + 1 < list.length; at += 2) {
    const name = String(list[at]).toLowerCase();
    const value = String(list[at + 1]);
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value;
  }
  return headers;
}

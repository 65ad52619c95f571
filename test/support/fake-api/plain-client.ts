import { Agent, request } from 'node:http';
import { type JsonValue, parseJson, stringifyJson } from '../../../src/support/json.ts';
import type { ApiClient } from '../api-client.ts';

/** The tests' client for a server without TLS. */
export function plainClient(server: string, token: string): ApiClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  return {
    request: (method, path, { body, type = 'application/json' } = {}) =>
      new Promise((resolve, reject) => {
        const headers = {
          authorization: `Bearer ${token}`,
          accept: 'application/json',
          'content-type': type,
        };
        const call = request(new URL(path, server), { method, agent, headers }, (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.on('error', reject);
          response.on('end', () => {
            resolve({
              status: response.statusCode ?? 0,
              body: valueOf(Buffer.concat(parts).toString('utf8')),
            });
          });
        });
        call.on('error', reject);
        const text = body === undefined ? undefined : stringifyJson(body);
        if (text !== undefined) call.setHeader('content-length', Buffer.byteLength(text));
        call.end(text);
      }),
    close: () => agent.destroy(),
  };
}

function valueOf(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { parse } from 'yaml';
import {
  parseJson,
  stringifyJson,
  type JsonObject,
  type JsonValue,
} from '../../src/support/json.ts';

/** Where an API server is and who asks. */
export interface ApiClientOptions {
  readonly server: string;
  /** PEM text of the certificate that the server must prove. */
  readonly ca: string;
  readonly token: string;
}

/** An answer of the API server. */
export interface ApiAnswer {
  readonly status: number;
  /** Parsed, with 64-bit integers kept; the text itself when it is no JSON. */
  readonly body: JsonValue;
}

/** Body and media type of a request. */
export interface ApiPayload {
  readonly body?: JsonObject | undefined;
  /** `application/json` when absent. */
  readonly type?: string | undefined;
}

/** Small client with which tests set up an API server; it does not use the product's own transport, which is under test. */
export interface ApiClient {
  request(method: string, path: string, payload?: ApiPayload): Promise<ApiAnswer>;
  close(): void;
}

/** A request that the server did not grant. */
export class ApiRefusal extends Error {
  readonly status: number;

  constructor(what: string, answer: ApiAnswer) {
    super(`${what}: ${answer.status} ${refusalText(answer.body)}`);
    this.status = answer.status;
  }
}

function refusalText(body: JsonValue): string {
  const message =
    typeof body === 'object' && body !== null && !Array.isArray(body) ? body['message'] : body;
  return typeof message === 'string' ? message : stringifyJson(message ?? body);
}

/** Opens a client that keeps its connections until it is closed. */
export function apiClient(options: ApiClientOptions): ApiClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 16, ca: options.ca });
  return {
    request: (method, path, payload = {}) => send(agent, options, { method, path, payload }),
    close: () => agent.destroy(),
  };
}

interface Kubeconfig {
  readonly 'current-context': string;
  readonly clusters: readonly {
    name: string;
    cluster: { server: string; 'certificate-authority': string };
  }[];
  readonly users: readonly { name: string; user: { token: string } }[];
  readonly contexts: readonly { name: string; context: { cluster: string; user: string } }[];
}

/** Opens a client for a kubeconfig of the form that the test servers write: a CA file and a token. */
export function clientOfKubeconfig(path: string): ApiClient {
  const config = parse(readFileSync(path, 'utf8')) as Kubeconfig;
  const context = config.contexts.find(({ name }) => name === config['current-context'])?.context;
  const cluster = config.clusters.find(({ name }) => name === context?.cluster)?.cluster;
  const token = config.users.find(({ name }) => name === context?.user)?.user.token;
  if (cluster === undefined || token === undefined)
    throw new Error(`${path} is no kubeconfig of a test server`);
  return apiClient({
    server: cluster.server,
    ca: readFileSync(cluster['certificate-authority'], 'utf8'),
    token,
  });
}

interface Order {
  readonly method: string;
  readonly path: string;
  readonly payload: ApiPayload;
}

function send(agent: Agent, options: ApiClientOptions, order: Order): Promise<ApiAnswer> {
  const { body, type = 'application/json' } = order.payload;
  const text = body === undefined ? '' : stringifyJson(body);
  const headers = {
    authorization: `Bearer ${options.token}`,
    accept: 'application/json',
    'content-type': type,
    // Node would announce no length for the body of a DELETE.
    'content-length': Buffer.byteLength(text),
  };
  return new Promise((resolve, reject) => {
    const call = request(
      new URL(order.path, options.server),
      { method: order.method, agent, headers },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', reject);
        response.on('end', () => {
          resolve({
            status: response.statusCode ?? 0,
            body: readBody(Buffer.concat(parts).toString('utf8')),
          });
        });
      },
    );
    call.on('error', reject);
    call.end(text);
  });
}

function readBody(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

/**
 * Sends a request that has to succeed.
 * @throws {@link ApiRefusal} when the server answers anything but 2xx, or one of the tolerated statuses.
 */
export async function demand(
  client: ApiClient,
  order: { method: string; path: string; tolerate?: readonly number[] } & ApiPayload,
): Promise<ApiAnswer> {
  const answer = await client.request(order.method, order.path, order);
  const granted = answer.status >= 200 && answer.status < 300;
  if (!granted && order.tolerate?.includes(answer.status) !== true) {
    throw new ApiRefusal(`${order.method} ${order.path}`, answer);
  }
  return answer;
}

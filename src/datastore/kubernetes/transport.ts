import {
  Agent,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as httpRequest,
} from 'node:http';
import { Agent as HttpsAgent, type RequestOptions, request as httpsRequest } from 'node:https';
import type { ClusterAccess } from './credentials.ts';
import { networkError, TimeoutFailure } from './map-network-error.ts';
import { SYSTEM_PORTS, type Ports } from '../ports.ts';
import { RateLimit } from '../rate-limit.ts';
import { ResponseBody } from './response-body.ts';

/** Connections at once; a check has some fifteen lists open. */
const MAX_SOCKETS = 32;
/** Longer than the server lets a list take, so that its own answer comes first. */
const DEFAULT_TIMEOUT_MS = 65_000;
const CONNECT_TIMEOUT_MS = 10_000;

/** A request to the API server. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with its query, from the root of the API. */
  readonly path: string;
  readonly accept?: string | undefined;
  readonly body?: { readonly type: string; readonly text: string } | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** An answer whose body has not been read, whatever its status. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: ResponseBody;
}

/** How the transport behaves. */
export interface TransportOptions {
  readonly userAgent: string;
  /** Milliseconds until the response begins, and of silence within one. */
  readonly timeoutMs?: number | undefined;
  /** Requests a second; unlimited when absent. */
  readonly qps?: number | undefined;
  readonly burst?: number | undefined;
  readonly ports?: Ports | undefined;
}

/** Sends requests to one API server, over connections that it keeps. It judges no status and repeats nothing. */
export class Transport {
  readonly access: ClusterAccess;
  readonly ports: Ports;
  readonly #userAgent: string;
  readonly #timeoutMs: number;
  readonly #agent: Agent;
  readonly #limit: RateLimit | undefined;

  constructor(access: ClusterAccess, options: TransportOptions) {
    this.access = access;
    this.ports = options.ports ?? SYSTEM_PORTS;
    this.#userAgent = options.userAgent;
    this.#timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.#agent = access.agent ?? directAgent(access);
    const { qps } = options;
    // Without a burst of its own a rate holds from the first second on.
    if (qps !== undefined)
      this.#limit = new RateLimit(qps, options.burst ?? Math.ceil(qps), this.ports);
  }

  /**
   * Resolves when the response has begun.
   * @throws {@link UnavailableError} or {@link ConfigError} when there is none; the reason of the signal when it aborts.
   */
  async send(request: ApiRequest): Promise<ApiResponse> {
    const { signal } = request;
    signal?.throwIfAborted();
    await this.#limit?.take(signal);
    const authorization = await this.access.authorize();
    const mapError = (error: unknown): Error => networkError(error, this.access, request);
    try {
      const message = await this.#begin(request, authorization);
      const body = new ResponseBody(message, { idleMs: this.#timeoutMs, signal, mapError });
      return { status: message.statusCode ?? 0, headers: message.headers, body };
    } catch (error) {
      throw signal?.aborted ? signal.reason : mapError(error);
    }
  }

  /** Ends every connection. */
  close(): void {
    this.#agent.destroy();
  }

  #begin(request: ApiRequest, authorization: OutgoingHttpHeaders): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const sent = this.#open(request, authorization);
      const { signal } = request;
      const abort = (): void => void sent.destroy(new Error('aborted'));
      signal?.addEventListener('abort', abort, { once: true });
      const timers = this.#watch(sent);
      const settle = (): void => {
        signal?.removeEventListener('abort', abort);
        for (const timer of timers) clearTimeout(timer);
      };
      sent.on('response', (message) => {
        settle();
        resolve(message);
      });
      sent.on('error', (error) => {
        settle();
        reject(error);
      });
      sent.end(request.body?.text);
    });
  }

  /** Timers that end a request whose connection or response does not come. */
  #watch(sent: ClientRequest): NodeJS.Timeout[] {
    const connectMs = Math.min(CONNECT_TIMEOUT_MS, this.#timeoutMs);
    const connecting = setTimeout(
      () => sent.destroy(new TimeoutFailure('connect', connectMs)),
      connectMs,
    );
    sent.on('socket', (socket) => {
      if (!socket.connecting) clearTimeout(connecting);
      else socket.once('connect', () => clearTimeout(connecting));
    });
    const answering = setTimeout(
      () => sent.destroy(new TimeoutFailure('answer', this.#timeoutMs)),
      this.#timeoutMs,
    );
    return [connecting, answering];
  }

  #open(request: ApiRequest, authorization: OutgoingHttpHeaders): ClientRequest {
    const { server, tls } = this.access;
    const secure = server.protocol === 'https:';
    const options: RequestOptions = {
      method: request.method,
      protocol: server.protocol,
      // URL keeps the brackets of an IPv6 address, which a socket does not want.
      hostname: server.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: server.port === '' ? undefined : server.port,
      path: `${server.pathname.replace(/\/$/, '')}${request.path}`,
      agent: this.#agent,
      headers: this.#headers(request, authorization),
      ...(secure ? tls : {}),
    };
    return secure ? httpsRequest(options) : httpRequest(options);
  }

  #headers(request: ApiRequest, authorization: OutgoingHttpHeaders): OutgoingHttpHeaders {
    const headers: OutgoingHttpHeaders = {
      ...authorization,
      Accept: request.accept ?? 'application/json',
      'User-Agent': this.#userAgent,
    };
    // Packing costs the server more than a connection within one machine does.
    if (!this.access.loopback) headers['Accept-Encoding'] = 'gzip';
    if (request.body) {
      headers['Content-Type'] = request.body.type;
      // Without it the body of a DELETE is sent in a form that servers do not read.
      headers['Content-Length'] = String(Buffer.byteLength(request.body.text));
    }
    return headers;
  }
}

function directAgent(access: ClusterAccess): Agent {
  const options = { keepAlive: true, maxSockets: MAX_SOCKETS };
  return access.server.protocol === 'https:'
    ? new HttpsAgent({ ...options, ...access.tls })
    : new Agent(options);
}

import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { AgentConnections } from './agent-connections.ts';
import type { ClusterAccess } from './credentials.ts';
import type { Connections, Exchange, ExchangeListener, Message, WireRequest } from './exchange.ts';
import { networkError, TimeoutFailure } from './map-network-error.ts';
import { SYSTEM_PORTS, type Ports } from '../ports.ts';
import { hostOf, portOf } from './proxy.ts';
import { RateLimit } from '../rate-limit.ts';
import { ReadConnections } from './read-connections.ts';
import { ResponseBody } from './response-body.ts';

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
  readonly #connections: Connections;
  /** Those of GET, which are most. */
  readonly #readConnections: Connections;
  readonly #limit: RateLimit | undefined;

  constructor(access: ClusterAccess, options: TransportOptions) {
    this.access = access;
    this.ports = options.ports ?? SYSTEM_PORTS;
    this.#userAgent = options.userAgent;
    this.#timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.#connections = new AgentConnections(access);
    // Through a proxy there is only the way of its agent.
    this.#readConnections = access.agent ? this.#connections : new ReadConnections();
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
      const { status, headers, body } = await this.#begin(request, authorization);
      const options = { idleMs: this.#timeoutMs, signal, mapError };
      return { status, headers, body: new ResponseBody(body, headers, options) };
    } catch (error) {
      throw signal?.aborted ? signal.reason : mapError(error);
    }
  }

  /** Ends every connection. */
  close(): void {
    this.#connections.close();
    this.#readConnections.close();
  }

  #begin(request: ApiRequest, authorization: OutgoingHttpHeaders): Promise<Message> {
    const { signal } = request;
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        signal?.removeEventListener('abort', abort);
        clearTimeout(connecting);
        clearTimeout(answering);
      };
      const sent = this.#send(request, authorization, {
        onConnected: () => clearTimeout(connecting),
        onMessage: (message) => {
          settle();
          resolve(message);
        },
        onError: (error) => {
          settle();
          reject(error);
        },
      });
      const abort = (): void => sent.destroy(new Error('aborted'));
      signal?.addEventListener('abort', abort, { once: true });
      const endAfter = (what: 'connect' | 'answer', ms: number): NodeJS.Timeout =>
        setTimeout(() => sent.destroy(new TimeoutFailure(what, ms)), ms);
      const connecting = endAfter('connect', Math.min(CONNECT_TIMEOUT_MS, this.#timeoutMs));
      const answering = endAfter('answer', this.#timeoutMs);
    });
  }

  #send(
    request: ApiRequest,
    authorization: OutgoingHttpHeaders,
    listener: ExchangeListener,
  ): Exchange {
    const { server, tls } = this.access;
    const wire: WireRequest = {
      method: request.method,
      server,
      host: hostOf(server),
      port: Number(portOf(server)),
      path: `${server.pathname.replace(/\/$/, '')}${request.path}`,
      headers: this.#headers(request, authorization),
      body: request.body?.text,
      tls: server.protocol === 'https:' ? tls : undefined,
    };
    const connections = request.method === 'GET' ? this.#readConnections : this.#connections;
    return connections.send(wire, listener);
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

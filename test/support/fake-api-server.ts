import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type JsonObject, stringifyJson } from '../../src/support/json.ts';
import type { ApiClient } from './api-client.ts';
import {
  type Accepts,
  type Answer,
  acceptsOf,
  jsonAnswer,
  refusal,
  sendAnswer,
} from './fake-api/answer.ts';
import { discoveryAnswer, versionAnswer } from './fake-api/discovery-answer.ts';
import { type FaultPlan, FaultScript, isWordless } from './fake-api/faults.ts';
import { Lister } from './fake-api/list-answer.ts';
import { ObjectStore, storeKey } from './fake-api/object-store.ts';
import { plainClient } from './fake-api/plain-client.ts';
import { establish } from './fake-api/definitions.ts';
import {
  collectionOf,
  DEFINITIONS,
  groupOf,
  resourceOf,
  type Target,
  targetOf,
} from './fake-api/resources.ts';
import { REVIEWS, reviewAnswer } from './fake-api/review-answer.ts';
import { notFound, writeAnswer } from './fake-api/write-answer.ts';

/** A request that the server saw. */
export interface SeenRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
}

/** How the server is. */
export interface FakeApiOptions {
  /** API groups that are served beside the core; the older Calico group when absent. */
  readonly groups?: readonly string[] | undefined;
  /** Minor version of Kubernetes 1. */
  readonly minor?: string | undefined;
  /** PEM texts; plain HTTP when absent. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
}

const TOKEN = 'token-of-admin';

/**
 * An API server inside the test's own process, with real sockets: for what a real one cannot be made to do. It passes the
 * same contract as the real one.
 */
export class FakeApiServer {
  readonly store = new ObjectStore();
  readonly lists = new Lister(this.store);
  readonly faults = new FaultScript();
  readonly requests: SeenRequest[] = [];
  groups: Set<string>;
  /** Whether discovery tells the resources of groups, as servers do since 1.26. */
  listsResources = true;
  /** Resources that are not served although their group is, by their plural. */
  readonly missing = new Set<string>();
  /** Whether definitions that are applied become served. */
  establishes = true;
  /** Minor version of Kubernetes 1. */
  readonly minor: string;
  /** Called before a request is answered, with how often its path was asked for, from 1: the place to change state. */
  onRequest: (path: string, nth: number) => void = () => undefined;
  readonly #server: Server;
  readonly #forbidden = new Set<string>();
  readonly #counts = new Map<string, number>();
  readonly #scheme: string;
  #client: ApiClient | undefined;

  constructor(options: FakeApiOptions = {}) {
    this.groups = new Set(options.groups ?? ['crd.projectcalico.org']);
    this.minor = options.minor ?? '36';
    this.#scheme = options.tls ? 'https' : 'http';
    const listener = (request: IncomingMessage, response: ServerResponse): void => {
      this.#serve(request, response).catch((error: unknown) => response.destroy(error as Error));
    };
    this.#server = options.tls ? createTlsServer(options.tls, listener) : createServer(listener);
  }

  /** Listens on a free loopback port. */
  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  /** Breaks every connection and ends. */
  async stop(): Promise<void> {
    this.#client?.close();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get url(): string {
    return `${this.#scheme}://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  /** Stores an object as it is, status included, without a request. */
  put(object: JsonObject): void {
    const resource = resourceOf(object);
    const { metadata } = object;
    const { namespace, name } = metadata as { namespace?: string; name: string };
    this.store.put(collectionOf(resource), storeKey(namespace, name), object);
  }

  /** Makes a definition that was applied served. */
  establish(name: string): void {
    establish(this, name);
  }

  /** Orders a fault. */
  fail(plan: FaultPlan): void {
    this.faults.add(plan);
  }

  /** Takes away every right to a resource, by its plural. */
  forbid(plural: string): void {
    this.#forbidden.add(plural);
  }

  /** Requests of a path, or all. */
  seen(path?: string): SeenRequest[] {
    return this.requests.filter((request) => path === undefined || request.path === path);
  }

  /** A client of the tests; it ends with the server. */
  client(): ApiClient {
    return (this.#client ??= plainClient(this.url, TOKEN));
  }

  /** Writes a kubeconfig for this server and answers its path. */
  writeKubeconfig(folder: string): string {
    const path = join(folder, 'kubeconfig');
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'fake', cluster: { server: this.url } }],
      users: [{ name: 'admin', user: { token: TOKEN } }],
      contexts: [{ name: 'fake', context: { cluster: 'fake', user: 'admin' } }],
      'current-context': 'fake',
    };
    writeFileSync(path, stringifyJson(config, 2), { mode: 0o600 });
    return path;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    const { method = 'GET', headers } = request;
    const path = url.pathname;
    const text = await bodyOf(request);
    this.requests.push({ method, path, query: url.searchParams, headers });
    const nth = (this.#counts.get(path) ?? 0) + 1;
    this.#counts.set(path, nth);
    this.onRequest(path, nth);
    const accepts = acceptsOf(headers);
    const fault = this.faults.next(method, path);
    if (isWordless(fault)) {
      if (fault?.type === 'reset') response.socket?.destroy();
      return;
    }
    const answer =
      faultAnswer(fault, accepts) ?? this.#answer({ method, url, headers, text, accepts });
    await sendAnswer(response, answer, { accepts, fault });
  }

  #answer(request: Call): Answer {
    const { method, url, headers, accepts } = request;
    if (headers.authorization !== `Bearer ${TOKEN}`) {
      return refusal(401, { reason: 'Unauthorized', message: 'Unauthorized' }, accepts);
    }
    if (url.pathname === '/version') return versionAnswer(this.minor);
    if (url.pathname === '/apis') return discoveryAnswer(this, headers.accept);
    if (url.pathname === REVIEWS) return reviewAnswer(request.text, this.#forbidden);
    const target = targetOf(url.pathname, this.groups);
    if (!target || this.missing.has(`${target.resource.plural}.${groupOf(target.resource)}`))
      return { status: 404, type: 'text/plain', body: Buffer.from('404 page not found\n') };
    if (this.#forbidden.has(target.resource.plural)) return forbidden(target, accepts);
    if (method !== 'GET') return this.#write(target, request);
    return target.name === undefined
      ? this.lists.answer(target, url.searchParams, accepts)
      : this.#read(target);
  }

  #write(target: Target, { method, text }: Call): Answer {
    const answer = writeAnswer(this.store, { method, target, text });
    if (target.resource === DEFINITIONS && this.establishes) this.establish(target.name ?? '');
    return answer;
  }

  #read(target: Target): Answer {
    const object = this.store.get(
      collectionOf(target.resource),
      storeKey(target.namespace, target.name ?? ''),
    );
    return object ? jsonAnswer(object) : notFound(target);
  }
}

/** Starts a fake API server. */
export function startFakeApiServer(options?: FakeApiOptions): Promise<FakeApiServer> {
  return new FakeApiServer(options).start();
}

interface Call {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  readonly accepts: Accepts;
}

function faultAnswer(fault: FaultPlan['fault'] | undefined, accepts: Accepts): Answer | undefined {
  if (fault?.type === 'html')
    return { status: 200, type: 'text/html', body: Buffer.from('<html>Log in</html>') };
  if (fault?.type !== 'status') return undefined;
  const { status, reason = 'Fault', message = `fault ${String(status)}`, retryAfter } = fault;
  const answer = refusal(status, { reason, message }, accepts);
  return retryAfter === undefined
    ? answer
    : { ...answer, headers: { 'retry-after': String(retryAfter) } };
}

function forbidden({ resource }: Target, accepts: Accepts): Answer {
  const message = `${resource.plural} is forbidden: User "admin" cannot list resource "${resource.plural}" in API group "${groupOf(resource)}"`;
  return refusal(403, { reason: 'Forbidden', message }, accepts);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}

/** A proxy before an API server that notes which rights a program makes use of, and can make it lose races. */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Agent, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { demand } from './api-client.ts';
import type { ApiServer } from './api-server-process.ts';
import { parseJson, type JsonObject } from '../../src/support/json.ts';

/** A right as one text: `update nodes/status`, `get ipampools.projectcalico.org`; with a name where that is limited. */
export type RightText = string;

/** A request for a resource, and what came of it. */
export interface ProxiedRequest {
  readonly right: RightText;
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

/** Kinds of which roles name the objects, since each has only a few. */
export const NAMED_RESOURCES: ReadonlySet<string> = new Set([
  'clusterinformations',
  'ipamconfigs',
  'ipamconfigurations',
  'kubecontrollersconfigurations',
  'customresourcedefinitions',
]);

const REVIEWS = 'selfsubjectaccessreviews';

/** What a right is made of. */
export interface RightParts {
  readonly verb: string;
  /** With its subresource: `nodes/status`. */
  readonly resource: string;
  readonly apiGroup: string;
  readonly name?: string | undefined;
}

/** The text of a right. */
export function rightText({ verb, resource, apiGroup, name }: RightParts): RightText {
  const isNamed = name !== undefined && NAMED_RESOURCES.has(resource);
  const group = apiGroup === '' ? '' : `.${apiGroup}`;
  return `${verb} ${resource}${group}${isNamed ? ` ${name}` : ''}`;
}

const VERBS: Readonly<Record<string, string>> = {
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

const RESOURCE_PATH =
  /^\/(?:api\/v1|apis\/(?<group>[^/]+)\/[^/]+)\/(?:namespaces\/[^/]+\/(?=.))?(?<resource>[^/]+)(?:\/(?<name>[^/]+)(?:\/(?<sub>[^/]+))?)?$/;

/** The right that a request needs; undefined for what is no resource, such as discovery. */
export function rightOfRequest(method: string, path: string): RightParts | undefined {
  const match = RESOURCE_PATH.exec(path);
  if (!match?.groups) return undefined;
  const { group = '', resource = '', name, sub } = match.groups;
  return {
    verb: VERBS[method] ?? (name === undefined ? 'list' : 'get'),
    resource: sub === undefined ? resource : `${resource}/${sub}`,
    apiGroup: group,
    name: name && decodeURIComponent(name),
  };
}

/** Sends everything on to the server, with the credentials that came. */
export class RightsProxy {
  readonly requests: ProxiedRequest[] = [];
  /** Rights that were asked about by access reviews. */
  readonly asked = new Set<RightText>();
  /** Whether somebody else changes each object right before its first update or removal. */
  isRacing = false;
  /** Whether the answer to the first write at each place is lost, so that the program has to look what came of it. */
  isLossy = false;
  readonly #server: ApiServer;
  readonly #agent: Agent;
  readonly #raced = new Set<string>();
  readonly #lost = new Set<string>();
  readonly #listener = createServer((incoming, answer) => {
    this.#serve(incoming, answer).catch((error: unknown) => answer.destroy(error as Error));
  });

  constructor(server: ApiServer) {
    this.#server = server;
    this.#agent = new Agent({ keepAlive: true, ca: readFileSync(server.caFile) });
  }

  /** Listens on a free loopback port. */
  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#listener.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.#listener.address() as AddressInfo).port)}`;
  }

  /** Forgets what was seen. */
  clear(): void {
    this.requests.length = 0;
    this.asked.clear();
    this.#raced.clear();
    this.#lost.clear();
  }

  async stop(): Promise<void> {
    this.#listener.closeAllConnections();
    await new Promise((resolve) => this.#listener.close(resolve));
    this.#agent.destroy();
  }

  async #serve(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = incoming;
    const body = await bodyOf(incoming);
    const path = new URL(url, this.#server.server).pathname;
    await this.#race(method, path);
    await new Promise<void>((resolve, reject) => {
      const { host: _host, ...headers } = incoming.headers;
      const options = { method, headers, agent: this.#agent };
      const call = request(new URL(url, this.#server.server), options, (response) => {
        const status = response.statusCode ?? 0;
        this.#note({ method, path, status }, body);
        // Applying what is not there takes two rights.
        if (method === 'PATCH' && status === 201)
          this.#note({ method: 'POST', path, status }, body);
        if (this.#loses(method, path)) {
          response.resume();
          response.on('end', () => {
            answer.destroy();
            resolve();
          });
          return;
        }
        answer.writeHead(status, response.headers);
        response.pipe(answer);
        response.on('end', resolve);
        response.on('error', reject);
      });
      call.on('error', reject);
      call.end(body);
    });
  }

  #note(seen: Omit<ProxiedRequest, 'right'>, body: Buffer): void {
    const right = rightOfRequest(seen.method, seen.path);
    if (right === undefined) return;
    if (right.resource === REVIEWS) this.asked.add(askedIn(body));
    else this.requests.push({ ...seen, right: rightText(right) });
  }

  #loses(method: string, path: string): boolean {
    const place = `${method} ${path}`;
    if (!this.isLossy || method === 'GET' || path.endsWith(REVIEWS) || this.#lost.has(place))
      return false;
    this.#lost.add(place);
    return true;
  }

  /** Changes an object so that what the program has read of it is no longer what is stored. */
  async #race(method: string, path: string): Promise<void> {
    if (!this.isRacing || (method !== 'PUT' && method !== 'DELETE') || this.#raced.has(path))
      return;
    this.#raced.add(path);
    await demand(this.#server.admin, {
      method: 'PATCH',
      path: path.replace(/\/status$/, ''),
      body: { metadata: { annotations: { 'example.com/raced': 'yes' } } },
      type: 'application/merge-patch+json',
      tolerate: [404],
    });
  }
}

function askedIn(body: Buffer): RightText {
  const { spec } = parseJson(body.toString('utf8')) as { readonly spec: JsonObject };
  const { verb, group, resource, subresource, name } = spec['resourceAttributes'] as {
    readonly [key: string]: string;
  };
  return rightText({
    verb: verb ?? '',
    resource: subresource ? `${resource ?? ''}/${subresource}` : (resource ?? ''),
    apiGroup: group ?? '',
    name,
  });
}

async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

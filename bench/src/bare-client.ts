import { readFileSync } from 'node:fs';
import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { parse } from 'yaml';

/** A request of a floor. */
export interface BareRequest {
  readonly method?: string | undefined;
  readonly path: string;
  readonly accept?: string | undefined;
  readonly body?: string | undefined;
}

/** Requests to the server of a kubeconfig and nothing else: what the floors are made of. */
export class BareClient {
  readonly #server: URL;
  readonly #token: string;
  readonly #agent: HttpAgent | HttpsAgent;

  /** @param maxSockets Connections at most; unlimited when absent. */
  constructor(kubeconfig: string, maxSockets = Infinity) {
    const config = parse(readFileSync(kubeconfig, 'utf8')) as {
      clusters: [{ cluster: { server: string; 'certificate-authority'?: string } }];
      users: [{ user: { token: string } }];
    };
    const { server, 'certificate-authority': ca } = config.clusters[0].cluster;
    this.#server = new URL(server);
    this.#token = config.users[0].user.token;
    this.#agent =
      ca === undefined
        ? new HttpAgent({ keepAlive: true, maxSockets })
        : new HttpsAgent({ keepAlive: true, maxSockets, ca: readFileSync(ca) });
  }

  /** The response, once its head is there. */
  send({
    method = 'GET',
    path,
    accept = 'application/json',
    body,
  }: BareRequest): Promise<IncomingMessage> {
    const { hostname, port, protocol } = this.#server;
    const content =
      body === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const headers = { accept, authorization: `Bearer ${this.#token}`, ...content };
    const options = { agent: this.#agent, hostname, port, path, method, headers };
    const start = protocol === 'http:' ? httpRequest : httpsRequest;
    return new Promise((resolve, reject) => {
      start(options, resolve).on('error', reject).end(body);
    });
  }

  /** The text of an answer. @throws Error when its status is none of success. */
  async text(request: BareRequest): Promise<string> {
    const response = await this.send(request);
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const { statusCode = 0 } = response;
    if (statusCode < 200 || statusCode > 299)
      throw new Error(`${request.path}: ${statusCode} ${text.slice(0, 200)}`);
    return text;
  }

  close(): void {
    this.#agent.destroy();
  }
}

import { Agent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, type RequestOptions, request as httpsRequest } from 'node:https';
import type { ClusterAccess } from './credentials.ts';
import type { Connections, Exchange, ExchangeListener, WireRequest } from './exchange.ts';

/** Connections at once; a check has some fifteen lists open. */
const MAX_SOCKETS = 32;

/** Sends any request by Node's own client, over connections that are kept for the next one. */
export class AgentConnections implements Connections {
  readonly #access: Pick<ClusterAccess, 'agent' | 'server' | 'tls'>;
  /** Made when it is first needed, since a command that only reads directly does without. */
  #agent: Agent | undefined;

  constructor(access: Pick<ClusterAccess, 'agent' | 'server' | 'tls'>) {
    this.#access = access;
  }

  send(request: WireRequest, listener: ExchangeListener): Exchange {
    this.#agent ??= this.#access.agent ?? directAgent(this.#access);
    const { method, server, host, port, path, headers, tls } = request;
    const options: RequestOptions = {
      ...{ method, path, headers, port },
      agent: this.#agent,
      protocol: server.protocol,
      hostname: host,
      ...tls,
    };
    const sent = tls === undefined ? httpRequest(options) : httpsRequest(options);
    sent.on('socket', (socket) => {
      if (!socket.connecting) listener.onConnected();
      else socket.once('connect', () => listener.onConnected());
    });
    sent.on('response', (body) => {
      listener.onMessage({ status: body.statusCode ?? 0, headers: body.headers, body });
    });
    sent.on('error', (error) => listener.onError(error));
    sent.end(request.body);
    return { destroy: (error) => void sent.destroy(error) };
  }

  close(): void {
    this.#agent?.destroy();
  }
}

function directAgent({ server, tls }: Pick<ClusterAccess, 'server' | 'tls'>): Agent {
  const options = { keepAlive: true, maxSockets: MAX_SOCKETS };
  return server.protocol === 'https:' ? new HttpsAgent({ ...options, ...tls }) : new Agent(options);
}

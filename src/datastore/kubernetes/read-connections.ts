import type { Connections, Exchange, ExchangeListener, WireRequest } from './exchange.ts';
import { headOf } from './message-head.ts';
import { type ConnectionOwner, cutOff, type Question, ReadConnection } from './read-connection.ts';

/** Sends requests without a body to one server, over connections of our own that are kept for the next one. */
export class ReadConnections implements Connections {
  readonly #open = new Set<ReadConnection>();
  readonly #idle: ReadConnection[] = [];
  #session: Buffer | undefined;

  readonly #owner: ConnectionOwner = {
    onSession: (session) => {
      this.#session = session;
    },
    onIdle: (connection) => this.#idle.push(connection),
    onClosed: (connection, unheard) => {
      this.#open.delete(connection);
      const at = this.#idle.indexOf(connection);
      if (at >= 0) this.#idle.splice(at, 1);
      // Over a new connection, since the other old ones may have met the same end.
      if (unheard !== undefined) this.#connect(unheard.request).ask(unheard);
    },
  };

  send(request: WireRequest, listener: ExchangeListener): Exchange {
    const question: Question = { request, head: headOf(request), listener };
    (this.#idle.pop() ?? this.#connect(request)).ask(question);
    return { destroy: (error) => this.#giveUp(question, error) };
  }

  close(): void {
    for (const connection of this.#open) connection.destroy(cutOff(true));
  }

  #connect(request: WireRequest): ReadConnection {
    const connection = new ReadConnection(request, this.#session, this.#owner);
    this.#open.add(connection);
    return connection;
  }

  /** The question may have gone on to another connection than its first. */
  #giveUp(question: Question, error: Error): void {
    for (const connection of this.#open) {
      if (connection.question === question) connection.destroy(error);
    }
  }
}

import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { TlsSettings } from './credentials.ts';

/** A request as it goes over the wire. */
export interface WireRequest {
  readonly method: string;
  readonly server: URL;
  /** Host without the brackets of an IPv6 address, which a socket does not want. */
  readonly host: string;
  readonly port: number;
  /** Path and query, percent-encoded. */
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: string | undefined;
  /** Absent for a plain connection. */
  readonly tls?: TlsSettings | undefined;
}

/** An answer whose body has not been read. */
export interface Message {
  readonly status: number;
  /** By their names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** The body as the server sent it. An answer that breaks off is an error of the stream. */
  readonly body: Readable;
}

/** What becomes of a request. After `onMessage` or `onError` nothing more is called. */
export interface ExchangeListener {
  /** There is a connection, which may be an old one. */
  onConnected(): void;
  onMessage(message: Message): void;
  onError(error: Error): void;
}

/** A request under way. */
export interface Exchange {
  /** Gives it up, which ends in `onError` unless the answer has begun. */
  destroy(error: Error): void;
}

/** A way to send requests. */
export interface Connections {
  send(request: WireRequest, listener: ExchangeListener): Exchange;
  /** Ends all of them. */
  close(): void;
}

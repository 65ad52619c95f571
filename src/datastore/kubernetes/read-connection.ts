import { connect, isIP, type OnReadOpts, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { CollectedBody } from './collected-body.ts';
import type { ExchangeListener, WireRequest } from './exchange.ts';
import { ResponseParser } from './response-parser.ts';

/** Room for what one read of the connection brings; a record of TLS has at most 16 KiB. */
const READ_BYTES = 64 * 1024;

/** A request, and who waits for its answer. */
export interface Question {
  readonly request: WireRequest;
  /** The request as it is sent. */
  readonly head: string;
  readonly listener: ExchangeListener;
}

/** What becomes of a connection. */
export interface ConnectionOwner {
  /** There is what later connections to the same server can begin with, to be quicker. */
  onSession(session: Buffer): void;
  /** It is free for another question. */
  onIdle(connection: ReadConnection): void;
  /** @param unheard A question that came when the server had closed the connection already, and has to be asked again. */
  onClosed(connection: ReadConnection, unheard: Question | undefined): void;
}

/**
 * A connection for one question after the other, none of which has a body. Lists come by the 4 KB, each of which costs
 * Node's own client a buffer and the ways of two streams: more time than all that is made of a list. Here they are read into
 * the same memory again and again.
 */
export class ReadConnection {
  readonly #owner: ConnectionOwner;
  readonly #socket: Socket;
  readonly #parser: ResponseParser;
  #question: Question | undefined;
  /** Undefined until the head of the answer is there. */
  #body: CollectedBody | undefined;
  #answers = 0;
  /** Whether anything came since the question. */
  #isHeard = false;
  #isClosed = false;

  /** @param session Of an earlier connection. */
  constructor(request: WireRequest, session: Buffer | undefined, owner: ConnectionOwner) {
    this.#owner = owner;
    this.#parser = this.#newParser();
    this.#socket = openSocket(request, session, {
      buffer: Buffer.allocUnsafeSlow(READ_BYTES),
      callback: (bytes, buffer) => this.#read((buffer as Buffer).subarray(0, bytes)),
    });
    this.#socket.once('connect', () => this.#question?.listener.onConnected());
    this.#socket.on('session', (fresh: Buffer) => owner.onSession(fresh));
    this.#socket.on('error', (error) => this.#lose(error));
    this.#socket.on('end', () => this.#endOfConnection());
    this.#socket.on('close', () => this.#endOfConnection());
  }

  /** What is being answered. */
  get question(): Question | undefined {
    return this.#question;
  }

  /** Asks over it, when it is new or idle. */
  ask(question: Question): void {
    this.#question = question;
    this.#isHeard = false;
    // Whoever asks does not expect an answer before the call returns.
    if (this.#answers > 0) {
      process.nextTick(() => {
        if (this.#question === question) question.listener.onConnected();
      });
    }
    this.#socket.ref();
    this.#socket.resume();
    this.#socket.write(question.head, 'latin1');
  }

  /** Closes it; what is being answered fails with the error. */
  destroy(error: Error): void {
    this.#close(error, false);
  }

  /** The server, or what lies in between, has closed it. A question that it did not hear is not to blame. */
  #lose(error: Error): void {
    this.#close(error, this.#answers > 0 && !this.#isHeard);
  }

  #close(error: Error, isUnheard: boolean): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#socket.destroy();
    const question = this.#question;
    this.#question = undefined;
    if (this.#body !== undefined) this.#body.destroy(error);
    else if (!isUnheard) question?.listener.onError(error);
    this.#owner.onClosed(this, isUnheard ? question : undefined);
  }

  #newParser(): ResponseParser {
    return new ResponseParser({
      onHead: (status, headers) => {
        const body = new CollectedBody({
          resume: () => void this.#socket.resume(),
          giveUp: () => this.destroy(cutOff(true)),
        });
        this.#body = body;
        this.#question?.listener.onMessage({ status, headers, body });
      },
      onPiece: (bytes, from, to) => this.#body?.add(bytes, from, to),
      onEnd: (isReusable) => this.#endOfAnswer(isReusable),
    });
  }

  /** @returns whether more is wanted. */
  #read(bytes: Buffer): boolean {
    this.#isHeard = true;
    if (this.#question === undefined) this.destroy(cutOff(false));
    else this.#push(bytes);
    return this.#body?.wantsMore ?? true;
  }

  #push(bytes: Buffer): void {
    try {
      this.#parser.push(bytes);
    } catch (error) {
      this.destroy(error as Error);
    }
  }

  #endOfAnswer(isReusable: boolean): void {
    const body = this.#body;
    this.#body = undefined;
    this.#question = undefined;
    this.#answers++;
    body?.finish();
    if (isReusable) {
      this.#socket.unref();
      this.#owner.onIdle(this);
    } else this.destroy(cutOff(false));
  }

  /** The end of the connection is the end of a body that says neither its length nor its end, and cuts any other. */
  #endOfConnection(): void {
    if (this.#isClosed) return;
    this.#parser.end();
    this.#lose(cutOff(this.#body !== undefined));
  }
}

function openSocket(
  { host, port, tls }: WireRequest,
  session: Buffer | undefined,
  onread: OnReadOpts,
): Socket {
  if (tls === undefined) return connect({ host, port, onread });
  // An address is not sent as a server name, but compared with the certificate all the same.
  const servername = tls.servername ?? (isIP(host) === 0 ? host : '');
  const ALPNProtocols = ['http/1.1'];
  // Node's documentation of tls.connect has `onread`, its types have not.
  const options = { ...tls, host, port, servername, ALPNProtocols, session, onread };
  return connectSecurely(options);
}

/** The error that Node's own client has for it. */
export function cutOff(hasBegun: boolean): Error {
  return Object.assign(new Error(hasBegun ? 'aborted' : 'socket hang up'), { code: 'ECONNRESET' });
}

import type { SecureContext } from 'node:tls';
import { DataError } from '../../errors/data-error.ts';
import { UnavailableError } from '../../errors/unavailable-error.ts';
import type { EtcdConnection } from '../connection.ts';
import { SYSTEM_PORTS } from '../ports.ts';
import { RateLimit } from '../rate-limit.ts';
import { TokenHolder, userOf } from './auth.ts';
import { CallFailure, reasonOf } from './call-failure.ts';
import type { Endpoint } from './endpoints.ts';
import type {
  ClientOptions,
  EtcdClient,
  RangeAnswer,
  RangeOptions,
  ReadOptions,
  RequestOptions,
  WriteAnswer,
} from './etcd-client.ts';
import {
  type ConditionalWrite,
  decodeAuthenticate,
  decodeRange,
  decodeTxn,
  encodeAuthenticate,
  encodeConditionalWrite,
  encodeRange,
  type RangeRequest,
  type RangeResponse,
} from './messages.ts';
import { rangePages } from './range-pages.ts';
import { Sender } from './send-request.ts';
import { Transport } from './transport.ts';

/** Key that is read to learn the revision of the store; everybody who may use IPAM may read it. */
const PROBE_KEY = '/calico/ipam/v2/config';

/** What a client is made of. */
export interface ClientParts {
  readonly connection: EtcdConnection;
  readonly endpoints: readonly Endpoint[];
  readonly secureContext: SecureContext | undefined;
  readonly options: ClientOptions;
}

/** The client of etcd over gRPC. */
export class GrpcEtcdClient implements EtcdClient {
  readonly displayEndpoints: string;
  readonly #connection: EtcdConnection;
  readonly #transport: Transport;
  readonly #sender: Sender;
  readonly #tokens: TokenHolder | undefined;
  readonly #closed = new AbortController();
  readonly #signal: AbortSignal;

  constructor({ connection, endpoints, secureContext, options }: ClientParts) {
    const { timeoutMs, signal, qps } = connection;
    const ports = options.ports ?? SYSTEM_PORTS;
    this.displayEndpoints = endpoints.map(({ display }) => display).join(',');
    this.#connection = connection;
    this.#signal = signal ? AbortSignal.any([signal, this.#closed.signal]) : this.#closed.signal;
    const { maxAnswerBytes } = options;
    this.#transport = new Transport({ secureContext, timeoutMs, maxAnswerBytes });
    // Without a burst of its own a rate holds from the first second on.
    const limit = qps && new RateLimit(qps.value, Math.ceil(qps.value), ports);
    this.#sender = new Sender({ endpoints, transport: this.#transport, limit, ports, connection });
    const user = userOf(connection);
    this.#tokens = user && new TokenHolder(() => this.#signIn(user));
  }

  async get(key: string, options: ReadOptions = {}): Promise<RangeAnswer> {
    const { revision } = options;
    const answer = await this.#range({ key: keyBytes(key), revision }, options.signal);
    return { entries: answer.entries, revision: revision ?? answer.revision };
  }

  range(prefix: string, options: RangeOptions = {}): AsyncIterable<RangeAnswer> {
    const pageSize = options.pageSize ?? this.#connection.pageSize;
    return rangePages(prefix, { ...options, pageSize }, (request, signal) =>
      this.#range({ ...request, prefix }, signal),
    );
  }

  create(key: string, value: string, options: RequestOptions = {}): Promise<WriteAnswer> {
    return this.#write({ key, value, modRevision: 0n }, 'create', options);
  }

  replace(
    key: string,
    value: string,
    { modRevision, signal }: RequestOptions & { readonly modRevision: bigint },
  ): Promise<WriteAnswer> {
    return this.#change({ key, value, modRevision }, 'update', { signal });
  }

  remove(
    key: string,
    { modRevision, signal }: RequestOptions & { readonly modRevision: bigint },
  ): Promise<WriteAnswer> {
    return this.#change({ key, modRevision }, 'delete', { signal });
  }

  async revision(options: RequestOptions = {}): Promise<bigint> {
    return (await this.get(PROBE_KEY, options)).revision;
  }

  close(): void {
    this.#closed.abort(new UnavailableError('the connection to etcd is closed'));
    this.#transport.close();
  }

  #range(
    request: RangeRequest & { readonly prefix?: string | undefined },
    signal: AbortSignal | undefined,
  ): Promise<RangeResponse> {
    const { prefix, key, revision } = request;
    return this.#sender.send({
      method: '/etcdserverpb.KV/Range',
      message: encodeRange(request),
      decode: decodeRange,
      isWrite: false,
      subject: {
        verb: prefix === undefined ? 'get' : 'list',
        resource: prefix ?? key.toString('utf8'),
        revision,
      },
      tokens: this.#tokens,
      signal: this.#with(signal),
    });
  }

  /** No key has revision 0, and a comparison with it would hold for a key that is absent. */
  async #change(
    write: ConditionalWrite & { readonly key: string },
    verb: string,
    options: RequestOptions,
  ): Promise<WriteAnswer> {
    if (write.modRevision > 0n) return this.#write(write, verb, options);
    const { entries } = await this.get(write.key, options);
    return { done: false, current: entries[0] };
  }

  async #write(
    write: ConditionalWrite & { readonly key: string },
    verb: string,
    { signal }: RequestOptions,
  ): Promise<WriteAnswer> {
    const { succeeded, revision, current } = await this.#sender.send({
      method: '/etcdserverpb.KV/Txn',
      message: encodeConditionalWrite({ ...write, key: keyBytes(write.key) }),
      decode: decodeTxn,
      isWrite: true,
      subject: { verb, resource: write.key },
      tokens: this.#tokens,
      signal: this.#with(signal),
    });
    return succeeded ? { done: true, revision } : { done: false, current };
  }

  /** Fetches a token; none when etcd has its user management switched off, as Calico takes it. */
  async #signIn(user: { name: string; password: string }): Promise<string | undefined> {
    try {
      return await this.#sender.send({
        method: '/etcdserverpb.Auth/Authenticate',
        message: encodeAuthenticate(user.name, user.password),
        decode: decodeAuthenticate,
        isWrite: false,
        subject: { verb: 'authenticate', resource: user.name },
        signal: this.#signal,
      });
    } catch (error) {
      const { cause } = error as Error;
      if (cause instanceof CallFailure && reasonOf(cause) === 'auth-disabled') return undefined;
      throw error;
    }
  }

  #with(signal: AbortSignal | undefined): AbortSignal {
    return signal ? AbortSignal.any([signal, this.#signal]) : this.#signal;
  }
}

/** @throws {@link DataError} for a text with half a character, which would become another key on its way. */
function keyBytes(key: string): Buffer {
  if (key.isWellFormed()) return Buffer.from(key, 'utf8');
  throw new DataError(`the key ${JSON.stringify(key)} is no text that etcd can hold`, {
    details: { key },
  });
}

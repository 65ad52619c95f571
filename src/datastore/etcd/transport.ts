import { isIP } from 'node:net';
import { checkServerIdentity, type SecureContext } from 'node:tls';
import {
  type ChannelCredentials,
  type ChannelOptions,
  Client,
  connectivityState,
  credentials,
  Metadata,
  type ServiceError,
} from '@grpc/grpc-js';
import { InternalError } from '../../errors/internal-error.ts';
import { CallFailure, STATUS } from './call-failure.ts';
import type { Endpoint } from './endpoints.ts';

const DIAL_TIMEOUT_MS = 10_000;
const KEEPALIVE_MS = 30_000;
const KEEPALIVE_TIMEOUT_MS = 10_000;
/** Longer than etcd lets a request take, so that its own answer comes first. */
const DEFAULT_TIMEOUT_MS = 30_000;
/** A page of an answer that is larger is asked for in smaller ones. */
const DEFAULT_ANSWER_BYTES = 32 * 1024 * 1024;
/** Name in the handshake with an endpoint that is an address, where a name must stand and an address must not. */
const NAMELESS = 'etcd';

/** One call of a method of etcd's. */
export interface Call {
  /** Path of the method, such as `/etcdserverpb.KV/Range`. */
  readonly method: string;
  readonly message: Buffer;
  /** Token of the user; absent when nobody signed in. */
  readonly token?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How the transport behaves. */
export interface TransportOptions {
  readonly secureContext: SecureContext | undefined;
  /** Milliseconds until a call is given up, on one endpoint. */
  readonly timeoutMs?: number | undefined;
  readonly maxAnswerBytes?: number | undefined;
}

/** Sends calls to the endpoints of one cluster, over connections that it keeps. It judges no answer and repeats nothing. */
export class Transport {
  readonly #options: TransportOptions;
  readonly #timeoutMs: number;
  readonly #clients = new Map<Endpoint, Client>();

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  }

  /**
   * Bytes of the answer.
   * @throws {@link CallFailure} when there is none; the reason of the signal when it aborts.
   */
  async send(endpoint: Endpoint, call: Call): Promise<Buffer> {
    call.signal?.throwIfAborted();
    const client = this.#clientOf(endpoint);
    await this.#connect(client, endpoint, call.signal);
    return this.#call(client, endpoint, call);
  }

  /** Ends every connection. */
  close(): void {
    for (const client of this.#clients.values()) client.close();
    this.#clients.clear();
  }

  #clientOf(endpoint: Endpoint): Client {
    const known = this.#clients.get(endpoint);
    if (known) return known;
    const client = new Client(
      targetOf(endpoint),
      channelCredentials(endpoint, this.#options.secureContext),
      this.#channelOptions(endpoint),
    );
    this.#clients.set(endpoint, client);
    return client;
  }

  #channelOptions(endpoint: Endpoint): ChannelOptions {
    return {
      'grpc.primary_user_agent': 'ipamctl',
      'grpc.keepalive_time_ms': KEEPALIVE_MS,
      'grpc.keepalive_timeout_ms': KEEPALIVE_TIMEOUT_MS,
      'grpc.max_receive_message_length': this.#options.maxAnswerBytes ?? DEFAULT_ANSWER_BYTES,
      'grpc.max_send_message_length': -1,
      'grpc.initial_reconnect_backoff_ms': 100,
      'grpc.max_reconnect_backoff_ms': 1000,
      // Configuration comes from where the user put it, not from proxies or DNS texts that happen to be there.
      'grpc.enable_http_proxy': 0,
      'grpc.service_config_disable_resolution': 1,
      // Repeating is decided elsewhere, since a write must not be repeated.
      'grpc.enable_retries': 0,
      'grpc.use_local_subchannel_pool': 1,
      ...(isIP(endpoint.host) === 0 ? {} : { 'grpc.ssl_target_name_override': NAMELESS }),
    };
  }

  /** Waits until the connection is made, or has failed so that the call will say why. */
  async #connect(client: Client, endpoint: Endpoint, signal?: AbortSignal): Promise<void> {
    const channel = client.getChannel();
    const milliseconds = Math.min(DIAL_TIMEOUT_MS, this.#timeoutMs);
    const deadline = Date.now() + milliseconds;
    for (;;) {
      const state = channel.getConnectivityState(true);
      if (state === connectivityState.READY || state === connectivityState.TRANSIENT_FAILURE)
        return;
      const isInTime = await new Promise<boolean>((resolve, reject) => {
        const abort = (): void => reject(signal?.reason as Error);
        signal?.addEventListener('abort', abort, { once: true });
        channel.watchConnectivityState(state, deadline, (error) => {
          signal?.removeEventListener('abort', abort);
          resolve(error === undefined);
        });
      });
      if (isInTime) continue;
      const text = `no connection within ${String(milliseconds / 1000)} s`;
      throw new CallFailure(text, {
        ...{ endpoint, status: STATUS.deadlineExceeded, wasNeverSent: true },
      });
    }
  }

  #call(client: Client, endpoint: Endpoint, call: Call): Promise<Buffer> {
    const { signal } = call;
    const deadline = Date.now() + this.#timeoutMs;
    return new Promise((resolve, reject) => {
      const sent = client.makeUnaryRequest(
        call.method,
        (message: Buffer) => message,
        (message: Buffer) => message,
        call.message,
        metadataOf(call.token),
        { deadline },
        (error, answer) => {
          signal?.removeEventListener('abort', abort);
          if (error === null && answer !== undefined) resolve(answer);
          else reject(signal?.aborted ? (signal.reason as Error) : this.#failure(error, endpoint));
        },
      );
      const abort = (): void => sent.cancel();
      signal?.addEventListener('abort', abort, { once: true });
    });
  }

  #failure(error: ServiceError | null, endpoint: Endpoint): CallFailure {
    const details = error?.details ?? 'an answer without content';
    const status: number = error?.code ?? STATUS.internal;
    const isLate = status === STATUS.deadlineExceeded;
    return new CallFailure(
      isLate ? `no answer within ${String(this.#timeoutMs / 1000)} s` : details,
      { endpoint, status, wasNeverSent: NEVER_SENT.test(details), cause: error ?? undefined },
    );
  }
}

/** What gRPC says when it has no connection to send on; everything else may have reached a server. */
const NEVER_SENT = /^(No connection established|Name resolution failed)/;

function targetOf({ host, port }: Endpoint): string {
  return `dns:${isIP(host) === 6 ? `[${host}]` : host}:${String(port)}`;
}

function channelCredentials(
  { host, isSecure }: Endpoint,
  context: SecureContext | undefined,
): ChannelCredentials {
  if (!isSecure) return credentials.createInsecure();
  if (context === undefined)
    throw new InternalError(`${host} is secure, and there is no TLS for it`);
  if (isIP(host) === 0) return credentials.createFromSecureContext(context);
  return credentials.createFromSecureContext(context, {
    // The certificate has to be for the address, whatever name stood in the handshake.
    checkServerIdentity: (_name, certificate) => checkServerIdentity(host, certificate),
  });
}

function metadataOf(token: string | undefined): Metadata {
  const metadata = new Metadata();
  // A member that has lost its leader refuses at once, instead of waiting for one.
  metadata.set('hasleader', 'true');
  if (token !== undefined) metadata.set('token', token);
  return metadata;
}

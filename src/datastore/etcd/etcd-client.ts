import { resolveSrv } from 'node:dns/promises';
import { AccessDeniedError } from '../../errors/access-denied-error.ts';
import type { EtcdConnection } from '../connection.ts';
import type { Ports } from '../ports.ts';
import { findEndpoints, type ResolveSrv } from './endpoints.ts';
import { GrpcEtcdClient } from './grpc-etcd-client.ts';
import { secureContext } from './tls.ts';

/** A key of etcd with its value, at one revision. */
export interface EtcdEntry {
  /** The key; what in it is no UTF-8 stands as U+FFFD, and then {@link value} is undefined. Never write to such a key. */
  readonly key: string;
  /** Text of the value, `''` for zero bytes. Undefined when value or key is no UTF-8: the row cannot be read. */
  readonly value: string | undefined;
  /** Revision of the last change, the condition of a write. */
  readonly modRevision: bigint;
  readonly createRevision: bigint;
}

/** What a read found. */
export interface RangeAnswer {
  /** In the order of the keys' bytes. */
  readonly entries: readonly EtcdEntry[];
  /** The revision at which it was read: the one that was asked for, else the store's own at that moment. */
  readonly revision: bigint;
}

/** What became of a conditional write; when its condition did not hold, what stands there now. */
export type WriteAnswer =
  | {
      readonly done: true;
      /** Revision of the store after the write; the new mod revision of a key that was put. */
      readonly revision: bigint;
    }
  | { readonly done: false; readonly current: EtcdEntry | undefined };

/** What every request may carry. */
export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
}

/** What a read may carry. */
export interface ReadOptions extends RequestOptions {
  /** Read as of this revision; the newest, linearizable, when absent. */
  readonly revision?: bigint | undefined;
}

/** What a range may carry. */
export interface RangeOptions extends ReadOptions {
  /** Entries of a page at most; 500 when absent. A page that is too big for a message is asked for again with less. */
  readonly pageSize?: number | undefined;
}

/**
 * The few requests of etcd that the datastore needs. Errors of every method: {@link AccessDeniedError},
 * {@link UnavailableError}, {@link ConfigError}; {@link CompactedError} when etcd has forgotten a revision;
 * {@link DataError} for what is too large; the signal's reason when it aborts. A write whose answer was lost fails as an `UnavailableError` with `retryable: true`: whether
 * it was applied shows a read only. Reads are sent again, on the next endpoint, a few times before they fail.
 */
export interface EtcdClient {
  /** Endpoints for messages; free of credentials. */
  readonly displayEndpoints: string;
  /** The entry of one key, or none. */
  get(key: string, options?: ReadOptions): Promise<RangeAnswer>;
  /** All entries whose key begins with the prefix, page by page, all at the revision of the first page or the given one. Yields at least one page. */
  range(prefix: string, options?: RangeOptions): AsyncIterable<RangeAnswer>;
  /** Puts a key that does not exist. */
  create(key: string, value: string, options?: RequestOptions): Promise<WriteAnswer>;
  /** Puts a key whose mod revision is this one. */
  replace(
    key: string,
    value: string,
    options: RequestOptions & { readonly modRevision: bigint },
  ): Promise<WriteAnswer>;
  /** Deletes a key whose mod revision is this one. */
  remove(
    key: string,
    options: RequestOptions & { readonly modRevision: bigint },
  ): Promise<WriteAnswer>;
  /** Revision of the store now, linearizable. */
  revision(options?: RequestOptions): Promise<bigint>;
  /** Closes the connections; requests on their way fail. */
  close(): void;
}

/** What the client takes from around it; tests put their own in. */
export interface ClientOptions {
  readonly ports?: Ports | undefined;
  /** The DNS of the system when absent. */
  readonly resolveSrv?: ResolveSrv | undefined;
  /** Bytes of an answer at most; pages that are larger are split. */
  readonly maxAnswerBytes?: number | undefined;
}

/**
 * Connects to etcd: reads certificates, finds the endpoints, signs in, and asks for the revision once, so that a wrong
 * setting fails here.
 *
 * @throws {@link ConfigError} naming the origin of a setting that is wrong.
 * @throws {@link AccessDeniedError} when user and password are not accepted, or missing; lacking rights do not matter yet.
 * @throws {@link UnavailableError} when no endpoint answers.
 */
export async function openEtcdClient(
  connection: EtcdConnection,
  options: ClientOptions = {},
): Promise<EtcdClient> {
  const client = await makeClient(connection, options);
  try {
    await client.revision();
  } catch (error) {
    if (!(error instanceof AccessDeniedError && error.details['denied'] !== undefined)) {
      client.close();
      throw error;
    }
  }
  return client;
}

async function makeClient(connection: EtcdConnection, options: ClientOptions): Promise<EtcdClient> {
  const endpoints = await findEndpoints(connection, options.resolveSrv ?? resolveSrv);
  const needsTls = endpoints.some(({ isSecure }) => isSecure);
  const context = needsTls ? await secureContext(connection) : undefined;
  return new GrpcEtcdClient({ connection, endpoints, secureContext: context, options });
}

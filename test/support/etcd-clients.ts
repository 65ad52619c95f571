import type { EtcdConnection, Sourced } from '../../src/datastore/connection.ts';
import {
  type ClientOptions,
  type EtcdClient,
  openEtcdClient,
  type RangeAnswer,
} from '../../src/datastore/etcd/etcd-client.ts';
import { ToolError } from '../../src/errors/tool-error.ts';
import { failureOf } from './temp-folder.ts';

/** A setting with its origin. */
export function sourced(value: string, origin = 'a test'): Sourced<string> {
  return { value, origin };
}

/** Opens a client of these endpoints. */
export type OpenClient = (
  endpoints: string,
  settings?: Partial<EtcdConnection>,
  options?: ClientOptions,
) => Promise<EtcdClient>;

/** Opens clients for the tests of a suite, and closes them after each. */
export function etcdClients(): OpenClient {
  const open: EtcdClient[] = [];
  afterEach(() => {
    for (const client of open.splice(0)) client.close();
  });
  return async (endpoints, settings = {}, options) => {
    const connection = { env: {}, endpoints: sourced(endpoints), ...settings };
    const client = await openEtcdClient(connection, options);
    open.push(client);
    return client;
  };
}

/** All pages of a range. */
export async function collectPages(pages: AsyncIterable<RangeAnswer>): Promise<RangeAnswer[]> {
  const all: RangeAnswer[] = [];
  for await (const page of pages) all.push(page);
  return all;
}

/** A failure, which must be one of our errors. */
export async function toolErrorOf(action: Promise<unknown>): Promise<ToolError> {
  const error = await failureOf(action);
  if (error instanceof ToolError) return error;
  throw new Error('the error is none of ours', { cause: error });
}

/** Keys of all pages, in their order. */
export function keysOf(pages: readonly RangeAnswer[]): string[] {
  return pages.flatMap(({ entries }) => entries.map(({ key }) => key));
}

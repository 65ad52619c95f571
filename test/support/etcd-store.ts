/** The keys of a real etcd, read and written by its JSON gateway: not by the client that is under test. */
import { parseJson } from '../../src/support/json.ts';

/** Operations that etcd takes in one transaction. */
const BATCH = 100;

interface GatewayEntry {
  readonly key: string;
  readonly value?: string;
}

/** Keys and values of one etcd. */
export class EtcdStore {
  readonly #endpoint: string;

  constructor(endpoint: string) {
    this.#endpoint = endpoint;
  }

  /** Everything below a prefix, by key; all of Calico's when it is absent. */
  async entries(prefix = '/calico/'): Promise<ReadonlyMap<string, string>> {
    const answer = await this.#post('range', { key: encode(prefix), range_end: endOf(prefix) });
    const { kvs = [] } = answer as { readonly kvs?: readonly GatewayEntry[] };
    return new Map(kvs.map(({ key, value = '' }) => [decode(key), decode(value)]));
  }

  /** Puts entries, whatever is there. */
  async put(entries: Iterable<readonly [key: string, value: string]>): Promise<void> {
    const puts = [...entries].map(([key, value]) => ({
      requestPut: { key: encode(key), value: encode(value) },
    }));
    for (let start = 0; start < puts.length; start += BATCH)
      await this.#post('txn', { success: puts.slice(start, start + BATCH) });
  }

  /** Takes an entry away. */
  async remove(key: string): Promise<void> {
    await this.#post('deleterange', { key: encode(key) });
  }

  /** Takes everything away that is Calico's. */
  async wipe(): Promise<void> {
    await this.#post('deleterange', { key: encode('/calico/'), range_end: endOf('/calico/') });
  }

  /** Forgets the history before now. */
  async compact(): Promise<void> {
    const { header } = (await this.#post('range', { key: encode('/') })) as {
      readonly header: { readonly revision: string };
    };
    await this.#post('compaction', { revision: header.revision, physical: true });
  }

  async #post(method: string, body: object): Promise<unknown> {
    const path = method === 'compaction' ? 'kv/compaction' : `kv/${method}`;
    const response = await fetch(`${this.#endpoint}/v3/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method}: ${response.status} ${text}`);
    return parseJson(text);
  }
}

function encode(text: string): string {
  return Buffer.from(text).toString('base64');
}

function decode(text: string): string {
  return Buffer.from(text, 'base64').toString();
}

/** The first key behind all that begin with the prefix. */
function endOf(prefix: string): string {
  const bytes = Buffer.from(prefix);
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) + 1, bytes.length - 1);
  return bytes.toString('base64');
}

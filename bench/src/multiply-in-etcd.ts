/**
 * Copies what an API server holds inside its etcd, key by key, under new names and addresses of the same length: the values
 * of core objects are protobuf, in which lengths stand before texts. It takes a fiftieth of the time of the API.
 */
import { hostnameHash } from '../../src/ipam/model/names.ts';
import { mapLimit } from '../../src/support/map-limit.ts';

/** What is different in a copy, `#` standing for its digit; see `seeded-cluster.ts`. */
const MARKS = [
  ['node-0', 'node-#'],
  ['7d9f8b6c5d', '7d9f8b6c5#'],
  ['k8s-pod-network.0', 'k8s-pod-network.#'],
  ['10.100.', '10.10#.'],
  ['10-100-', '10-10#-'],
  ['fd00:100:', 'fd00:10#:'],
  ['fd00-100-', 'fd00-10#-'],
] as const;

const AFFINITIES = '/registry/crd.projectcalico.org/blockaffinities/';
const PREFIXES = [
  AFFINITIES,
  '/registry/pods/',
  '/registry/minions/',
  '/registry/crd.projectcalico.org/ipamblocks/',
  '/registry/crd.projectcalico.org/ipamhandles/',
];

/** Operations of a transaction at most, and bytes of a request: both stay below etcd's limits. */
const MOST_PUTS = 100;
const MOST_BYTES = 1_000_000;
const PAGE = 500;

interface Entry {
  readonly key: Buffer;
  readonly value: Buffer;
}

/**
 * Makes copies, so that there is the given multiple afterwards.
 * @param times 2 to 10.
 * @throws Error when etcd refuses.
 */
export async function multiplyInEtcd(endpoint: string, times: number): Promise<void> {
  const digits = Array.from({ length: times - 1 }, (_, copy) => String(copy + 1));
  for (const prefix of PREFIXES) {
    for await (const entries of pagesBelow(endpoint, prefix)) {
      const copies = digits.flatMap((digit) => entries.map((entry) => copyOf(entry, digit)));
      await mapLimit(batches(copies), { limit: 8 }, (batch) => put(endpoint, batch));
    }
  }
}

/** The entries as they were before the first copy was made, since copies sort among them. */
async function* pagesBelow(endpoint: string, prefix: string): AsyncGenerator<Entry[]> {
  let revision: string | undefined;
  const end = successor(Buffer.from(prefix));
  for (let from = Buffer.from(prefix); ;) {
    const answer = (await post(endpoint, 'range', {
      key: from.toString('base64'),
      range_end: end.toString('base64'),
      limit: PAGE,
      revision,
    })) as {
      header: { revision: string };
      kvs?: { key: string; value: string }[];
      more?: boolean;
    };
    revision ??= answer.header.revision;
    const entries = (answer.kvs ?? []).map(({ key, value }) => ({
      key: Buffer.from(key, 'base64'),
      value: Buffer.from(value, 'base64'),
    }));
    if (entries.length > 0) yield entries;
    if (answer.more !== true) return;
    from = Buffer.concat([entries.at(-1)!.key, Buffer.from([0])]);
  }
}

/** The first key behind all that begin with the prefix. */
function successor(prefix: Buffer): Buffer {
  const end = Buffer.from(prefix);
  end[end.length - 1]! += 1;
  return end;
}

function copyOf({ key, value }: Entry, digit: string): Entry {
  const copy = renamed(value, digit);
  const isAffinity = key.toString('latin1').startsWith(AFFINITIES);
  return { key: renamed(key, digit), value: isAffinity ? relabelled(copy) : copy };
}

/** An affinity with the label of its own host. */
function relabelled(value: Buffer): Buffer {
  const object = JSON.parse(value.toString()) as {
    metadata: { labels: Record<string, string> };
    spec: { node: string };
  };
  object.metadata.labels['projectcalico.org/hostname-hash'] = hostnameHash(object.spec.node);
  return Buffer.from(JSON.stringify(object));
}

function renamed(bytes: Buffer, digit: string): Buffer {
  // One character a byte, so that binary values stay what they are.
  let text = bytes.toString('latin1');
  for (const [mark, copy] of MARKS) text = text.replaceAll(mark, copy.replace('#', digit));
  return Buffer.from(text, 'latin1');
}

function* batches(entries: readonly Entry[]): Generator<Entry[]> {
  let batch: Entry[] = [];
  let bytes = 0;
  for (const entry of entries) {
    if (batch.length === MOST_PUTS || bytes + entry.value.length > MOST_BYTES) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(entry);
    bytes += entry.value.length;
  }
  if (batch.length > 0) yield batch;
}

async function put(endpoint: string, entries: readonly Entry[]): Promise<void> {
  const success = entries.map(({ key, value }) => ({
    request_put: { key: key.toString('base64'), value: value.toString('base64') },
  }));
  await post(endpoint, 'txn', { success });
}

async function post(endpoint: string, call: string, body: unknown): Promise<unknown> {
  const response = await fetch(`${endpoint}/v3/kv/${call}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`etcd refuses ${call}: ${await response.text()}`);
  return response.json();
}

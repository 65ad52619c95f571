import type {
  Datastore,
  RowVersion,
  WritableDatastore,
  WritableRow,
  WriteOptions,
} from '../../src/datastore/datastore.ts';
import { ConflictError } from '../../src/errors/conflict-error.ts';
import { ToolError } from '../../src/errors/tool-error.ts';
import { UnavailableError } from '../../src/errors/unavailable-error.ts';
import type { JsonObject, ResourceKey, ResourceKind } from '../../src/ipam/model/resource.ts';
import type { FaultRates } from './job.ts';
import type { SeededRandom } from './random.ts';

/** Annotation by which somebody else changes a row. */
const TOUCHED = 'hammer.example.org/touched';

/** What happens instead of a write, or around it. */
export type Fault = 'conflict' | 'interference' | 'unsent' | 'unanswered' | undefined;

/** Decides about a write and sees that it is done. */
export interface WriteWatcher {
  before(): Fault;
  after(): void;
}

/** Faults by chance, counted. */
export class RandomFaults implements WriteWatcher {
  conflicts = 0;
  outages = 0;
  writes = 0;
  /** Called with the number of writes so far: before the first with 0, and after each. */
  onWrite: (writes: number) => void = () => undefined;
  readonly #random: SeededRandom;
  readonly #rates: FaultRates;

  constructor(random: SeededRandom, rates: FaultRates) {
    this.#random = random;
    this.#rates = rates;
  }

  before(): Fault {
    if (this.writes === 0) this.onWrite(0);
    const { conflict, interference, outage } = this.#rates;
    const dice = this.#random.next();
    if (dice < outage) {
      this.outages++;
      return this.#random.isLucky(0.5) ? 'unsent' : 'unanswered';
    }
    if (dice >= outage + conflict + interference) return undefined;
    this.conflicts++;
    return dice < outage + conflict ? 'conflict' : 'interference';
  }

  after(): void {
    this.onWrite(++this.writes);
  }
}

/** A datastore whose conditional writes meet conflicts and lost answers. */
export function faultyDatastore(
  inner: WritableDatastore,
  watcher: WriteWatcher,
): WritableDatastore {
  return Object.assign(readingOf(inner), {
    create: <R extends WritableRow>(row: R, options?: WriteOptions): Promise<R> =>
      write(watcher, { send: () => inner.create(row, options) }),
    update: <R extends WritableRow>(row: R, options?: WriteOptions): Promise<R> =>
      write(watcher, { send: () => inner.update(row, options), touch: () => touch(inner, row) }),
    remove: (row: RowVersion, options?: WriteOptions): Promise<void> =>
      write(watcher, { send: () => inner.remove(row, options), touch: () => touch(inner, row) }),
  });
}

function readingOf(inner: WritableDatastore): Datastore {
  return {
    capabilities: inner.capabilities,
    keys: inner.keys,
    describe: () => inner.describe(),
    get: (kind, key, options) => inner.get(kind, key, options),
    list: (kind, options) => inner.list(kind, options),
    compareRevisions: (a, b) => inner.compareRevisions(a, b),
    close: () => inner.close(),
  };
}

interface Write<T> {
  readonly send: () => Promise<T>;
  /** Changes the row as somebody else would; absent where there is no row yet. */
  readonly touch?: (() => Promise<void>) | undefined;
}

async function write<T>(watcher: WriteWatcher, { send, touch }: Write<T>): Promise<T> {
  const fault = watcher.before();
  if (fault === 'unsent') throw new UnavailableError('the request was lost', { retryable: true });
  if (touch && fault === 'conflict') throw new ConflictError('a conflict that was made up');
  if (touch && fault === 'interference') await touch();
  const answer = await send();
  watcher.after();
  if (fault === 'unanswered')
    throw new UnavailableError('the answer was lost', { retryable: true });
  return answer;
}

/** A change that Calico's client does not know of: an annotation of somebody else's. */
async function touch(
  inner: WritableDatastore,
  { kind, key }: { readonly kind: ResourceKind; readonly key: ResourceKey },
): Promise<void> {
  try {
    const row = (await inner.get(kind, key)) as WritableRow | undefined;
    const object = row?.object;
    if (!row || !object) return;
    const metadata = object['metadata'] as JsonObject;
    const annotations = (metadata['annotations'] ?? {}) as JsonObject;
    const touches = Number(annotations[TOUCHED] ?? 0) + 1;
    await inner.update({
      ...row,
      object: {
        ...object,
        metadata: { ...metadata, annotations: { ...annotations, [TOUCHED]: String(touches) } },
      },
    });
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
  }
}

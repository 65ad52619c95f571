import type { Row } from '../../src/ipam/model/row.ts';
import { GarbageCollector } from '../../src/operations/collect-garbage.ts';
import type { CollectorOptions } from '../../src/operations/gc/collector-options.ts';
import { aPool, NOW } from './builders.ts';
import { RowDatastore, type RowDatastoreOptions } from './row-datastore.ts';
import { contextOf } from './scripted-datastore.ts';
import { aClusterInformation } from './settings-builders.ts';

/** Grace period of the collectors, in milliseconds. */
export const GC_GRACE_MS = 900_000;

/** A collector on rows, with a clock that a test moves. */
export class GcWorld {
  readonly datastore: RowDatastore;
  readonly collector: GarbageCollector;
  now = NOW;

  constructor(
    rows: readonly Row[],
    options: Partial<CollectorOptions> = {},
    more: RowDatastoreOptions = {},
  ) {
    const base = [aClusterInformation(), aPool('main', '10.0.0.0/16')];
    // A row of the test stands in for one of the same name.
    this.datastore = new RowDatastore([...base, ...rows], { live: true, ...more });
    this.collector = this.another(options);
  }

  another(options: Partial<CollectorOptions> = {}): GarbageCollector {
    const clock = { now: () => this.now, sleep: () => Promise.resolve() };
    const defaults = { leakGraceMs: GC_GRACE_MS, minAgeMs: 300_000, isMismatchAllowed: false };
    return new GarbageCollector(contextOf(this.datastore, { clock }), { ...defaults, ...options });
  }

  /** One round, that many minutes after the start. */
  async at(minutes: number, collector = this.collector) {
    this.now = NOW + minutes * 60_000;
    const round = await collector.round();
    const outcome = await round.mutation.apply();
    return { round, outcome, applied: appliedIn(outcome.document.items) };
  }
}

function appliedIn(
  items: readonly {
    readonly action?: string | undefined;
    readonly result: string;
    readonly subject: { readonly name: string };
  }[],
): readonly string[] {
  return items
    .filter(({ result }) => result === 'applied')
    .map(({ action, subject }) => `${action ?? ''} ${subject.name}`);
}

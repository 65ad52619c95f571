import type { WritableDatastore } from '../../src/datastore/datastore.ts';
import type { EngineClock } from '../../src/engine/engine-context.ts';
import type { JsonObject, JsonValue } from '../../src/support/json.ts';
import type { TraceForm } from './trace.ts';

/** Time on a stage. */
export interface StageClock extends EngineClock {
  nanoseconds(): bigint;
  /** Lets time pass. */
  wait(seconds: number): Promise<void>;
}

/** An object of Kubernetes by its plural, such as `ipamblocks`, and its name. */
export interface ObjectPlace {
  readonly plural: string;
  readonly name: string;
}

/**
 * A datastore under test, and the way around ipamctl by which a scenario is set up and rows are read. Traces of etcd use
 * entries, all others objects. A stage is empty when it is opened.
 */
export interface Stage {
  readonly form: TraceForm;
  readonly datastore: WritableDatastore;
  readonly clock: StageClock;
  readObject(place: ObjectPlace): Promise<JsonObject | undefined>;
  /** Makes an object, or puts it in the place of the one that is there. */
  writeObject(plural: string, object: JsonObject): Promise<void>;
  removeObject(place: ObjectPlace): Promise<void>;
  readEntry(key: string): Promise<string | undefined>;
  writeEntry(key: string, value: string): Promise<void>;
  removeEntry(key: string): Promise<void>;
  /** Every row that traces look at, under its place: an object, or the text of an entry. */
  rows(): Promise<ReadonlyMap<string, JsonValue>>;
  close(): Promise<void>;
}

/** Opens an empty stage for rows of one form; undefined when the datastore cannot hold them. */
export type OpenStage = (form: TraceForm) => Promise<Stage | undefined>;

/** Something that opens stages, and what they share. */
export interface StageHouse {
  readonly open: OpenStage;
  close(): Promise<void>;
}

import type { Datastore } from '../datastore/datastore.ts';
import type { Clock } from '../support/clock.ts';
import type { Progress } from '../support/progress.ts';

/** The ports that every operation gets. */
export interface OperationContext {
  readonly datastore: Datastore;
  readonly clock: Clock;
  readonly progress: Progress;
  readonly signal: AbortSignal;
  /** Version of ipamctl, for the documents that record their tool. */
  readonly toolVersion: string;
}

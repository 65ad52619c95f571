import { StreamRestart } from '../datastore/datastore.ts';
import { UnavailableError } from '../errors/unavailable-error.ts';
import type { ResourceKind } from '../ipam/model/resource.ts';
import type { Row } from '../ipam/model/row.ts';
import type { OperationContext } from './context.ts';

/** How often a list is taken that is cut, or that comes out older than it may be. */
export const LIST_ATTEMPTS = 4;

/** Takes rows as they come. */
export interface RowTaker {
  take(rows: readonly Row[]): void;
  /** The rows so far are void: the stream was cut, and the kind is listed again. */
  drop(): void;
}

/** Lists one kind and hands its rows on, which need not be kept; from the start again when the stream is cut. */
export async function eachRow(
  context: OperationContext,
  kind: ResourceKind,
  taker: RowTaker,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      const listing = await context.datastore.list(kind, { signal: context.signal });
      for await (const batch of listing.rows) taker.take(batch);
      return;
    } catch (error) {
      if (!(error instanceof StreamRestart)) throw error;
      taker.drop();
      if (attempt === LIST_ATTEMPTS) throw cutTooOften(kind, error);
    }
  }
}

/** The error after the last attempt at a list whose stream was cut each time. */
export function cutTooOften(kind: ResourceKind, restart: StreamRestart): UnavailableError {
  const { cause } = restart;
  const why = cause instanceof Error ? `: ${cause.message}` : '';
  return new UnavailableError(`the list of ${kind} was cut ${LIST_ATTEMPTS} times${why}`, {
    cause,
    retryable: true,
  });
}

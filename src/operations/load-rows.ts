import { StreamRestart } from '../datastore/datastore.ts';
import { UnavailableError } from '../errors/unavailable-error.ts';
import type { ResourceKind } from '../ipam/model/resource.ts';
import type { Row } from '../ipam/model/row.ts';
import type { OperationContext } from './context.ts';

/** How often a list is taken that is cut, or that comes out older than it may be. */
export const LIST_ATTEMPTS = 4;

/** Lists one kind and gives the rows that are wanted; from the start again when the stream is cut. */
export async function loadRows(
  context: OperationContext,
  kind: ResourceKind,
  isWanted: (row: Row) => boolean,
): Promise<readonly Row[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      const rows: Row[] = [];
      const listing = await context.datastore.list(kind, { signal: context.signal });
      for await (const batch of listing.rows) rows.push(...batch.filter(isWanted));
      return rows;
    } catch (error) {
      if (!(error instanceof StreamRestart)) throw error;
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

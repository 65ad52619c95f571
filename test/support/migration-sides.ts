/** Sides of a migration over ports that are there already, for the state of a migration. */
import type { OperationContext } from '../../src/operations/context.ts';
import type {
  MigrationStatusDocument,
  ReadSide,
} from '../../src/operations/documents/migration-status-document.ts';
import type { Outcome } from '../../src/operations/outcome.ts';
import {
  type MigrationSide,
  showMigrationStatus,
} from '../../src/operations/show-migration-status.ts';

/** A side that opens. */
export function sideOf(context: OperationContext): MigrationSide {
  return { source: context.datastore.describe(), open: () => Promise.resolve(context) };
}

/** A side that does not open. */
export function brokenSide(datastore: 'etcd' | 'kubernetes', error: unknown): MigrationSide {
  return {
    source: { datastore },
    open: async () => {
      await Promise.resolve();
      throw error;
    },
  };
}

/** The state of sides that open. */
export function statusOf(
  ...contexts: readonly OperationContext[]
): Promise<Outcome<MigrationStatusDocument>> {
  return showMigrationStatus(contexts.map(sideOf), new AbortController().signal);
}

/** The state of a side that can be read. */
export async function readSide(context: OperationContext): Promise<ReadSide> {
  const [side] = (await statusOf(context)).document.sides;
  if (side === undefined || 'error' in side) throw new Error('the side cannot be read');
  return side;
}

import type { ReadReport } from '../../check/read-report.ts';
import type { Row } from '../../ipam/model/row.ts';
import type { OperationContext } from '../context.ts';
import { LOOKS_APART_MS, type Look, needsSecondLook, takeLook } from '../look.ts';

/** Reports that count as the first look. */
export interface FirstLooks {
  readonly reports: readonly ReadReport[];
  /** They offer rows of handles, for which no address vouches. */
  readonly hasHandles: boolean;
}

/** The look by which a release goes, and one before it where the reports are none. */
export interface LooksAfterReports {
  readonly look: Look;
  readonly earlier?: Look | undefined;
}

/**
 * Takes the fresh look. Where handle rows are offered it has to be some seconds after the report: an assignment under way
 * shows by then. A report that does not say when it was made counts for nothing, so two looks are taken.
 */
export async function lookAfterReports(
  context: OperationContext,
  { reports, hasHandles }: FirstLooks,
  isWanted: (row: Row) => boolean,
): Promise<LooksAfterReports> {
  if (!hasHandles || !context.datastore.capabilities.live)
    return { look: await takeLook(context, isWanted) };
  const times = reports.flatMap(({ checkedAt }) => checkedAt ?? []);
  const age = times.length === 0 ? undefined : context.clock.now() - Math.min(...times);
  // A report from the future is of another clock: its age is not known.
  if (age !== undefined && age >= LOOKS_APART_MS)
    return { look: await takeLook(context, isWanted) };
  const earlier = await takeLook(context, isWanted);
  if (!needsSecondLook(context, earlier.state)) return { look: earlier };
  context.progress.step('waiting before the second look');
  await context.clock.sleep(LOOKS_APART_MS, context.signal);
  return { look: await takeLook(context, isWanted), earlier };
}

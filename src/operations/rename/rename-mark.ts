import type { WritableRow } from '../../datastore/datastore.ts';
import { ConflictError } from '../../errors/conflict-error.ts';
import { PreconditionError } from '../../errors/precondition-error.ts';
import { readMark, RENAME_MARK, RENAMED_MARK } from '../../ipam/marks.ts';
import type { ClusterInformationRow } from '../../ipam/model/cluster-information.ts';
import { CONFIG_NAME } from '../../ipam/model/ipam-config.ts';
import { readTexts, withAnnotation } from '../../ipam/model/object-metadata.ts';
import { hashOfMap, isLinked, type NameMap } from '../../ipam/rename/legs.ts';
import { stringifyJson } from '../../support/json.ts';
import { formatTime } from '../../support/time.ts';
import type { OperationContext } from '../context.ts';
import { CLUSTER_KEY } from '../migrate/cluster-row.ts';
import type { RowAccess } from '../row-access.ts';
import { withRetries } from '../with-retries.ts';
import type { Writer } from '../writer.ts';

/** What an undo file says of writes of the mark. */
const PURPOSE = {
  action: 'rename-block',
  subject: { kind: 'ClusterInformation', name: CONFIG_NAME },
} as const;

/** The tools by which the mark is written. */
export interface MarkTools {
  readonly context: OperationContext;
  readonly access: RowAccess;
  readonly writer: Writer;
}

/** How far a renaming has come. */
export interface LegMark {
  /** From 1. */
  readonly leg: number;
  readonly legs: number;
}

/**
 * The leg at which a renaming of this map was interrupted, from 1; undefined when none is under way.
 * @throws {@link PreconditionError} while another map is under way.
 */
export function markedLeg(
  row: ClusterInformationRow | undefined,
  names: NameMap,
  legs: number,
): number | undefined {
  if (marksOf(row).rename === undefined) return undefined;
  const mark = readMark(row?.object, RENAME_MARK);
  const { map, leg } = mark ?? {};
  if (map !== hashOfMap(names)) {
    const what = typeof map === 'string' ? ` (map ${map})` : '';
    throw new PreconditionError(`another renaming of nodes is not finished${what}`, {
      hint: 'go on with it by its own names first, or take it back with ipamctl ipam restore and its undo file; ipamctl datastore migrate status tells of it',
      details: { mark: mark ?? {} },
    });
  }
  if (typeof leg === 'number' && Number.isInteger(leg) && leg >= 1 && leg <= legs) return leg;
  throw new PreconditionError(
    `the mark of the renaming does not say how far it has come: ${stringifyJson(mark ?? {})}`,
    { hint: 'take it back with ipamctl ipam restore and its undo file' },
  );
}

/**
 * Notes the leg that is about to begin.
 * @param assertAllowed Looks at the row as it is then, lock included.
 * @throws {@link PreconditionError} when somebody else has begun another renaming.
 */
export async function setMark(
  names: NameMap,
  { leg, legs }: LegMark,
  {
    context,
    access,
    writer,
    assertAllowed,
  }: MarkTools & { assertAllowed: (row: ClusterInformationRow) => void },
): Promise<void> {
  await withRetries(context, async () => {
    const row = await access.read('ClusterInformation', CLUSTER_KEY);
    if (row === undefined) throw new ConflictError('the ClusterInformation is gone');
    assertAllowed(row);
    if (markedLeg(row, names, legs) === leg) return;
    const at = formatTime(Math.floor(context.clock.now() / 1000) * 1000);
    const [pair] = names;
    const only = names.size === 1 && pair ? { from: pair[0], to: pair[1] } : {};
    const mark = stringifyJson({ map: hashOfMap(names), leg, legs, ...only, at });
    await writer.update(row, marked(row, { rename: mark, renamed: undefined }), PURPOSE);
  });
}

/** Takes the mark off; of a map whose names do not tell that it is done, a note stays until the lock is given up. */
export async function endMark(names: NameMap, tools: MarkTools): Promise<void> {
  const isLinkedMap = [...names.keys()].some((name) => isLinked(name, names));
  const renamed = isLinkedMap ? stringifyJson({ map: hashOfMap(names) }) : undefined;
  await putMarks({ rename: undefined, renamed }, tools);
}

/** Whether this map was the last one to be done whole under this lock. */
export function isNotedDone(row: ClusterInformationRow | undefined, names: NameMap): boolean {
  return readMark(row?.object, RENAMED_MARK)?.['map'] === hashOfMap(names);
}

/** Texts of the marks of renamings. */
export interface RenameMarks {
  readonly rename: string | undefined;
  readonly renamed: string | undefined;
}

/** The marks on a row. */
export function marksOf(row: WritableRow | undefined): RenameMarks {
  const texts = readTexts(row?.object, 'annotations');
  return { rename: texts[RENAME_MARK], renamed: texts[RENAMED_MARK] };
}

/** Makes the marks what they are to be. */
export async function putMarks(
  marks: RenameMarks,
  { context, access, writer }: MarkTools,
): Promise<void> {
  await withRetries(context, async () => {
    const row = await access.read('ClusterInformation', CLUSTER_KEY);
    if (row === undefined) return;
    const { rename, renamed } = marksOf(row);
    if (rename === marks.rename && renamed === marks.renamed) return;
    await writer.update(row, marked(row, marks), PURPOSE);
  });
}

function marked(
  row: ClusterInformationRow,
  { rename, renamed }: RenameMarks,
): ClusterInformationRow {
  const object = withAnnotation(row.object, RENAME_MARK, rename);
  return { ...row, object: withAnnotation(object, RENAMED_MARK, renamed) };
}

import type { AffinityRow } from '../../ipam/model/affinity.ts';
import type { BlockRow } from '../../ipam/model/block.ts';
import { comparableHandleId } from '../../ipam/handle-id.ts';
import type { ReadableRow } from '../../ipam/model/row.ts';
import type { WritableRow } from '../../datastore/datastore.ts';
import type { KeptAs, PlanAction, PlanItem, PlanSubject } from '../../ipam/plan.ts';
import { cidrsEqual, formatCidr } from '../../net/cidr.ts';
import { isSameRow } from '../undo/same-row.ts';
import { restoreBlockNames } from './restore-block-names.ts';
import { isOnTheWay, type RowHistory } from './row-histories.ts';

/** Why a row is left as it is. */
export interface KeptRow {
  readonly end: KeptAs;
  readonly reason: string;
}

/** The rows of the file, and what is stored under their names. */
export interface Surroundings {
  readonly rows: readonly RowHistory[];
  readonly stored: (row: RowHistory) => ReadableRow | undefined;
}

const ACTIONS = {
  IPAMBlock: 'rename-block',
  BlockAffinity: 'rename-affinity',
  IPAMHandle: 'rename-handle',
} as const satisfies Partial<Record<WritableRow['kind'], PlanAction>>;

const REASONS: Readonly<Partial<Record<WritableRow['kind'], string>>> = {
  IPAMBlock: 'gets its owner and the names in its records back',
  BlockAffinity: 'is as it was before the renaming',
  IPAMHandle: 'counts what it counted before the renaming',
};

/** Why a row of the file is left alone, judged by what is stored now; undefined when it goes back. */
export function keptOf(
  history: RowHistory,
  current: ReadableRow | undefined,
  around: Surroundings,
): KeptRow | undefined {
  const row = current as WritableRow | undefined;
  if (isSameRow(row, history.first)) return { end: 'already', reason: 'it is as it was before' };
  switch (history.kind) {
    case 'IPAMBlock':
      return keptBlock(history, row);
    case 'BlockAffinity':
      return keptClaim(history, row, around);
    case 'IPAMHandle':
      return keptHandle(history, row);
    default:
      return { end: 'harmless', reason: 'it is none of the rows that are renamed' };
  }
}

/** Both sorts of states of a block that a file has. */
export function blockStates({ first, later }: RowHistory): {
  readonly first: BlockRow | undefined;
  readonly later: readonly BlockRow[];
} {
  return {
    first: first?.kind === 'IPAMBlock' ? first : undefined,
    later: later.filter((row): row is BlockRow => row?.kind === 'IPAMBlock'),
  };
}

function keptBlock(history: RowHistory, row: WritableRow | undefined): KeptRow | undefined {
  const { first, later } = blockStates(history);
  if (row?.kind !== 'IPAMBlock' || row.deleted || first === undefined)
    return { end: 'refusal', reason: 'it is gone' };
  const { isChanged, isOwnedAnew, others } = restoreBlockNames(row, { first, later });
  if (isChanged) return undefined;
  if (isOwnedAnew) return { end: 'refusal', reason: 'it has got another owner since' };
  const what =
    others === 0 ? '' : `; ${others} addresses have been released or given to others since`;
  return { end: 'already', reason: `it has its names${what}` };
}

function keptClaim(
  history: RowHistory,
  row: WritableRow | undefined,
  around: Surroundings,
): KeptRow | undefined {
  if (!isOnTheWay(history, row)) return { end: 'refusal', reason: 'it has changed since' };
  const { first } = history;
  return first?.kind === 'BlockAffinity' ? keptByBlock(first, around) : undefined;
}

/** A row that owned its block comes back only where the block does. */
function keptByBlock(claim: AffinityRow, { rows, stored }: Surroundings): KeptRow | undefined {
  const block = rows.find(
    ({ kind, first }) =>
      kind === 'IPAMBlock' && first?.kind === 'IPAMBlock' && cidrsEqual(first.cidr, claim.cidr),
  );
  if (block === undefined) return undefined;
  const { first, later } = blockStates(block);
  if (first?.affinity !== `${claim.type}:${claim.host}`) return undefined;
  const current = stored(block);
  if (current?.kind !== 'IPAMBlock' || current.deleted)
    return { end: 'refusal', reason: 'its block is gone' };
  return [first, ...later].some(({ affinity }) => affinity === current.affinity)
    ? undefined
    : { end: 'refusal', reason: 'its block has got another owner since' };
}

function keptHandle(
  { first, later }: RowHistory,
  row: WritableRow | undefined,
): KeptRow | undefined {
  const ids = new Set(
    [first, ...later].flatMap((state) =>
      state?.kind === 'IPAMHandle' ? comparableHandleId(state.id) : [],
    ),
  );
  const isKnown = row?.kind !== 'IPAMHandle' || ids.has(comparableHandleId(row.id));
  return isKnown ? undefined : { end: 'refusal', reason: 'it is of another id now' };
}

/** The item of a row. */
export function itemOfHistory(history: RowHistory, kept: KeptRow | undefined): PlanItem {
  const { kind, first, later } = history;
  const isGoing = first === undefined;
  return {
    action: kind in ACTIONS ? ACTIONS[kind as keyof typeof ACTIONS] : undefined,
    subject: subjectOf(history, first ?? later.find((row) => row !== undefined)),
    precondition: kept ? '' : 'as the renaming left it',
    reason:
      kept?.reason ?? (isGoing ? 'goes: the renaming made it' : (REASONS[kind] ?? 'goes back')),
    kept: kept?.end,
  };
}

function subjectOf({ kind, key }: RowHistory, row: WritableRow | undefined): PlanSubject {
  return {
    kind,
    name: key.name,
    cidr: row && 'cidr' in row ? formatCidr(row.cidr) : undefined,
    node: row?.kind === 'BlockAffinity' ? row.host : undefined,
    handle: row?.kind === 'IPAMHandle' ? comparableHandleId(row.id) : undefined,
  };
}

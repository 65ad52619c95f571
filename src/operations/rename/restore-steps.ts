import type { WritableRow } from '../../datastore/datastore.ts';
import type { BlockRow } from '../../ipam/model/block.ts';
import type { PlanItem } from '../../ipam/plan.ts';
import { type Cidr, formatCidr } from '../../net/cidr.ts';
import { isSameRow } from '../undo/same-row.ts';
import { withRetries } from '../with-retries.ts';
import { restoreBlockNames } from './restore-block-names.ts';
import {
  type BlockEnds,
  firstHandle,
  raisedHandle,
  settledHandle,
} from './restore-handle-names.ts';
import { blockStates, keptOf, type KeptRow } from './restore-judgement.ts';
import type { RestoreNamesTools } from './restore-tools.ts';
import type { RowHistory } from './row-histories.ts';

/** Makes a handle count what it had beside what it has, before a block names it again. */
export async function raiseHandle(history: RowHistory, tools: RestoreNamesTools): Promise<void> {
  const first = firstHandle(history);
  if (first === undefined) return;
  await withRetries(tools.context, async (attempt) => {
    const current = await tools.access.read('IPAMHandle', history.key, attempt);
    if (keptOf(history, current, surroundings(tools)) !== undefined) return;
    await put(current, raisedHandle(first, current), tools);
  });
}

/** Gives a block its names back, in one write. */
export async function restoreBlock(
  history: RowHistory,
  item: PlanItem,
  tools: RestoreNamesTools,
): Promise<void> {
  const kept = await withRetries(tools.context, async (attempt) => {
    const current = await tools.access.read('IPAMBlock', history.key, attempt);
    const kept = keptOf(history, current, surroundings(tools));
    const { first, later } = blockStates(history);
    if (kept !== undefined || current === undefined || first === undefined) return kept;
    const { block } = restoreBlockNames(current, { first, later });
    await tools.writer.update(current, block, { action: 'rename-block' });
    return undefined;
  });
  note(item, kept, tools);
}

/** Makes an affinity row what it was: there, in its state, or not there. */
export async function restoreClaim(
  history: RowHistory,
  item: PlanItem,
  tools: RestoreNamesTools,
): Promise<void> {
  const kept = await withRetries(tools.context, async (attempt) => {
    const current = await tools.access.read('BlockAffinity', history.key, attempt);
    const blocks = await blocksAround(history, tools);
    const kept = keptOf(history, current, { rows: tools.rows, stored: blocks });
    if (kept === undefined) await put(current, history.first, tools);
    return kept;
  });
  note(item, kept, tools);
}

/** Makes a handle count what its blocks hold, and beyond them what it counted before. */
export async function settleHandle(
  history: RowHistory,
  item: PlanItem,
  tools: RestoreNamesTools,
): Promise<void> {
  const kept = await withRetries(tools.context, async (attempt): Promise<KeptRow | undefined> => {
    const current = await tools.access.read('IPAMHandle', history.key, attempt);
    const kept = keptOf(history, current, surroundings(tools));
    if (kept?.end === 'refusal') return kept;
    const ends = new Map<string, BlockEnds>();
    for (const cidr of cidrsOf(history, current))
      ends.set(formatCidr(cidr), await endsAt(cidr, tools));
    const wanted = settledHandle(
      history,
      current,
      (cidr) => ends.get(formatCidr(cidr)) ?? { first: undefined, current: undefined },
    );
    if (!isSameRow(current, wanted)) await put(current, wanted, tools);
    return kept?.end === 'already' && item.kept !== undefined ? kept : undefined;
  });
  note(item, kept, tools);
}

function note(item: PlanItem, kept: KeptRow | undefined, { ledger }: RestoreNamesTools): void {
  if (kept) ledger.kept(item, kept.end, kept.reason);
  else ledger.applied(item);
}

/** Writes what a row is to say, over what is stored. */
async function put(
  current: WritableRow | undefined,
  wanted: WritableRow | undefined,
  { writer }: RestoreNamesTools,
): Promise<void> {
  const kind = (wanted ?? current)?.kind;
  const action = kind === 'IPAMHandle' ? 'rename-handle' : 'rename-affinity';
  if (wanted === undefined) {
    if (current !== undefined) await writer.remove(current, { action });
    return;
  }
  if (current === undefined) {
    await writer.create(
      { ...wanted, revision: undefined, uid: undefined, createdAt: undefined },
      { action },
    );
    return;
  }
  if (isSameRow(current, wanted)) return;
  const { key, revision, uid, createdAt, object } = current;
  await writer.update(current, { ...wanted, key, revision, uid, createdAt, object }, { action });
}

function surroundings({ rows }: RestoreNamesTools) {
  return { rows, stored: () => undefined };
}

/** The block of an affinity row, read now. */
async function blocksAround(
  { first }: RowHistory,
  { rows, access }: RestoreNamesTools,
): Promise<(row: RowHistory) => BlockRow | undefined> {
  const found = new Map<RowHistory, BlockRow>();
  for (const row of rows) {
    const state = row.first;
    if (state?.kind !== 'IPAMBlock' || first?.kind !== 'BlockAffinity') continue;
    if (formatCidr(state.cidr) !== formatCidr(first.cidr)) continue;
    const block = await access.read('IPAMBlock', row.key);
    if (block) found.set(row, block);
  }
  return (row) => found.get(row);
}

async function endsAt(cidr: Cidr, { rows, access, writer }: RestoreNamesTools): Promise<BlockEnds> {
  const text = formatCidr(cidr);
  const row = rows.find(
    ({ first }) => first?.kind === 'IPAMBlock' && formatCidr(first.cidr) === text,
  );
  const block = await access.read('IPAMBlock', row?.key ?? writer.keys.block(cidr));
  return {
    first: row && blockStates(row).first,
    current: block?.deleted === false ? block : undefined,
  };
}

function cidrsOf({ first, later }: RowHistory, current: WritableRow | undefined): readonly Cidr[] {
  return [first, ...later, current].flatMap((row) =>
    row?.kind === 'IPAMHandle' ? row.counts.flatMap(({ cidr }) => cidr ?? []) : [],
  );
}

import type { WritableRow } from '../../datastore/datastore.ts';
import { canRestore } from '../../ipam/allocator/restore-slots.ts';
import { attributeAt, isCooling } from '../../ipam/allocator/block-content.ts';
import { comparableHandleId } from '../../ipam/handle-id.ts';
import type { BlockAttribute, BlockRow } from '../../ipam/model/block.ts';
import { keyText } from '../../ipam/model/resource.ts';
import type { KeptAs, PlanItem, PlanSubject } from '../../ipam/plan.ts';
import { type Address, addressAt, formatAddress } from '../../net/address.ts';
import { formatCidr } from '../../net/cidr.ts';
import { isSameRow, slotText } from '../undo/same-row.ts';
import type { RecordedWrite } from '../undo/undo-log.ts';
import { restoreAction } from './restore-action.ts';
import { RowWrites } from './row-writes.ts';

/** An address to put back, or to take from whom it was put back. */
export interface AddressRestore {
  readonly item: PlanItem;
  readonly ordinal: number;
  /** Who held it before; undefined when it was free. */
  readonly attribute: BlockAttribute | undefined;
  /** Cut at the first control character; undefined for none. */
  readonly handleId: string | undefined;
}

/** Says whether an address of a block may be taken from its holder. */
export type MayTake = (address: Address) => boolean;

/** One recorded write to take back. */
export interface RestoreStep {
  readonly write: RecordedWrite;
  /** What else the file records of its row. */
  readonly rowWrites: RowWrites;
  /** For a block: its addresses. */
  readonly addresses: readonly AddressRestore[];
  /** For a row as a whole; absent where the addresses say it all. */
  readonly item?: PlanItem | undefined;
}

/** Takes back writes one by one, from the last to the first, on rows as they would be by then. */
export class RestorePlanner {
  readonly #rows = new Map<string, WritableRow | undefined>();
  readonly #rowWrites: ReadonlyMap<string, RowWrites>;
  readonly #steps: RestoreStep[] = [];
  /** Addresses with what they held: a write that was tried twice is taken back once. */
  readonly #seen = new Set<string>();

  readonly #mayTake: MayTake;

  /** @param current Gives the row as it is stored now. */
  constructor(
    writes: readonly RecordedWrite[],
    current: (row: WritableRow) => WritableRow | undefined,
    mayTake: MayTake,
  ) {
    this.#mayTake = mayTake;
    for (const { before, after } of writes) {
      const row = before ?? after;
      if (row) this.#rows.set(rowKey(row), current(row));
    }
    const byRow = Map.groupBy(writes, ({ before, after }) => keyOfRow(before ?? after));
    this.#rowWrites = new Map([...byRow].map(([key, group]) => [key, new RowWrites(group)]));
    for (const write of [...writes].sort((a, b) => b.n - a.n)) this.#plan(write);
  }

  /** Last write first. */
  get steps(): readonly RestoreStep[] {
    return this.#steps;
  }

  #plan(write: RecordedWrite): void {
    const { before, after } = write;
    const row = before ?? after;
    const rowWrites = this.#rowWrites.get(keyOfRow(row));
    if (row === undefined || rowWrites === undefined) return;
    const current = this.#rows.get(rowKey(row));
    if (isBlockWrite(write) && (current === undefined || current.kind === 'IPAMBlock')) {
      this.#planBlock({ write, rowWrites }, current);
      return;
    }
    const kept = keptRow({ write, rowWrites }, current);
    if (kept?.end === 'harmless') return;
    if (kept === undefined) this.#rows.set(rowKey(row), before);
    this.#steps.push({ write, rowWrites, addresses: [], item: rowItem(write, kept) });
  }

  #planBlock(block: BlockRecord, current: BlockRow | undefined): void {
    const { write } = block;
    const { before, after } = write;
    const addresses = this.#changedOrdinals(write).map((ordinal) =>
      addressOf(block, current, { ordinal, mayTake: this.#mayTake }),
    );
    const isWhole = before === undefined || after === undefined;
    if (addresses.length === 0 && !isWhole) return;
    const item = addresses.length === 0 ? rowItem(write, keptRow(block, current)) : undefined;
    const isSettled = item === undefined ? current !== undefined : item.kept !== undefined;
    if (!isSettled) this.#rows.set(blockKeyOf(write), before);
    this.#steps.push({ ...block, addresses, item });
  }

  /** Ordinals that the write has changed, and that no later write was about with the same content. */
  #changedOrdinals(write: BlockWrite): readonly number[] {
    const { before, after } = write;
    return [...((before ?? after)?.allocations.keys() ?? [])].filter((ordinal) => {
      const was = textAt(before, ordinal);
      const slot = `${blockKeyOf(write)} ${ordinal} ${was ?? ''}`;
      if (was === textAt(after, ordinal) || this.#seen.has(slot)) return false;
      this.#seen.add(slot);
      return true;
    });
  }
}

function blockKeyOf({ before, after }: BlockWrite): string {
  return keyOfRow(before ?? after);
}

function keyOfRow(row: WritableRow | undefined): string {
  return row === undefined ? '' : rowKey(row);
}

/** A write of a block. */
export type BlockWrite = RecordedWrite & {
  readonly before: BlockRow | undefined;
  readonly after: BlockRow | undefined;
};

/** A write of a block with what else the file records of it. */
type BlockRecord = Pick<RestoreStep, 'rowWrites'> & { readonly write: BlockWrite };

/** Whether the write is of a block. */
export function isBlockWrite(write: RecordedWrite): write is BlockWrite {
  return (write.before ?? write.after)?.kind === 'IPAMBlock';
}

function textAt(row: BlockRow | undefined, ordinal: number): string | undefined {
  return row && slotText(row, ordinal);
}

/** Why a write is not taken back that did not last, or was taken back. */
const AS_EARLIER = 'it is as it was before an earlier write';

/** Where a row is stored, as one text. */
export function rowKey({ kind, key }: Pick<WritableRow, 'kind' | 'key'>): string {
  return `${kind} ${keyText(key)}`;
}

/** Judges by the row itself: as before, as after, as it was before an earlier write, or changed since. */
export function keptRow(
  { write, rowWrites }: Pick<RestoreStep, 'write' | 'rowWrites'>,
  current: WritableRow | undefined,
): { readonly end: KeptAs; readonly reason: string } | undefined {
  const { before, after, result, action } = write;
  if (isSameRow(current, before)) return { end: 'already', reason: 'it is as it was before' };
  if (rowWrites.isEarlier(current, write)) return { end: 'already', reason: AS_EARLIER };
  if (action === 'label-affinity')
    return { end: 'already', reason: 'labels by which an owner finds its row are left' };
  if (isSameRow(current, after)) return undefined;
  if (result === 'failed') return { end: 'harmless', reason: 'it was never written' };
  return { end: 'refusal', reason: 'it has changed since' };
}

function rowItem(write: RecordedWrite, kept: ReturnType<typeof keptRow>): PlanItem {
  const { before, after, n } = write;
  return {
    action: restoreAction(write),
    subject: subjectOf(before ?? after) ?? write.subject,
    precondition: kept ? '' : 'as the write left it',
    reason: kept?.reason ?? `write ${n} (${write.action}) is taken back`,
    kept: kept?.end,
  };
}

function subjectOf(row: WritableRow | undefined): PlanSubject | undefined {
  return (
    row && {
      kind: row.kind,
      name: row.key.name,
      cidr: 'cidr' in row ? formatCidr(row.cidr) : undefined,
      handle: row.kind === 'IPAMHandle' ? comparableHandleId(row.id) : undefined,
    }
  );
}

/** What is said of an address that goes back to who had it, and of one that is taken from them again. */
const GIVEN = {
  action: 'restore-address',
  precondition: 'still free or cooling',
  reason: 'it was taken, and nobody has been given it since',
} as const;
const TAKEN = {
  action: 'release-address',
  precondition: 'still held as it was put back',
  reason: 'it was put back, and nothing alive carries it',
} as const;

function addressOf(
  block: BlockRecord,
  current: BlockRow | undefined,
  { ordinal, mayTake }: { readonly ordinal: number; readonly mayTake: MayTake },
): AddressRestore {
  const { write } = block;
  const attribute = write.before && attributeAt(write.before, ordinal);
  const holder = attribute ?? (write.after && attributeAt(write.after, ordinal));
  const handleId = comparableHandleId(holder?.handle ?? '') || undefined;
  const words = attribute !== undefined && !isCooling(attribute) ? GIVEN : TAKEN;
  const kept = keptSlot(block, current, { ordinal, mayTake });
  const subject = {
    ...addressSubject(write, ordinal),
    handle: handleId,
    node: holder?.owner['node'],
  };
  const item: PlanItem = kept
    ? { action: words.action, subject, precondition: '', reason: kept.reason, kept: kept.end }
    : { ...words, subject };
  return { item, ordinal, attribute, handleId };
}

function addressSubject({ before, after }: BlockWrite, ordinal: number): PlanSubject {
  const cidr = (before ?? after)?.cidr;
  const name = cidr === undefined ? '' : formatAddress(addressAt(cidr.base, ordinal));
  return { kind: 'Address', name, address: name, cidr: cidr && formatCidr(cidr) };
}

/** Why an address is left as it is, if it is. */
export function keptSlot(
  { write, rowWrites }: BlockRecord,
  current: BlockRow | undefined,
  { ordinal, mayTake }: { readonly ordinal: number; readonly mayTake: MayTake },
): { readonly end: KeptAs; readonly reason: string } | undefined {
  const { before, after } = write;
  const now = current?.deleted === false ? current : undefined;
  const [was, became, is] = [textAt(before, ordinal), textAt(after, ordinal), textAt(now, ordinal)];
  if (is === was) return { end: 'already', reason: 'it is as it was before' };
  if (rowWrites.isEarlierSlot(is, write, ordinal)) return { end: 'already', reason: AS_EARLIER };
  if (now === undefined || canRestore(now, ordinal)) {
    return was === undefined ? { end: 'already', reason: 'nobody holds it' } : undefined;
  }
  const held = (before ?? after) as BlockRow;
  if (is !== became) return { end: 'refusal', reason: 'somebody else has been given it since' };
  return mayTake(addressAt(held.cidr.base, ordinal))
    ? undefined
    : { end: 'refusal', reason: 'something alive carries it, or may carry it' };
}

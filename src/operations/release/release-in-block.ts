import {
  attributeAt,
  isCooling,
  isEmptyBlock,
  isSound,
} from '../../ipam/allocator/block-content.ts';
import { releaseAddresses } from '../../ipam/allocator/release.ts';
import { comparableHandleId } from '../../ipam/handle-id.ts';
import type { BlockRow } from '../../ipam/model/block.ts';
import { formatCidr } from '../../net/cidr.ts';
import { withRetries } from '../with-retries.ts';
import { type ReleaseTools, type ReleaseWork, rethrowIfHopeless } from './release-tools.ts';
import type { HandleGuard } from './handle-guard.ts';
import { attributePrint } from './owner-print.ts';
import type { AddressUnit } from './release-plan.ts';

/** The units of one block. */
interface BlockWork {
  readonly units: readonly AddressUnit[];
  readonly guard: HandleGuard;
  readonly work: ReleaseWork;
}

/** Releases what still is as it was judged, in one write; the rest of the block is left alone. */
export async function releaseInBlock(block: BlockWork, tools: ReleaseTools): Promise<void> {
  const { units, work } = block;
  try {
    const released = await withRetries(tools.context, (attempt) =>
      releaseOnce(block, tools, attempt),
    );
    for (const { item } of released) tools.ledger.applied(item);
    work.tally.addUnits(released);
  } catch (error) {
    rethrowIfHopeless(error, tools);
    for (const { item } of units) if (!tools.ledger.has(item)) tools.ledger.failed(item, error);
  }
}

async function releaseOnce(
  { units, guard, work }: BlockWork,
  tools: ReleaseTools,
  attempt: number,
): Promise<readonly AddressUnit[]> {
  const { access, ledger, writer, look, cooldownSeconds } = tools;
  const [first] = units;
  if (first === undefined) return [];
  const row = await access.read('IPAMBlock', first.block, attempt);
  if (row === undefined || row.deleted) {
    for (const { item } of units) ledger.kept(item, 'already', 'its block is gone');
    return [];
  }
  if (!isSound(row)) {
    const reason = `block ${formatCidr(row.cidr)} is damaged, and what is in it cannot be released safely`;
    for (const { item } of units) ledger.kept(item, work.changedHands, reason);
    return [];
  }
  const releases = stillDue(row, { units, guard, work }, tools);
  if (releases.length === 0) return [];
  const { block } = releaseAddresses(row, releases, { now: look.now, cooldownSeconds });
  const purpose = { action: 'release-address', subject: subjectOf(row) } as const;
  if (block.affinity === undefined && isEmptyBlock(block)) await writer.remove(row, purpose);
  else await writer.update(row, { ...block, sequenceNumber: row.sequenceNumber + 1n }, purpose);
  return releases;
}

/** The units that the block holds as they were judged; the others end here. */
function stillDue(
  row: BlockRow,
  { units, guard, work }: BlockWork,
  { ledger }: ReleaseTools,
): readonly AddressUnit[] {
  const ends = new Map(units.map((unit) => [unit, standOf(row, unit)]));
  for (const [{ handleId }, end] of ends) if (end === 'changed') guard.withdraw(handleId);
  for (const handleId of newcomers(row, units, guard)) guard.withdraw(handleId);
  return units.filter((unit) => {
    const end = ends.get(unit);
    if (end === 'gone') ledger.kept(unit.item, 'already', 'it was released in the meantime');
    else if (end === 'changed')
      ledger.kept(unit.item, work.changedHands, 'it has changed hands since it was judged');
    else if (guard.isWithdrawn(unit.handleId)) {
      ledger.kept(
        unit.item,
        work.changedHands,
        `handle ${unit.handleId ?? ''} has been given another address, and it goes whole or not at all`,
      );
    } else return true;
    return false;
  });
}

function standOf(row: BlockRow, unit: AddressUnit): 'due' | 'gone' | 'changed' {
  const attribute = attributeAt(row, unit.ordinal);
  if (!attribute || isCooling(attribute)) return 'gone';
  const isSame =
    (row.sequenceNumbers.get(unit.ordinal) ?? 0n) === unit.sequenceNumber &&
    attribute.handle === unit.handle &&
    attributePrint(attribute) === unit.owner;
  return isSame ? 'due' : 'changed';
}

/** Handles of the units that hold an address of the block which the plan does not release. */
function newcomers(
  row: BlockRow,
  units: readonly AddressUnit[],
  guard: HandleGuard,
): ReadonlySet<string> {
  const handles = new Set(units.flatMap(({ handleId }) => handleId ?? []));
  const found = new Set<string>();
  for (const ordinal of row.allocations.keys()) {
    const attribute = attributeAt(row, ordinal);
    if (!attribute || isCooling(attribute) || attribute.handle === undefined) continue;
    const handleId = comparableHandleId(attribute.handle);
    if (handles.has(handleId) && !guard.isPlanned(row.key.name, ordinal)) found.add(handleId);
  }
  return found;
}

function subjectOf(row: BlockRow) {
  return { kind: row.kind, name: row.key.name, cidr: formatCidr(row.cidr) } as const;
}

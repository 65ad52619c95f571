import { EngineError } from '../../errors/engine-error.ts';
import { type Address, formatAddress } from '../../net/address.ts';
import { comparableHandleId } from '../handle-id.ts';
import type { BlockRow } from '../model/block.ts';
import { attributeAt, isCooling, ordinalIn } from './block-content.ts';
import { collectCooled, type Cooling } from './collect-cooled.ts';

/** One address to release, and what must still be true of it. */
export interface AddressRelease {
  readonly address: Address;
  /** Compared after cutting at a control character. */
  readonly handle?: string | undefined;
  readonly sequenceNumber?: bigint | undefined;
}

/** What a release by address did. */
export interface Released {
  /** The same object as before when there was nothing to release. */
  readonly block: BlockRow;
  /** Addresses that were free or cooling already. */
  readonly unallocated: readonly Address[];
  /** Number of addresses released per handle, cut at a control character; those without a handle are left out. */
  readonly counts: ReadonlyMap<string, number>;
}

/**
 * Releases addresses of one block, all or none. Of two releases of one address the last one counts.
 *
 * @throws {@link EngineError} `bad-sequence-number` or `bad-handle` when an address is no longer what was meant.
 * Source: Calico libcalico-go lib/ipam, release in an allocation block.
 */
export function releaseAddresses(
  block: BlockRow,
  releases: readonly AddressRelease[],
  cooling: Cooling,
): Released {
  const wanted = new Map<number, AddressRelease>();
  for (const release of releases) wanted.set(ordinalIn(block, release.address), release);
  const ordinals: number[] = [];
  const unallocated: Address[] = [];
  const counts = new Map<string, number>();
  for (const [ordinal, release] of wanted) {
    const holder = holderOf(block, ordinal, release);
    if (holder === undefined) {
      unallocated.push(release.address);
      continue;
    }
    ordinals.push(ordinal);
    if (holder !== '') counts.set(holder, (counts.get(holder) ?? 0) + 1);
  }
  if (ordinals.length === 0) return { block, unallocated, counts };
  const sequenceNumbers = new Map(block.sequenceNumbers);
  // While it cools an address has the number of its release, so a stale release of it is told apart.
  for (const ordinal of ordinals) sequenceNumbers.set(ordinal, block.sequenceNumber);
  return { block: cooled({ ...block, sequenceNumbers }, ordinals, cooling), unallocated, counts };
}

/** The handle of an allocated address, empty for none; undefined when there is nothing to release. */
function holderOf(block: BlockRow, ordinal: number, release: AddressRelease): string | undefined {
  const expected = block.sequenceNumbers.get(ordinal) ?? 0n;
  const requested = release.sequenceNumber;
  if (requested !== undefined && requested !== expected)
    throw badSequenceNumber(release.address, requested, expected);
  const attribute = attributeAt(block, ordinal);
  if (!attribute || isCooling(attribute)) return undefined;
  const holder = comparableHandleId(attribute.handle ?? '');
  if (release.handle === undefined || comparableHandleId(release.handle) === holder) return holder;
  throw new EngineError(
    'bad-handle',
    `the address ${formatAddress(release.address)} belongs to handle "${holder}", not to "${release.handle}"`,
    { details: { address: formatAddress(release.address), handle: holder } },
  );
}

function badSequenceNumber(
  address: Address,
  requestedNumber: bigint,
  expectedNumber: bigint,
): EngineError {
  return new EngineError(
    'bad-sequence-number',
    `the address ${formatAddress(address)} has been assigned anew or released since: it has sequence number ${expectedNumber}, not ${requestedNumber}`,
    { details: { address: formatAddress(address), requestedNumber, expectedNumber } },
  );
}

/** What to release of a handle. */
export interface HandleRelease {
  readonly handle: string;
  /** Only addresses with this number; others are left alone without an error. */
  readonly sequenceNumber?: bigint | undefined;
}

/**
 * Releases all addresses of a handle in one block. Their sequence numbers stay, other than in a release by address.
 *
 * Source: Calico libcalico-go lib/ipam, release by handle in an allocation block.
 */
export function releaseHandle(
  block: BlockRow,
  release: HandleRelease,
  cooling: Cooling,
): { readonly block: BlockRow; readonly count: number } {
  const ordinals = ordinalsOfHandle(block, release.handle).filter(
    (ordinal) =>
      release.sequenceNumber === undefined ||
      (block.sequenceNumbers.get(ordinal) ?? 0n) === release.sequenceNumber,
  );
  if (ordinals.length === 0) return { block, count: 0 };
  return { block: cooled(block, ordinals, cooling), count: ordinals.length };
}

/** Ordinals that the handle holds, ascending; texts are compared after cutting at a control character. */
export function ordinalsOfHandle(block: BlockRow, handle: string): readonly number[] {
  const wanted = comparableHandleId(handle);
  const ordinals: number[] = [];
  for (const ordinal of block.allocations.keys()) {
    const attribute = attributeAt(block, ordinal);
    if (!attribute || isCooling(attribute) || attribute.handle === undefined) continue;
    if (comparableHandleId(attribute.handle) === wanted) ordinals.push(ordinal);
  }
  return ordinals;
}

/** Lets the ordinals cool under one new record, and returns those whose cooldown is over already. */
function cooled(block: BlockRow, ordinals: readonly number[], cooling: Cooling): BlockRow {
  const allocations = [...block.allocations];
  for (const ordinal of ordinals) allocations[ordinal] = block.attributes.length;
  const attributes = [...block.attributes, { owner: {}, releasedAt: cooling.now }];
  return collectCooled({ ...block, allocations, attributes }, cooling);
}

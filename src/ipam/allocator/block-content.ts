import { type Address, addressAt } from '../../net/address.ts';
import {
  type Cidr,
  cidrOf,
  cidrSize,
  containsAddress,
  formatCidr,
  ordinalOf,
} from '../../net/cidr.ts';
import { EngineError } from '../../errors/engine-error.ts';
import { DataError } from '../../errors/data-error.ts';
import { WINDOWS_HANDLE, type BlockAttribute, type BlockRow } from '../model/block.ts';
import { isWellFormed } from '../validate-block.ts';

/** Whether an address may not be given out automatically. */
export type IsReserved = (address: Address) => boolean;

/** Number of addresses of a block. */
export function blockLength(block: BlockRow): number {
  return Number(cidrSize(block.cidr));
}

/** The block of that prefix length in which the address lies. */
export function blockOf(address: Address, blockSize: number): Cidr {
  return cidrOf(address, blockSize);
}

/** Address of an ordinal. */
export function addressOfOrdinal(block: BlockRow, ordinal: number): Address {
  return addressAt(block.cidr.base, ordinal);
}

/** Ordinal of an address. @throws {@link EngineError} `address-outside-block` */
export function ordinalIn(block: BlockRow, address: Address): number {
  if (containsAddress(block.cidr, address)) return ordinalOf(block.cidr, address);
  throw new EngineError(
    'address-outside-block',
    `the address is not in block ${formatCidr(block.cidr)}`,
  );
}

/** The record to which an ordinal points; undefined for a free one. */
export function attributeAt(block: BlockRow, ordinal: number): BlockAttribute | undefined {
  const index = block.allocations[ordinal];
  return typeof index === 'number' ? block.attributes[index] : undefined;
}

/** Whether the address was released and waits for its cooldown to end. */
export function isCooling(attribute: BlockAttribute): boolean {
  return attribute.releasedAt !== undefined;
}

/**
 * Whether the block holds nothing that anybody needs: each allocated ordinal is one that a Windows host reserved. A
 * cooling address keeps a block from being empty.
 */
export function isEmptyBlock(block: BlockRow): boolean {
  return block.allocations.every(
    (index, ordinal) =>
      index === null || attributeAt(block, ordinal)?.handle?.toLowerCase() === WINDOWS_HANDLE,
  );
}

/** Number of addresses that an automatic assignment could take. */
export function countFree(block: BlockRow, isReserved?: IsReserved): number {
  if (!isReserved) return block.unallocated.length;
  return block.unallocated.filter((ordinal) => !isReserved(addressOfOrdinal(block, ordinal)))
    .length;
}

/**
 * Refuses a block whose lists cannot be trusted: a change would be written on top of damage and make it permanent.
 *
 * @throws {@link DataError}
 */
export function assertSound(block: BlockRow): void {
  if (isSound(block)) return;
  const name = formatCidr(block.cidr);
  throw new DataError(`block ${name} is damaged, and nothing in it is assigned or released`, {
    details: { block: name },
    hint: 'ipamctl ipam check --only invalid-block lists what is wrong with it',
  });
}

/** Whether each slot of a block is free or points to a record, and the free queue names slots only. */
export function isSound(block: BlockRow): boolean {
  const exact = cidrSize(block.cidr);
  if (block.misreadings.length > 0 || BigInt(block.allocations.length) !== exact) return false;
  const size = block.allocations.length;
  const slotsAreSound = block.allocations.every(
    (index, ordinal) => index === null || isWellFormed(block, ordinal, size),
  );
  if (!slotsAreSound) return false;
  const queued = new Set<number>();
  for (const ordinal of block.unallocated) {
    if (block.allocations[ordinal] !== null || queued.has(ordinal)) return false;
    queued.add(ordinal);
  }
  return true;
}

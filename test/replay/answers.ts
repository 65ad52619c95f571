import { AlreadyExistsError } from '../../src/errors/already-exists-error.ts';
import { ConflictError } from '../../src/errors/conflict-error.ts';
import { EngineError, type EngineErrorCategory } from '../../src/errors/engine-error.ts';
import { NotFoundError } from '../../src/errors/not-found-error.ts';
import type { FamilyAssignment, ShortfallReason } from '../../src/engine/partial-result.ts';
import type { PoolUsage, Usage } from '../../src/ipam/allocator/pool-usage.ts';
import { formatAddress } from '../../src/net/address.ts';
import { formatCidr } from '../../src/net/cidr.ts';
import type { JsonObject, JsonValue } from '../../src/support/json.ts';

/** Refusals that the original types as conflicts. */
const CONFLICTS: ReadonlySet<EngineErrorCategory> = new Set<EngineErrorCategory>([
  'bad-handle',
  'bad-sequence-number',
  'owner-precondition',
]);

/** An error as traces have it. @throws the error itself when no trace knows its like. */
export function errorAnswer(error: unknown): JsonObject {
  if (error instanceof NotFoundError) return { category: 'not-found' };
  if (error instanceof ConflictError) return { category: 'conflict' };
  if (error instanceof AlreadyExistsError) return { category: 'exists' };
  if (!(error instanceof EngineError)) throw error;
  const { category, details } = error;
  const numbers = category === 'bad-sequence-number' ? details : {};
  return {
    category,
    ...(CONFLICTS.has(category) ? { kind: 'conflict' } : {}),
    ...Object.fromEntries(
      ['requestedNumber', 'expectedNumber']
        .filter((name) => name in numbers)
        .map((name) => [name, String(numbers[name])]),
    ),
  };
}

/** The member `error` of an answer, if there is one. */
export function errorMember(error: unknown): JsonObject {
  return error === undefined ? {} : { error: errorAnswer(error) };
}

/** What an automatic assignment gave of one IP version. */
export function assignmentAnswer(assignment: FamilyAssignment | undefined): JsonValue {
  if (!assignment) return null;
  const { version, requested, addresses, reasons, reservedHandle } = assignment;
  return {
    version,
    requested,
    ips: addresses.map(({ address, length }) => `${formatAddress(address)}/${length}`),
    ...(reasons.length > 0 ? { messages: reasons.map(reasonAnswer) } : {}),
    ...(reservedHandle === undefined ? {} : { hostReservedHandle: reservedHandle }),
  };
}

function reasonAnswer(reason: ShortfallReason): JsonObject {
  if (reason.about === 'pools-exhausted')
    return { about: reason.about, pools: reason.pools.map(formatCidr) };
  return { ...reason };
}

/** Utilisation of a pool. */
export function usageAnswer({ name, cidr, blocks, ...usage }: PoolUsage): JsonObject {
  return {
    name,
    cidr: formatCidr(cidr),
    ...counts(usage),
    blocks: blocks.map((block) => ({ cidr: formatCidr(block.cidr), ...counts(block) })),
  };
}

function counts({ capacity, inUse, reserved, available }: Usage): JsonObject {
  return {
    capacity: numberOf(capacity),
    inUse: numberOf(inUse),
    reserved: numberOf(reserved),
    available: numberOf(available),
  };
}

function numberOf(count: bigint): number | bigint {
  return Number.isSafeInteger(Number(count)) ? Number(count) : count;
}

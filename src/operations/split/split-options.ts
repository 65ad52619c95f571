import { UsageError } from '../../errors/usage-error.ts';
import { isPartNumber, MOST_PARTS } from '../../ipam/split/parts.ts';
import { type Cidr, parseCidr } from '../../net/cidr.ts';
import type { UndoHistory } from '../undo/undo-log.ts';

/** Which pool to split and how. */
export interface SplitRequest {
  /** Number of parts. */
  readonly number: number;
  readonly name?: string | undefined;
  readonly cidr?: Cidr | undefined;
}

/** How to split. */
export interface SplitOptions extends SplitRequest {
  /** Makes the pool whole again. */
  readonly isUndo: boolean;
  /** Splits although the datastore is not locked. */
  readonly isForced: boolean;
  readonly isMismatchAllowed: boolean;
  /** What the undo file says that this run goes on with. */
  readonly history?: UndoHistory | undefined;
}

/** Flags of `ipam split` that name the pool. */
export interface PoolFlags {
  readonly name?: string | undefined;
  readonly cidr?: string | undefined;
}

/**
 * What the command line asks for.
 * @throws {@link UsageError} when no pool is named, or a value has the wrong form.
 */
export function splitRequestFrom(number: string, { name, cidr }: PoolFlags): SplitRequest {
  if (name === undefined && cidr === undefined) {
    throw new UsageError('no pool to split was named', { hint: 'use --name or --cidr' });
  }
  if (name === '') throw new UsageError('--name: an empty text names no pool');
  return {
    number: numberFrom(number),
    name,
    cidr: cidr === undefined ? undefined : cidrFrom(cidr),
  };
}

function numberFrom(text: string): number {
  const number = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (isPartNumber(number)) return number;
  throw new UsageError(`a pool cannot be split into "${text}" parts`, {
    hint: `use a power of two from 2 to ${MOST_PARTS}`,
  });
}

function cidrFrom(text: string): Cidr {
  const cidr = parseCidr(text);
  if (cidr !== undefined) return cidr;
  throw new UsageError(`--cidr: "${text}" is no CIDR`, {
    hint: 'give address and prefix length, such as 192.0.2.0/24',
  });
}

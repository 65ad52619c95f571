import { DataError } from '../../errors/data-error.ts';
import { NotFoundError } from '../../errors/not-found-error.ts';
import { PreconditionError } from '../../errors/precondition-error.ts';
import { UsageError } from '../../errors/usage-error.ts';
import type { PoolRow } from '../../ipam/model/pool.ts';
import { type SplitFamily, splitFamilies } from '../../ipam/split/family.ts';
import { originOf } from '../../ipam/split/mark.ts';
import { cidrsEqual, formatCidr } from '../../net/cidr.ts';
import type { SplitLook } from './split-look.ts';
import type { SplitRequest } from './split-options.ts';

/** A pool that is to be split, is being split or was split. */
export interface SplitTarget extends SplitFamily {
  /** Whether marks say that it was split, or that this was begun. */
  readonly isMarked: boolean;
}

/**
 * Finds what a split is about: the pool itself, or its parts when it is gone.
 * @throws {@link NotFoundError} when there is neither, {@link UsageError} when the name and the prefix are of different
 * pools, {@link PreconditionError} when it was split into another number of parts.
 */
export function findSplitTarget(look: SplitLook, request: SplitRequest): SplitTarget {
  const source = findSource(look, request);
  const families = splitFamilies(look.pools).filter(({ origin }) =>
    source
      ? origin.name === source.key.name && cidrsEqual(origin.cidr, source.cidr)
      : isMeant(origin, request),
  );
  const wanted = families.filter(({ number }) => number === request.number);
  const other = families.find(({ number }) => number !== request.number);
  if (other && (source || wanted.length === 0)) throw otherNumber(other);
  if (wanted.length > 1) throw ambiguous(wanted.map(({ origin }) => origin.name));
  const [family] = wanted;
  if (family) return { ...family, isMarked: true };
  if (source === undefined) throw notFound(look, request);
  const origin = originOf(source);
  return { origin, number: request.number, source, parts: new Map(), isMarked: false };
}

/** Whether name and prefix, as far as they are given, are those of a pool. */
function isMeant(
  pool: { readonly name: string; readonly cidr: PoolRow['cidr'] },
  { name, cidr }: SplitRequest,
): boolean {
  return (
    (name === undefined || pool.name === name) &&
    (cidr === undefined || cidrsEqual(pool.cidr, cidr))
  );
}

function findSource({ pools, state }: SplitLook, request: SplitRequest): PoolRow | undefined {
  const { name, cidr } = request;
  const damaged = state.unreadable.find((row) => row.kind === 'IPPool' && row.key.name === name);
  if (damaged)
    throw new DataError(`pool ${damaged.key.name} cannot be read: ${damaged.unreadable}`);
  const found = pools.filter((pool) => isMeant({ name: pool.key.name, cidr: pool.cidr }, request));
  if (found.length > 1) throw ambiguous(found.map(({ key }) => key.name));
  const named = pools.find(({ key }) => key.name === name);
  if (found.length === 0 && named && cidr) throw disagreeing(named.key.name, named.cidr, cidr);
  return found[0];
}

function disagreeing(name: string, is: PoolRow['cidr'], given: PoolRow['cidr']): UsageError {
  return new UsageError(`pool ${name} is ${formatCidr(is)}, not ${formatCidr(given)}`, {
    hint: 'leave out --name or --cidr, or make them agree',
  });
}

function ambiguous(names: readonly string[]): UsageError {
  return new UsageError(`several pools have this CIDR: ${names.join(', ')}`, {
    hint: 'say with --name which one is meant',
  });
}

function otherNumber({ origin, number, source }: SplitFamily): PreconditionError {
  const was = source ? 'is being' : 'was';
  return new PreconditionError(`pool ${origin.name} ${was} split into ${number} parts`, {
    hint: `give ${number} as the number, with --undo to make the pool whole again first`,
    details: { pool: origin.name, number },
  });
}

function notFound({ pools, state }: SplitLook, { name, cidr }: SplitRequest): NotFoundError {
  const what = [name, cidr && formatCidr(cidr)].filter((text) => text !== undefined).join(', ');
  const unread = state.mayBeUnreadable('IPPool') ? '; some pools cannot be read' : '';
  return new NotFoundError(`there is no pool ${what}${unread}`, {
    hint: 'see ipamctl ipam show for the pools',
    details: { pools: pools.map(({ key }) => key.name) },
  });
}

import { PreconditionError } from '../../errors/precondition-error.ts';
import { finalizersOf, metadataOf, readTexts } from '../../ipam/model/object-metadata.ts';
import type { PoolRow } from '../../ipam/model/pool.ts';
import { partMarkOf } from '../../ipam/split/mark.ts';
import { isWithinFamily, partCidr, partLength, partName } from '../../ipam/split/parts.ts';
import { partPool } from '../../ipam/split/part-pool.ts';
import { cidrsOverlap, formatCidr } from '../../net/cidr.ts';
import type { SplitLook } from './split-look.ts';
import type { SplitTarget } from './split-target.ts';

/** Bytes that all annotations of one object may take together. */
const MOST_ANNOTATION_BYTES = 256 * 1024;

/** Finalizers that Calico sets itself; its controller would keep a pool for as long as blocks lie in it. */
const CALICO_FINALIZER = /^([a-z0-9-]+\.)*projectcalico\.org\//;

const MANAGED_BY = 'app.kubernetes.io/managed-by';

/** A target whose pool is there. */
export type PresentTarget = SplitTarget & { readonly source: PoolRow };

/**
 * Refuses a split that could not be carried through, or whose parts would not last.
 * @throws {@link PreconditionError}
 */
export function assertSplittable(target: PresentTarget, look: SplitLook): void {
  assertNotManaged(target.source);
  assertNoForeignFinalizer(target.source);
  assertRoom(target);
  assertNoOverlap(target, look);
  assertNamesFree(target, look);
  assertNoLargerBlock(target, look);
  assertMarkFits(target);
}

/**
 * Refuses a pool that somebody else wants to be asked about before it goes.
 * @throws {@link PreconditionError}
 */
export function assertNoForeignFinalizer(pool: PoolRow): void {
  const foreign = finalizersOf(pool.object).filter((name) => !CALICO_FINALIZER.test(name));
  if (foreign.length === 0) return;
  throw refusal(`pool ${pool.key.name} has a finalizer: ${foreign.join(', ')}`, {
    hint: 'have its owner take it off first; while it is there the pool cannot go',
  });
}

/**
 * Refuses what would share addresses with a pool that is none of the family.
 * @throws {@link PreconditionError}
 */
export function assertNoOverlap(
  { origin, source, parts }: SplitTarget,
  { pools }: SplitLook,
): void {
  const own = new Set([source, ...parts.values()]);
  const other = pools.find((pool) => !own.has(pool) && cidrsOverlap(pool.cidr, origin.cidr));
  if (other === undefined) return;
  throw refusal(
    `pool ${other.key.name} (${formatCidr(other.cidr)}) shares addresses with ${origin.name} (${formatCidr(origin.cidr)})`,
    { hint: 'remove one of the two first' },
  );
}

function assertNotManaged({ key, object }: PoolRow): void {
  const managers = Object.entries(readTexts(object, 'labels')).filter(
    ([name, value]) => (name === MANAGED_BY && value === 'tigera-operator') || isOperators(name),
  );
  const { ownerReferences } = metadataOf(object);
  const owners = Array.isArray(ownerReferences) ? ownerReferences : [];
  const isOwned = owners.some(
    (owner) =>
      typeof owner === 'object' &&
      owner !== null &&
      !Array.isArray(owner) &&
      typeof owner['apiVersion'] === 'string' &&
      isOperators(owner['apiVersion']),
  );
  if (managers.length === 0 && !isOwned) return;
  throw refusal(
    `pool ${key.name} is managed by the Tigera operator, which would make it again and enable it`,
    {
      hint: 'list the parts in spec.calicoNetwork.ipPools of the Installation named "default" in place of this pool, or take the pool out of that list first',
    },
  );
}

function isOperators(name: string): boolean {
  return /(^|\.)operator\.tigera\.io\//.test(name);
}

function assertRoom({ origin, number, source }: PresentTarget): void {
  const length = partLength(origin.cidr, number);
  if (!isWithinFamily(origin.cidr, number)) {
    throw refusal(
      `${number} parts of ${formatCidr(origin.cidr)} would have the prefix length ${length}, which there is not`,
      { hint: 'use a smaller number' },
    );
  }
  if (length <= source.blockSize) return;
  throw refusal(
    `a part of ${formatCidr(origin.cidr)} would be a /${length}, too small for a block (/${source.blockSize})`,
    {
      hint: 'use a smaller number; the block size of a pool cannot change',
    },
  );
}

function assertNamesFree({ origin, number }: SplitTarget, look: SplitLook): void {
  const byName = new Map(look.pools.map((pool) => [pool.key.name, pool]));
  for (let index = 0; index < number; index++) {
    const name = partName(origin.name, number, index);
    if (!look.names.has(name)) continue;
    const pool = byName.get(name);
    if (pool && isPart(pool, { origin, number, index })) continue;
    throw refusal(`pool ${name} exists already, and is no part of ${origin.name}`, {
      hint: `a part of ${origin.name} would have this name; remove or rename that pool first`,
    });
  }
}

/** Whether a pool is this part of this split. */
export function isPart(
  pool: PoolRow,
  { origin, number, index }: Pick<SplitTarget, 'origin' | 'number'> & { readonly index: number },
): boolean {
  const mark = partMarkOf(pool);
  return (
    mark?.origin.name === origin.name &&
    mark.number === number &&
    mark.index === index &&
    formatCidr(pool.cidr) === formatCidr(partCidr(origin.cidr, number, index))
  );
}

function assertNoLargerBlock({ origin, number }: SplitTarget, { state }: SplitLook): void {
  const length = partLength(origin.cidr, number);
  const larger = state.blocksOverlapping(origin.cidr).find(({ cidr }) => cidr.length < length);
  if (larger === undefined) return;
  throw refusal(
    `block ${formatCidr(larger.cidr)} is larger than a part (/${length}), so it would lie in several`,
    { hint: 'use a smaller number, or release the block first' },
  );
}

function assertMarkFits(target: PresentTarget): void {
  const { object } = partPool({ ...target, model: target.source }, target.number - 1);
  const { annotations } = metadataOf(object);
  const bytes = Object.entries(annotations ?? {}).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + Buffer.byteLength(String(value)),
    0,
  );
  if (bytes <= MOST_ANNOTATION_BYTES) return;
  throw refusal(
    `the annotations of pool ${target.origin.name} are too long to be kept beside the record of the split`,
    { hint: 'shorten them first' },
  );
}

function refusal(message: string, options: { readonly hint: string }): PreconditionError {
  return new PreconditionError(message, options);
}

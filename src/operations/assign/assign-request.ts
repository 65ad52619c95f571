import { NotFoundError } from '../../errors/not-found-error.ts';
import { UsageError } from '../../errors/usage-error.ts';
import { isEnabled, poolOf } from '../../ipam/allocator/select-pools.ts';
import type { PoolRow } from '../../ipam/model/pool.ts';
import type { ClusterState } from '../../ipam/state/cluster-state.ts';
import { type Family, familyOf, formatAddress } from '../../net/address.ts';
import { cidrFamily, cidrsEqual, containsAddress, parseCidr } from '../../net/cidr.ts';
import { formatGoTime } from '../../support/time.ts';
import type { AssignOptions } from './assign-options.ts';

/** A request to the engine, with names looked up. */
export interface AssignRequest extends AssignOptions {
  readonly family: Family;
  readonly chosenPools: readonly PoolRow[];
  /** All attributes that are stored. */
  readonly stored: Readonly<Record<string, string>>;
}

/**
 * Looks up what the options name.
 * @throws {@link NotFoundError} for a node, pool or pool of the address that is not there; {@link UsageError} when what is
 * asked for does not fit together.
 */
export function assignRequest(
  state: ClusterState,
  options: AssignOptions,
  now: number,
): AssignRequest {
  assertNode(state, options);
  const chosenPools = options.pools.map((text) => poolNamed(state, text));
  const family = familyFor(state, options, chosenPools);
  const strange = chosenPools.find(({ cidr }) => cidrFamily(cidr) !== family);
  if (strange) throw new UsageError(`--pool: pool ${strange.key.name} is not one of IPv${family}`);
  if (options.address !== undefined) assertPool(state, options, chosenPools);
  return { ...options, family, chosenPools, stored: attributesOf(options, now) };
}

/** A slip of the pen must not claim a block for a node that does not exist. */
function assertNode(state: ClusterState, { use, host }: AssignOptions): void {
  if (use === 'LoadBalancer' || !state.isLoaded('Node') || state.node(host)) return;
  if (state.mayBeUnreadable('Node', { name: host })) return;
  throw new NotFoundError(`there is no node ${host}`, {
    hint: 'name the node as kubectl get nodes does',
    details: { node: host },
  });
}

function poolNamed({ pools }: ClusterState, text: string): PoolRow {
  const prefix = parseCidr(text);
  const pool = pools.find(({ key, cidr }) =>
    prefix ? cidrsEqual(prefix, cidr) : key.name === text,
  );
  if (pool) return pool;
  throw new NotFoundError(`there is no pool ${text}`, { details: { pool: text } });
}

function familyFor(
  { pools }: ClusterState,
  { address, family }: AssignOptions,
  [first]: readonly PoolRow[],
): Family {
  if (address !== undefined) {
    const own = familyOf(address);
    if (family === undefined || family === own) return own;
    throw new UsageError(
      `--ip-version: ${formatAddress(address)} is not an address of IPv${family}`,
    );
  }
  if (family !== undefined) return family;
  if (first) return cidrFamily(first.cidr);
  const families = new Set(pools.filter(isEnabled).map(({ cidr }) => cidrFamily(cidr)));
  return families.has(6) && !families.has(4) ? 6 : 4;
}

function assertPool(
  { pools }: ClusterState,
  { address }: AssignOptions,
  chosen: readonly PoolRow[],
): void {
  if (address === undefined) return;
  const text = formatAddress(address);
  if (chosen.length > 0 && !chosen.some(({ cidr }) => containsAddress(cidr, address)))
    throw new UsageError(`--pool: the address ${text} is not in it`);
  if (poolOf(pools.filter(isEnabled), address)) return;
  throw new NotFoundError(`the address ${text} is in no enabled pool`, {
    details: { address: text },
  });
}

/** Who holds an address is told as Calico's own callers tell it; what the user gives comes first. */
function attributesOf(
  { use, host, attributes }: AssignOptions,
  now: number,
): Readonly<Record<string, string>> {
  const place = use === 'LoadBalancer' ? { type: 'LoadBalancer' } : { node: host };
  return { ...place, timestamp: formatGoTime(now), ...attributes };
}

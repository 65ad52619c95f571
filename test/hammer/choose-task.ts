import { blockOf } from '../../src/ipam/allocator/block-content.ts';
import type { PoolRow } from '../../src/ipam/model/pool.ts';
import { type Address, addressAt, type Family, formatAddress } from '../../src/net/address.ts';
import { cidrFamily, cidrSize, formatCidr } from '../../src/net/cidr.ts';
import type { Ground } from './ground.ts';
import type { Holding, Holdings } from './holdings.ts';
import { BALANCER, type Task } from './job.ts';
import type { SeededRandom } from './random.ts';

/** Addresses from the start of a pool within which addresses and blocks are named: a large pool is not known to be full. */
const REACH = 256;

/** What a task is chosen from. */
export interface TaskSource {
  readonly ground: Ground;
  readonly holdings: Holdings;
  readonly random: SeededRandom;
  /** Begins the name of every handle. */
  readonly prefix: string;
  /** Handles of which nothing certain is known. */
  readonly tainted: ReadonlySet<string>;
  /** Addresses that may be held at once. */
  readonly mostHeld: number;
  /** Handles that several tasks share. */
  readonly sharedHandles: number;
}

/** Chooses what the next worker does, and sees that no two workers work on one address. */
export function chooseTask(source: TaskSource, id: number): Task {
  const { holdings, random, mostHeld } = source;
  const dice = random.next();
  const held = holdings.all.filter(({ state }) => state === 'held');
  if (dice < 0.05) return claimTask(source);
  if (dice < 0.1) return giveUpTask(source);
  const isFull = holdings.all.length >= mostHeld;
  if (held.length > 0 && (isFull || dice < 0.5)) {
    if (dice < 0.2) return ownerTask(source, held, id) ?? releaseTask(source, held);
    if (dice < 0.26) return releaseHandleTask(source, held) ?? releaseTask(source, held);
    return releaseTask(source, held);
  }
  return dice < 0.6 ? assignGivenTask(source, id) : assignTask(source, id);
}

function nameFor({ prefix, random, sharedHandles }: TaskSource, id: number) {
  const isShared = random.isLucky(0.3);
  const handle = isShared ? `${prefix}shared-${random.below(sharedHandles)}` : `${prefix}${id}`;
  return { handle, tag: `${prefix}${id}` };
}

function assignTask(source: TaskSource, id: number): Task {
  const { ground, random } = source;
  const balancing = ground.pools.find(isForBalancer);
  if (balancing && random.isLucky(0.25)) {
    const [{ host }, use] = [BALANCER, 'LoadBalancer' as const];
    const family = cidrFamily(balancing.cidr);
    return { op: 'assign', host, use, ...nameFor(source, id), count: 1 + random.below(2), family };
  }
  const families = new Set(ground.pools.map(({ cidr }) => cidrFamily(cidr)));
  const family: Family = families.has(4) && !(families.has(6) && random.isLucky(0.2)) ? 4 : 6;
  const host = random.pick(ground.hosts);
  const count = 1 + random.below(4);
  return { op: 'assign', host, use: 'Workload', ...nameFor(source, id), count, family };
}

function assignGivenTask(source: TaskSource, id: number): Task {
  const { ground, random } = source;
  const pool = random.pick(ground.pools);
  const address = formatAddress(randomAddress(random, pool));
  const [host, use] = isForBalancer(pool)
    ? [BALANCER.host, 'LoadBalancer' as const]
    : [random.pick(ground.hosts), 'Workload' as const];
  return { op: 'assign-given', host, use, ...nameFor(source, id), address };
}

function isForBalancer({ allowedUses }: PoolRow): boolean {
  return allowedUses.includes('LoadBalancer');
}

/** Up to three addresses, of whatever handles and blocks. */
function releaseTask({ random }: TaskSource, held: readonly Holding[]): Task {
  const chosen = new Set(Array.from({ length: 1 + random.below(3) }, () => random.pick(held)));
  for (const holding of chosen) holding.state = 'releasing';
  return { op: 'release', held: [...chosen], isNumbered: random.isLucky(0.5) };
}

/** A handle of a single task, all of whose addresses are at rest. */
function releaseHandleTask(
  { random, holdings, tainted }: TaskSource,
  held: readonly Holding[],
): Task | undefined {
  const { handle, tag } = random.pick(held);
  const ofHandle = holdings.all.filter((one) => one.handle === handle);
  if (handle !== tag || tainted.has(handle) || ofHandle.some(({ state }) => state !== 'held'))
    return undefined;
  for (const holding of ofHandle) holding.state = 'releasing';
  return { op: 'release-handle', handle };
}

/** An address whose record no other one shares: both would get the owner. */
function ownerTask(
  { random, holdings }: TaskSource,
  held: readonly Holding[],
  id: number,
): Task | undefined {
  const holding = random.pick(held);
  const { host, tag, pod } = holding;
  const isShared = holdings.all.some((one) => one !== holding && one.tag === tag);
  if (pod === undefined || isShared) return undefined;
  holding.state = 'busy';
  const isWrong = random.isLucky(0.2);
  return { op: 'change-owner', held: holding, tag, host, from: pod, to: `${tag}-${id}`, isWrong };
}

function claimTask(source: TaskSource): Task {
  return { op: 'claim', host: source.random.pick(source.ground.hosts), block: randomBlock(source) };
}

function giveUpTask(source: TaskSource): Task {
  const { ground, random } = source;
  const block = random.isLucky(0.8) ? randomBlock(source) : undefined;
  return {
    op: 'give-up',
    host: random.pick(ground.hosts),
    block,
    mustBeEmpty: random.isLucky(0.5),
  };
}

function randomBlock({ ground, random }: TaskSource): string {
  const pool = random.pick(ground.pools);
  return formatCidr(blockOf(randomAddress(random, pool), pool.blockSize));
}

function randomAddress(random: SeededRandom, { cidr }: PoolRow): Address {
  const size = cidrSize(cidr);
  const offset = random.below(size > BigInt(REACH) ? REACH : Number(size));
  return addressAt(cidr.base, offset);
}

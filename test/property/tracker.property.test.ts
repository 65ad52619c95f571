import { expect } from 'chai';
import fc from 'fast-check';
import { assignedOf } from '../../src/ipam/accounting/counts.ts';
import { OUTSIDE_POOLS, type PoolName, UsageTracker } from '../../src/ipam/accounting/tracker.ts';
import { countUsage } from '../../src/ipam/accounting/usage.ts';
import type { Reference } from '../../src/ipam/accounting/references.ts';
import type { BlockAttribute, BlockRow } from '../../src/ipam/model/block.ts';
import type { PoolRow } from '../../src/ipam/model/pool.ts';
import type { ReservationRow } from '../../src/ipam/model/reservation.ts';
import { addressAt, formatAddress } from '../../src/net/address.ts';
import { formatCidr } from '../../src/net/cidr.ts';
import { cool, plain, pod, strange, tun, windows, withoutStale } from '../support/accounting.ts';
import { aBlock, aPool, aReservation, clusterOf, net } from '../support/builders.ts';

const NODES = ['node-a', 'node-b', 'node-c', 'node-d'];
const POOLS = [
  aPool('outer', '10.0.0.0/16'),
  aPool('inner', '10.0.0.0/20'),
  aPool('small-blocks', '10.0.0.128/25', { blockSize: 28 }),
  aPool('nested', '10.0.1.0/24'),
  aPool('other', '10.1.0.0/16'),
  aPool('v6', 'fd00::/120'),
];
/** The last three lie over others, which upstream's inputs never do. */
const BLOCKS = [
  '10.0.0.0/26',
  '10.0.0.64/26',
  '10.0.0.128/28',
  '10.0.0.144/28',
  '10.0.1.0/26',
  '10.0.1.64/26',
  '10.0.4.0/26',
  '10.1.0.0/26',
  '10.9.0.0/26',
  'fd00::/122',
  '10.0.0.128/26',
  '10.0.0.0/24',
  '10.0.0.130/31',
];
const RESERVED = ['10.0.0.0/30', '10.0.1.0/25', '10.0.0.130/32', 'fd00::/126'];

type Step =
  | { readonly op: 'pool'; readonly row: PoolRow }
  | { readonly op: 'no-pool'; readonly name: string }
  | { readonly op: 'no-reservation'; readonly name: string }
  | { readonly op: 'node'; readonly name: string }
  | { readonly op: 'no-node'; readonly name: string }
  | { readonly op: 'block'; readonly row: BlockRow }
  | { readonly op: 'no-block'; readonly cidr: string }
  | { readonly op: 'reservation'; readonly row: ReservationRow }
  | { readonly op: 'reference'; readonly reference: Reference }
  | { readonly op: 'no-reference'; readonly reference: Reference };

const slot: fc.Arbitrary<BlockAttribute | undefined> = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(...NODES).map(tun) },
  { weight: 4, arbitrary: fc.constantFrom(cool, strange, windows, { handle: 'h', owner: {} }) },
  { weight: 2, arbitrary: fc.constantFrom(...NODES).map(pod) },
  { weight: 3, arbitrary: fc.constant(undefined) },
);
const affinity = fc.constantFrom(
  undefined,
  'virtual:load-balancer',
  ...NODES.slice(0, 2).map((node) => `host:${node}`),
);
const cidr = fc.constantFrom(...BLOCKS);
const blockStep: fc.Arbitrary<Step> = fc
  .record({
    cidr,
    affinity,
    slots: fc.array(slot, { maxLength: 2 ** 4 }),
    deleted: fc.boolean(),
    odd: fc.nat(9),
  })
  .map(({ cidr, affinity, slots, deleted, odd }) => {
    const size = 2 ** Math.min(4, (cidr.includes(':') ? 128 : 32) - net(cidr).length);
    const taken = slots
      .slice(0, size)
      .flatMap((one, ordinal) => (one ? [[ordinal, one] as const] : []));
    const row = aBlock(cidr, Object.fromEntries(taken), {
      affinity,
      deleted: deleted && odd === 0,
    });
    return { op: 'block', row };
  });
const flags = fc.record({ disabled: fc.boolean(), lostOverlap: fc.boolean() });
const poolStep: fc.Arbitrary<Step> = fc
  .tuple(fc.constantFrom(...POOLS), flags)
  .map(([pool, more]) => ({
    op: 'pool',
    row: { ...pool, ...more, allocatable: !more.lostOverlap },
  }));
const reservationStep: fc.Arbitrary<Step> = fc
  .tuple(fc.constantFrom('r0', 'r1', 'r2'), fc.subarray(RESERVED))
  .map(([name, cidrs]) => ({ op: 'reservation', row: aReservation(name, ...cidrs) }));
const reference: fc.Arbitrary<Reference> = fc
  .record({
    cidr,
    ordinal: fc.nat(1),
    use: fc.constantFrom('Workload' as const, 'Tunnel' as const),
    name: fc.constantFrom('a', 'b'),
  })
  .map(({ cidr, ordinal, use, name }) => ({
    address: addressAt(net(cidr).base, ordinal),
    use,
    referrer: { kind: 'Workload', key: { namespace: 'n', name } },
  }));

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: poolStep },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(...POOLS)
      .map((pool): Step => ({ op: 'no-pool', name: pool.key.name })),
  },
  { weight: 4, arbitrary: blockStep },
  { weight: 1, arbitrary: cidr.map((cidr): Step => ({ op: 'no-block', cidr })) },
  { weight: 1, arbitrary: reservationStep },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('r0', 'r1', 'r2')
      .map((name): Step => ({ op: 'no-reservation', name })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.boolean(), fc.constantFrom(...NODES))
      .map(([isNew, name]): Step => ({ op: isNew ? 'node' : 'no-node', name })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.nat(2), reference)
      .map(([odd, reference]): Step => ({ op: odd ? 'reference' : 'no-reference', reference })),
  },
);

/** What a sequence of steps leaves behind, from which a tracker can be built at once. */
class Inputs {
  readonly pools = new Map<string, PoolRow>();
  readonly blocks = new Map<string, BlockRow>();
  readonly reservations = new Map<string, ReservationRow>();
  readonly references = new Map<string, Reference>();
  nodes: Set<string> | undefined;

  apply(step: Step): void {
    if (step.op === 'pool') this.pools.set(step.row.key.name, step.row);
    else if (step.op === 'no-pool') this.pools.delete(step.name);
    else if (step.op === 'block') this.applyBlock(step.row);
    else if (step.op === 'no-block') this.blocks.delete(step.cidr);
    else if (step.op === 'reservation') this.reservations.set(step.row.key.name, step.row);
    else if (step.op === 'no-reservation') this.reservations.delete(step.name);
    else if (step.op === 'node') (this.nodes ??= new Set()).add(step.name);
    else if (step.op === 'no-node') this.nodes?.delete(step.name);
    else if (step.op === 'reference') this.references.set(keyOf(step.reference), step.reference);
    else this.references.delete(keyOf(step.reference));
  }

  private applyBlock(row: BlockRow): void {
    if (row.deleted) this.blocks.delete(formatCidr(row.cidr));
    else this.blocks.set(formatCidr(row.cidr), row);
  }

  /** Built in another order than the steps came in: references and reservations first, pools last. */
  rebuild(): UsageTracker {
    const tracker = new UsageTracker();
    tracker.addReferences(this.references.values());
    for (const row of this.reservations.values()) tracker.setReservation(row);
    for (const row of [...this.blocks.values()].reverse()) tracker.setBlock(row);
    if (this.nodes) tracker.addNodes(this.nodes);
    for (const row of this.pools.values()) tracker.setPool(row);
    return tracker;
  }
}

function keyOf({ address, use, referrer }: Reference): string {
  return `${formatAddress(address)} ${use} ${referrer.key.name}`;
}

function applyTo(tracker: UsageTracker, step: Step): void {
  if (step.op === 'pool') tracker.setPool(step.row);
  else if (step.op === 'no-pool') tracker.removePool(step.name);
  else if (step.op === 'block') tracker.setBlock(step.row);
  else if (step.op === 'no-block') tracker.removeBlock(net(step.cidr));
  else if (step.op === 'reservation') tracker.setReservation(step.row);
  else if (step.op === 'no-reservation') tracker.removeReservation(step.name);
  else if (step.op === 'node') tracker.addNodes([step.name]);
  else if (step.op === 'no-node') tracker.removeNode(step.name);
  else if (step.op === 'reference') tracker.addReferences([step.reference]);
  else tracker.removeReferences([step.reference]);
}

/** Every read of the tracker. */
function readAll(tracker: UsageTracker) {
  const names: PoolName[] = [...POOLS.map((pool) => pool.key.name), OUTSIDE_POOLS];
  return {
    names: tracker.poolNames(),
    pools: names.map((name) => ({
      counts: plain(tracker.summarize(name)),
      allocations: tracker.allocations(name),
      unreferenced: tracker.unreferenced(name),
      blocks: tracker.blocks(name),
      lost: typeof name === 'string' && tracker.hasLostOverlap(name),
      within:
        typeof name === 'string' &&
        tracker.hasBlocksWithin(
          net(formatCidr(POOLS.find((pool) => pool.key.name === name)?.cidr ?? net('0.0.0.0/0'))),
        ),
    })),
    blocks: BLOCKS.map((text) => [tracker.block(net(text)), tracker.poolOf(net(text))]),
    references: tracker.allReferences(),
    perAddress: BLOCKS.map((text) => tracker.references(net(text).base)),
  };
}

function expectInvariants(tracker: UsageTracker, inputs: Inputs): void {
  let blocks = 0;
  for (const name of [...tracker.poolNames(), OUTSIDE_POOLS] as PoolName[]) {
    const counts = tracker.summarize(name);
    if (!counts) continue;
    blocks += counts.blocksInUse;
    const sum = (map: ReadonlyMap<unknown, number>) => [...map.values()].reduce((a, b) => a + b, 0);
    for (const map of [
      counts.assignedByNode,
      counts.borrowedByNode,
      counts.addressesByKind,
      counts.blocksByNode,
    ]) {
      for (const count of map.values()) expect(count).to.be.above(0);
    }
    expect(sum(counts.addressesByKind)).to.equal(assignedOf(counts));
    expect(sum(counts.assignedByNode)).to.equal(assignedOf(counts));
    expect(sum(counts.borrowedByNode)).to.equal(counts.borrowed);
    expect(counts.borrowed).to.be.within(0, assignedOf(counts));
    expect(counts.inUseReserved).to.be.within(0, counts.inUse);
  }
  expect(blocks).to.equal(inputs.blocks.size);
}

/** The one-shot counts of a state of the same rows are the tracker's. */
function expectSameAsState(tracker: UsageTracker, inputs: Inputs): void {
  const rows = [
    ...inputs.pools.values(),
    ...inputs.blocks.values(),
    ...inputs.reservations.values(),
  ];
  const usage = countUsage(clusterOf(rows));
  const shares = [
    ...usage.pools.map(({ pool, counts }) => [pool.key.name, counts] as const),
    [OUTSIDE_POOLS, usage.outside.counts] as const,
  ];
  for (const [name, counts] of shares) {
    expect(withoutStale(tracker.summarize(name))).to.deep.equal(plain(counts));
  }
}

describe('ipam/accounting/tracker properties', () => {
  it('equals a rebuild after every step, and the counts of a state at the end', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 60 }), (steps) => {
        const tracker = new UsageTracker();
        const inputs = new Inputs();
        for (const one of steps) {
          applyTo(tracker, one);
          inputs.apply(one);
          expect(readAll(tracker)).to.deep.equal(readAll(inputs.rebuild()));
          expectInvariants(tracker, inputs);
        }
        expectSameAsState(tracker, inputs);
      }),
      { numRuns: 20 },
    );
  }).timeout(60_000);
});

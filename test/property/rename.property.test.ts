import { expect } from 'chai';
import fc from 'fast-check';
import type { MemoryDatastore } from '../../src/datastore/memory/memory-datastore.ts';
import type { BlockAttribute } from '../../src/ipam/model/block.ts';
import type { Row } from '../../src/ipam/model/row.ts';
import { chainsOf } from '../../src/ipam/rename/legs.ts';
import { addressAt, formatAddress } from '../../src/net/address.ts';
import { runCheck } from '../../src/operations/run-check.ts';
import { aBlock, aHandle, anAffinity, aPool, podSlot } from '../support/builders.ts';
import {
  aCluster,
  claimsOf,
  FLAVORS,
  type Flavor,
  renameWorld,
  runRename,
  tunnel,
} from '../support/rename-world.ts';
import { contextOf } from '../support/scripted-datastore.ts';
import { CHECK_OPTIONS } from '../support/writing-runs.ts';

const NAMES = ['alder', 'birch', 'cedar', 'elm'];
const FRESH = ['w', 'x.example', 'y-1', 'z'];
const SIZE = 8;

/** What one address holds: nothing, a pod of a node, or a node's tunnel. */
type Slot = { readonly node: number; readonly what: 'pod' | 'ipip' | 'vxlan' } | undefined;

/** Owner and slots of a block. */
interface BlockSeed {
  readonly owner: number | undefined;
  readonly slots: readonly Slot[];
}

const slot: fc.Arbitrary<Slot> = fc.option(
  fc.record({
    node: fc.nat(NAMES.length - 1),
    what: fc.constantFrom('pod' as const, 'ipip' as const, 'vxlan' as const),
  }),
  { nil: undefined },
);

const blocks: fc.Arbitrary<readonly BlockSeed[]> = fc.array(
  fc.record({
    owner: fc.option(fc.nat(NAMES.length - 1), { nil: undefined }),
    slots: fc.array(slot, { minLength: SIZE, maxLength: SIZE }),
  }),
  { minLength: 1, maxLength: 5 },
);

/** A map of some of the names: chains, cycles and nodes by themselves, never two nodes to one name. */
const maps: fc.Arbitrary<Readonly<Record<string, string>>> = fc
  .tuple(
    fc.subarray(NAMES, { minLength: 1 }),
    fc.shuffledSubarray([...NAMES, ...FRESH], { minLength: NAMES.length, maxLength: NAMES.length }),
  )
  .map(([sources, targets]) => {
    const pairs = sources.flatMap((from, at) => {
      const to = targets[at] ?? from;
      // A name that stays with its node cannot be given away.
      return to === from || (NAMES.includes(to) && !sources.includes(to)) ? [] : [[from, to]];
    });
    // Nor one whose node has dropped out of the map.
    const kept = (list: string[][]): string[][] => {
      const from = new Set(list.map(([from]) => from));
      const next = list.filter(([, to = '']) => !NAMES.includes(to) || from.has(to));
      return next.length === list.length ? list : kept(next);
    };
    return Object.fromEntries(kept(pairs)) as Record<string, string>;
  })
  .filter((map) => Object.keys(map).length > 0);

/** A pod or a tunnel, with the address that it carries. */
interface Carried {
  readonly node: string;
  readonly tunnel: 'ipip' | 'vxlan' | undefined;
  readonly pod: string;
  readonly address: string;
}

/** Makes the rows of a healthy cluster, and tells who carries its addresses. */
class Cluster {
  readonly rows: Row[] = [aCluster(true), aPool('main', '10.0.0.0/16', { blockSize: 29 })];
  readonly carried: Carried[] = [];
  private readonly counts = new Map<string, Record<string, number>>();
  private readonly tunnels = new Set<string>();

  constructor(seeds: readonly BlockSeed[]) {
    for (const [at, seed] of seeds.entries()) this.add(`10.0.${at}.0/29`, seed);
    for (const [id, count] of this.counts) this.rows.push(aHandle(id, count));
  }

  private add(cidr: string, { owner, slots }: BlockSeed): void {
    const held: Record<number, BlockAttribute> = {};
    for (const [ordinal, seed] of slots.entries())
      if (seed !== undefined) held[ordinal] = this.hold(cidr, ordinal, seed);
    const host = owner === undefined ? undefined : NAMES[owner];
    if (host === undefined && Object.keys(held).length === 0) return;
    this.rows.push(aBlock(cidr, held, { affinity: host && `host:${host}` }));
    if (host !== undefined) this.rows.push(anAffinity(host, cidr));
  }

  /** A node has one tunnel of a kind; a second one is a pod. */
  private hold(cidr: string, ordinal: number, seed: NonNullable<Slot>): BlockAttribute {
    const node = NAMES[seed.node] ?? '';
    const address = formatAddress(addressAt(aBlock(cidr).cidr.base, ordinal));
    const pod = `p-${address.replaceAll('.', '-')}`;
    const name = `${seed.what} ${node}`;
    const kind = seed.what === 'pod' || this.tunnels.has(name) ? undefined : seed.what;
    if (kind !== undefined) this.tunnels.add(name);
    const attribute = kind === undefined ? podSlot(`shop/${pod}`, node) : tunnel(node, kind);
    const count = this.counts.get(attribute.handle ?? '') ?? {};
    this.counts.set(attribute.handle ?? '', { ...count, [cidr]: (count[cidr] ?? 0) + 1 });
    this.carried.push({ node, tunnel: kind, pod, address });
    return attribute;
  }
}

/** Nodes and pods under the names that the map gives. */
function putEvidence(
  world: MemoryDatastore,
  carried: readonly Carried[],
  map: Readonly<Record<string, string>>,
): void {
  const FIELDS = {
    ipip: 'projectcalico.org/IPv4IPIPTunnelAddr',
    vxlan: 'projectcalico.org/IPv4VXLANTunnelAddr',
  };
  const annotations = new Map(NAMES.map((name): [string, Record<string, string>] => [name, {}]));
  for (const { node, tunnel: kind, pod, address } of carried) {
    if (kind !== undefined) {
      const own = annotations.get(node);
      if (own) own[FIELDS[kind]] = address;
      continue;
    }
    world.put('Pod', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        namespace: 'shop',
        name: pod,
        uid: pod,
        creationTimestamp: '2026-11-01T00:00:00Z',
      },
      spec: { nodeName: map[node] ?? node },
      status: { phase: 'Running', podIP: address, podIPs: [{ ip: address }] },
    });
  }
  for (const [node, own] of annotations)
    world.put('Node', {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: map[node] ?? node, uid: node, annotations: own },
      spec: {},
    });
}

async function worldOf(
  flavor: Flavor,
  seeds: readonly BlockSeed[],
  map: Readonly<Record<string, string>>,
): Promise<MemoryDatastore> {
  const { rows, carried } = new Cluster(seeds);
  const world = await renameWorld(flavor, rows);
  putEvidence(world, carried, map);
  return world;
}

/** Everything but the marks. */
async function rowsOf(world: MemoryDatastore): Promise<Record<string, unknown>> {
  return { ...(await claimsOf(world)), 'ClusterInformation default': undefined };
}

/** Numbers of rows by kind, and of addresses that handles count. */
async function totalsOf(world: MemoryDatastore): Promise<Record<string, number>> {
  const totals: Record<string, number> = {};
  for (const [key, content] of Object.entries(await rowsOf(world))) {
    const kind = key.slice(0, key.indexOf(' '));
    totals[kind] = (totals[kind] ?? 0) + 1;
    if (kind !== 'IPAMHandle') continue;
    const [, counts] = content as [string, string[]];
    for (const text of counts)
      totals['counted'] = (totals['counted'] ?? 0) + Number(text.split(': ')[1]);
  }
  return totals;
}

async function codesOf(world: MemoryDatastore): Promise<Readonly<Record<string, number>>> {
  return (await runCheck(contextOf(world), CHECK_OPTIONS)).document.summary.byCode;
}

describe('renaming nodes of a healthy cluster', function () {
  this.timeout(60_000);

  for (const flavor of FLAVORS) {
    it(`leaves it healthy, conserves what is counted, and comes back by the inverse map, ${flavor}`, async () => {
      await fc.assert(
        fc.asyncProperty(blocks, maps, async (seeds, map) => {
          const world = await worldOf(flavor, seeds, map);
          const before = await rowsOf(world);
          const totals = await totalsOf(world);
          const { verdict, error } = await runRename(world, map);
          expect(verdict, error?.message ?? '').to.equal('ok');
          expect(await totalsOf(world)).to.deep.equal(totals);
          if (flavor !== 'etcd') {
            const unnamed = await worldOf(flavor, seeds, {});
            const [old, now] = [await codesOf(unnamed), await codesOf(world)];
            expect(now).to.deep.equal(old);
            expect(Object.keys(old)).to.satisfy((codes: readonly string[]) =>
              codes.every((code) => code === 'tunnel-address-borrowed'),
            );
          }
          // A chain whose head has nothing is done by its own account: there is no way back by names alone.
          const inverse = Object.fromEntries(Object.entries(map).map(([from, to]) => [to, from]));
          const isChain = chainsOf(new Map(Object.entries(map))).some(
            ({ names, isCycle }) => names.length > 1 && !isCycle,
          );
          if (isChain) return;
          await clearNote(world);
          const back = await runRename(world, inverse);
          expect(back.verdict, back.error?.message ?? '').to.be.oneOf(['ok', 'notFound']);
          expect(await rowsOf(world)).to.deep.equal(before);
        }),
        { numRuns: 60 },
      );
    });
  }
});

/** What unlocking and locking again does: a swap is its own inverse. */
async function clearNote(world: MemoryDatastore): Promise<void> {
  const row = await world.get('ClusterInformation', { name: 'default' });
  if (row?.kind !== 'ClusterInformation' || 'unreadable' in row) return;
  const metadata = { ...(row.object?.['metadata'] as object), annotations: {} };
  await world.update({ ...row, object: { ...row.object, metadata } });
}

import { expect } from 'chai';
import fc from 'fast-check';
import type { WritableDatastore } from '../../src/datastore/datastore.ts';
import { IpamEngine } from '../../src/engine/ipam-engine.ts';
import { ConflictError } from '../../src/errors/conflict-error.ts';
import { EngineError } from '../../src/errors/engine-error.ts';
import type { AffinityRow } from '../../src/ipam/model/affinity.ts';
import type { BlockRow } from '../../src/ipam/model/block.ts';
import type { ResourceKind } from '../../src/ipam/model/resource.ts';
import type { Row } from '../../src/ipam/model/row.ts';
import { validateBlock } from '../../src/ipam/validate-block.ts';
import { type Address, formatAddress } from '../../src/net/address.ts';
import { formatCidr } from '../../src/net/cidr.ts';
import { net, NOW } from '../support/builders.ts';
import { EngineWorld, requestFor } from '../support/engine-world.ts';

const POOL = '10.0.0.0/27';
const HOSTS = ['h1', 'h2', 'h3'];
const host = fc.constantFrom(...HOSTS);

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      op: fc.constant('assign' as const),
      host,
      count: fc.integer({ min: 1, max: 6 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      op: fc.constant('release' as const),
      pick: fc.nat(),
      count: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ op: fc.constant('releaseHandle' as const), pick: fc.nat() }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('claim' as const), host }) },
  {
    weight: 1,
    arbitrary: fc.record({ op: fc.constant('giveUp' as const), host, mustBeEmpty: fc.boolean() }),
  },
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** What the callers of the engine believe: the handle of each address that they hold. */
class Ledger {
  readonly held = new Map<Address, string>();
  /** Handles of which some address was picked to be released, now or earlier. */
  readonly #releasing = new Set<string>();
  #handles = 0;

  newHandle(): string {
    return `h-${++this.#handles}`;
  }

  take(addresses: readonly Address[], handle: string): void {
    for (const address of addresses) {
      expect(this.held.has(address), `${formatAddress(address)} is given out twice`).to.equal(
        false,
      );
      this.held.set(address, handle);
    }
  }

  /** Takes some entries out before they are released, so that nobody else releases them, too. */
  pick(pick: number, count: number): readonly (readonly [Address, string])[] {
    return this.#choose([...this.held], pick, count);
  }

  /** An address of a handle of which nobody is releasing another one. */
  pickHandle(pick: number): string | undefined {
    const entries = [...this.held].filter(([, handle]) => !this.#releasing.has(handle));
    const [chosen] = this.#choose(entries, pick, 1);
    return chosen?.[1];
  }

  #choose(
    entries: readonly (readonly [Address, string])[],
    pick: number,
    count: number,
  ): readonly (readonly [Address, string])[] {
    const chosen = entries.slice(entries.length === 0 ? 0 : pick % entries.length).slice(0, count);
    for (const [address, handle] of chosen) {
      this.held.delete(address);
      this.#releasing.add(handle);
    }
    return chosen;
  }
}

/** A datastore on which every call takes a while, and some writes lose a race that nobody ran. */
function unsteady(datastore: WritableDatastore, next: () => number): WritableDatastore {
  const wait = async (): Promise<void> => {
    for (let turns = next() % 4; turns > 0; turns--) await Promise.resolve();
  };
  const lose = (): void => {
    if (next() % 12 === 0) throw new ConflictError('injected');
  };
  return new Proxy(datastore, {
    get(target, name): unknown {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return async (...args: unknown[]): Promise<unknown> => {
        await wait();
        if (name === 'update' || name === 'remove') lose();
        const result: unknown = await Reflect.apply(value, target, args);
        await wait();
        return result;
      };
    },
  });
}

function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) >>> 16;
}

async function act(engine: IpamEngine, one: Step, ledger: Ledger): Promise<void> {
  switch (one.op) {
    case 'assign':
      return assign(engine, one, ledger);
    case 'release':
      return releaseSome(engine, ledger.pick(one.pick, one.count));
    case 'releaseHandle':
      return releaseAll(engine, ledger, one.pick);
    case 'claim':
      await engine.claimAffinity({ type: 'host', host: one.host }, net('10.0.0.0/29'));
      return;
    case 'giveUp':
      return engine.releaseHostAffinities({ type: 'host', host: one.host }, one.mustBeEmpty);
  }
}

async function assign(
  engine: IpamEngine,
  { host: name, count }: Extract<Step, { readonly op: 'assign' }>,
  ledger: Ledger,
): Promise<void> {
  const handle = ledger.newHandle();
  const { v4, error } = await engine.autoAssign(requestFor(name, count, { handle }));
  ledger.take(v4?.addresses.map(({ address }) => address) ?? [], handle);
  if (error instanceof Error) throw error;
}

async function releaseSome(
  engine: IpamEngine,
  chosen: readonly (readonly [Address, string])[],
): Promise<void> {
  for (const [address, handle] of chosen) {
    const { error, unallocated } = await engine.releaseAddresses([
      { address: formatAddress(address), handle },
    ]);
    expect(error).to.equal(undefined);
    expect(unallocated).to.deep.equal([]);
  }
}

async function releaseAll(engine: IpamEngine, ledger: Ledger, pick: number): Promise<void> {
  const handle = ledger.pickHandle(pick);
  if (handle === undefined) return;
  const others = [...ledger.held].filter(([, by]) => by === handle);
  // Nobody else may release what this call is about to.
  for (const [address] of others) ledger.held.delete(address);
  await engine.releaseByHandle(handle);
}

async function rowsOf<R extends Row>(
  datastore: WritableDatastore,
  kind: ResourceKind,
): Promise<readonly R[]> {
  const rows: R[] = [];
  for await (const batch of (await datastore.list(kind)).rows)
    rows.push(...(batch as readonly R[]));
  return rows;
}

async function assertConsistent(world: EngineWorld, ledger: Ledger): Promise<void> {
  const held = new Map<string, string>();
  const counts = new Map<string, number>();
  for (const block of await rowsOf<BlockRow>(world.datastore, 'IPAMBlock')) {
    expect(validateBlock(block).defects).to.deep.equal([]);
    for (const [ordinal, index] of block.allocations.entries()) {
      const handle = index === null ? undefined : block.attributes[index]?.handle;
      if (handle === undefined) continue;
      held.set(formatAddress((Number(block.cidr.base) + ordinal) as Address), handle);
      const key = `${handle} ${formatCidr(block.cidr)}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  expect([...held].sort()).to.deep.equal(
    [...ledger.held].map(([address, handle]) => [formatAddress(address), handle]).sort(),
  );
  const indexed = new Map<string, number>();
  for (const row of await rowsOf<Row>(world.datastore, 'IPAMHandle')) {
    if (row.kind !== 'IPAMHandle' || !('counts' in row)) continue;
    for (const { text, count } of row.counts) indexed.set(`${row.id} ${text}`, count);
  }
  expect([...indexed].sort()).to.deep.equal([...counts].sort());
  await assertOwnersAgree(world);
}

/** A block's owner has a row for it, and a confirmed row means an own block. */
async function assertOwnersAgree({ datastore }: EngineWorld): Promise<void> {
  const blocks = await rowsOf<BlockRow>(datastore, 'IPAMBlock');
  const affinities = await rowsOf<AffinityRow>(datastore, 'BlockAffinity');
  const claims = new Set(
    affinities.map(({ type, host: owner, cidr }) => `${type}:${owner} ${formatCidr(cidr)}`),
  );
  for (const { affinity, cidr } of blocks) {
    if (affinity !== undefined) expect([...claims]).to.include(`${affinity} ${formatCidr(cidr)}`);
  }
  const owned = new Set(
    blocks.map(({ affinity, cidr }) => `${affinity ?? ''} ${formatCidr(cidr)}`),
  );
  for (const { type, host: owner, cidr, state } of affinities) {
    if (state === 'confirmed')
      expect([...owned]).to.include(`${type}:${owner} ${formatCidr(cidr)}`);
  }
}

function smallCluster(isStrict: boolean): Promise<EngineWorld> {
  const world = new EngineWorld();
  world.pool('p', POOL, { blockSize: 29 });
  world.node(...HOSTS);
  return (isStrict ? world.strict() : Promise.resolve()).then(() => world);
}

/** Runs the steps of each process in order, the processes at the same time. */
async function race(
  world: EngineWorld,
  processes: readonly (readonly Step[])[],
  seed: number,
): Promise<Ledger> {
  const ledger = new Ledger();
  const next = generator(seed);
  let nanoseconds = BigInt(NOW) * 1_000_000n;
  const clock = { now: () => world.now, nanoseconds: () => (nanoseconds += 1_000_000n) };
  await Promise.all(
    processes.map(async (steps) => {
      const engine = new IpamEngine({ datastore: unsteady(world.datastore, next), clock });
      for (const one of steps) {
        try {
          await act(engine, one, ledger);
        } catch (error) {
          // Refusals are answers: a full block stays with its owner, a limit is a limit.
          if (!(error instanceof EngineError)) throw error;
        }
      }
    }),
  );
  return ledger;
}

describe('property, engines on one datastore', function () {
  this.timeout(60_000);

  const scenario = fc.tuple(
    fc.array(fc.array(step, { maxLength: 12 }), { minLength: 1, maxLength: 4 }),
    fc.boolean(),
    fc.nat(),
  );

  it('give no address twice, lose none, and count right, whatever they do at the same time', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async ([processes, isStrict, seed]) => {
        const world = await smallCluster(isStrict);
        const ledger = await race(world, processes, seed);
        await assertConsistent(world, ledger);
      }),
      { numRuns: 150 },
    );
  });
});

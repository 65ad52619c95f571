import { expect } from 'chai';
import fc from 'fast-check';
import { EngineError } from '../../src/errors/engine-error.ts';
import { isSound } from '../../src/ipam/allocator/block-content.ts';
import { candidateBlocks } from '../../src/ipam/allocator/candidate-blocks.ts';
import { GoRandom } from '../../src/ipam/allocator/go-random.ts';
import { releaseHandle } from '../../src/ipam/allocator/release.ts';
import type { BlockRow } from '../../src/ipam/model/block.ts';
import { formatCidr } from '../../src/net/cidr.ts';
import { validateBlock } from '../../src/ipam/validate-block.ts';
import { aPool } from '../support/builders.ts';
import { collect, newBlock, release, take, takeGiven, written } from '../support/block-steps.ts';

const ordinal = fc.integer({ min: 0, max: 7 });
const handle = fc.constantFrom('a', 'b', 'c');
const seconds = fc.integer({ min: 0, max: 40 });

const step = fc.oneof(
  fc.record({ op: fc.constant('take' as const), count: fc.integer({ min: 0, max: 5 }), handle }),
  fc.record({ op: fc.constant('give' as const), ordinal, handle }),
  fc.record({ op: fc.constant('release' as const), ordinals: fc.array(ordinal, { maxLength: 4 }) }),
  fc.record({ op: fc.constant('releaseHandle' as const), handle }),
  fc.record({ op: fc.constant('wait' as const), seconds }),
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A block, the time, and who holds what as a plain list. */
interface Model {
  block: BlockRow;
  now: number;
  readonly held: Map<number, string>;
}

const addressOf = (one: number): string => `10.0.0.${one}`;

function run(model: Model, one: Step, cooldownSeconds: number): void {
  const cooling = { now: model.now * 1000, cooldownSeconds };
  model.block = collect(model.block, cooling);
  switch (one.op) {
    case 'take': {
      const { block, addresses } = take(model.block, one.count, { handle: one.handle });
      model.block = block;
      for (const address of addresses) hold(model, Number(address.split('.')[3]), one.handle);
      break;
    }
    case 'give':
      give(model, one.ordinal, one.handle);
      break;
    case 'release':
      model.block = release(model.block, one.ordinals.map(addressOf), cooling).block;
      for (const released of one.ordinals) model.held.delete(released);
      break;
    case 'releaseHandle':
      model.block = written(releaseHandle(model.block, { handle: one.handle }, cooling).block);
      for (const [held, by] of [...model.held]) if (by === one.handle) model.held.delete(held);
      break;
    case 'wait':
      model.now += one.seconds;
  }
}

function give(model: Model, wanted: number, by: string): void {
  try {
    model.block = takeGiven(model.block, [addressOf(wanted), { handle: by }]);
    hold(model, wanted, by);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    expect(model.block.allocations[wanted]).not.to.equal(null);
  }
}

function hold(model: Model, taken: number, by: string): void {
  expect(model.held.has(taken), `ordinal ${taken} is given out twice`).to.equal(false);
  model.held.set(taken, by);
}

function holders({ allocations, attributes }: BlockRow): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  for (const [one, index] of allocations.entries()) {
    const by = index === null ? undefined : attributes[index]?.handle;
    if (by !== undefined) found.set(one, by);
  }
  return found;
}

describe('property, a block under the allocator', () => {
  it('stays sound, and holds for each handle what it was given', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 40 }),
        fc.constantFrom(0, 10),
        (steps, cooldownSeconds) => {
          const model: Model = { block: newBlock('10.0.0.0/29'), now: 1000, held: new Map() };
          for (const one of steps) {
            const before = model.block.sequenceNumber;
            run(model, one, cooldownSeconds);
            expect(isSound(model.block)).to.equal(true);
            expect(validateBlock(model.block).defects).to.deep.equal([]);
            expect([...holders(model.block)].sort()).to.deep.equal([...model.held].sort());
            expect(model.block.sequenceNumber >= before).to.equal(true);
            for (const [numbered] of model.block.sequenceNumbers)
              expect(model.block.allocations[numbered]).not.to.equal(null);
          }
        },
      ),
    );
  });

  it('never gives an address a number that it had before', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const model: Model = { block: newBlock('10.0.0.0/29'), now: 1000, held: new Map() };
        const highest = new Map<number, bigint>();
        for (const one of steps) {
          const before = new Map(model.held);
          run(model, one, 0);
          for (const taken of model.held.keys()) {
            const number = model.block.sequenceNumbers.get(taken) ?? 0n;
            if (before.has(taken)) continue;
            expect(number > (highest.get(taken) ?? 0n)).to.equal(true);
            highest.set(taken, number);
          }
        }
      }),
    );
  });
});

describe('property, the walk through a pool', () => {
  it('draws numbers below the limit, of any size', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 2n ** 130n }),
        fc.bigInt({ min: 0n, max: 2n ** 63n }),
        (limit, seed) => {
          const drawn = new GoRandom(seed).below(limit);
          expect(drawn >= 0n && drawn < limit).to.equal(true);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('meets every block of a pool exactly once, whoever walks', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 0, max: 8 }), (host, bits) => {
        const pool = aPool('p', '10.0.0.0/20', { blockSize: 20 + bits });
        const seen = [...candidateBlocks(pool, { host, singleAddressSeed: 1n })].map(formatCidr);
        expect(new Set(seen).size).to.equal(2 ** bits);
        expect(seen).to.have.length(2 ** bits);
      }),
      { numRuns: 50 },
    );
  });
});

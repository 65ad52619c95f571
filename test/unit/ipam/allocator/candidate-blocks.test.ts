import { expect } from 'chai';
import { candidateBlocks, hostSeed } from '../../../../src/ipam/allocator/candidate-blocks.ts';
import { GoRandom } from '../../../../src/ipam/allocator/go-random.ts';
import { formatCidr } from '../../../../src/net/cidr.ts';
import { aPool } from '../../../support/builders.ts';

const LIMITS = [2n, 4n, 8n, 16n, 64n, 256n, 1024n, 65536n];

const STARTS: readonly (readonly [string, string, number, readonly bigint[]])[] = [
  ['B-1', 'host-b', 1258779342, [0n, 2n, 4n, 14n, 14n, 92n, 782n, 31502n]],
  ['B-2', 'node1', 3957252814, [0n, 2n, 4n, 7n, 26n, 154n, 666n, 2887n]],
  ['B-3', 'node2', 3957252813, [0n, 0n, 0n, 0n, 32n, 44n, 416n, 45103n]],
  ['B-4', 'worker-0', 2999756864, [0n, 2n, 7n, 12n, 44n, 172n, 172n, 53727n]],
  ['B-5', 'load-balancer', 4270604816, [1n, 2n, 1n, 10n, 1n, 74n, 586n, 33354n]],
];

function walk(host: string, pool: string, blockSize: number): string[] {
  const candidates = candidateBlocks(aPool('p', pool, { blockSize }), {
    host,
    singleAddressSeed: 7n,
  });
  return [...candidates].map(formatCidr);
}

describe('ipam/allocator/candidate-blocks', () => {
  for (const [name, host, seed, starts] of STARTS) {
    it(`${name} starts for ${host} where Go's random source does`, () => {
      expect(hostSeed(host)).to.equal(seed);
      expect(LIMITS.map((limit) => new GoRandom(BigInt(seed)).below(limit))).to.deep.equal(starts);
    });
  }

  it('B-6 walks upwards and on from the first block of the pool', () => {
    expect(walk('worker-0', '10.244.0.0/16', 26).slice(0, 5)).to.deep.equal([
      ...[
        '10.244.43.0/26',
        '10.244.43.64/26',
        '10.244.43.128/26',
        '10.244.43.192/26',
        '10.244.44.0/26',
      ],
    ]);
    expect(walk('node1', 'fd00::/120', 122)).to.deep.equal([
      ...['fd00::80/122', 'fd00::c0/122', 'fd00::/122', 'fd00::40/122'],
    ]);
  });

  it('B-7 draws the numbers that Go draws', () => {
    const random = new GoRandom(3957252814n);
    const drawn = [random.uint32(), random.uint32(), random.uint32(), random.uint32()];
    expect(drawn).to.deep.equal([3217423002, 3224389328, 3819509332, 696161099]);
  });

  it('takes a seed of 0, and a negative one', () => {
    expect(new GoRandom(0n).uint32()).to.equal(new GoRandom(2n ** 31n - 1n).uint32());
    expect(new GoRandom(-1n).uint32()).to.equal(new GoRandom(2n ** 31n - 2n).uint32());
  });

  it('B-8 gives the only block of a pool once', () => {
    expect(walk('node1', '10.0.0.0/26', 26)).to.deep.equal(['10.0.0.0/26']);
  });

  it('B-9 gives every block exactly once', () => {
    const blocks = walk('host-b', '10.0.0.0/18', 26);
    expect(blocks).to.have.length(256);
    expect(new Set(blocks).size).to.equal(256);
  });

  it('starts blocks of single addresses by another seed than the host', () => {
    const starts = [1n, 2n, 3n, 4n, 5n].map((singleAddressSeed) => {
      const [first] = candidateBlocks(aPool('p', '10.0.0.0/20', { blockSize: 32 }), {
        host: 'a',
        singleAddressSeed,
      });
      return first && formatCidr(first);
    });
    expect(new Set(starts).size).to.be.above(1);
  });

  it('walks a pool of more blocks than 64 bits count', () => {
    const [first, second] = [...firstTwo()];
    expect(first).to.match(/^fd/);
    expect(second).not.to.equal(first);
  });

  it('gives nothing for a pool that is smaller than its blocks', () => {
    expect(walk('node1', '10.0.0.0/28', 26)).to.deep.equal([]);
  });
});

function* firstTwo(): Generator<string> {
  const pool = aPool('p', 'fd00::/8', { blockSize: 122 });
  let count = 0;
  for (const cidr of candidateBlocks(pool, { host: 'node1', singleAddressSeed: 7n })) {
    yield formatCidr(cidr);
    if (++count === 2) return;
  }
}

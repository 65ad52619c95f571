import { expect } from 'chai';
import { EngineError } from '../../../../src/errors/engine-error.ts';
import { blockCap } from '../../../../src/ipam/allocator/block-cap.ts';
import { longestBlockPrefix } from '../../../../src/ipam/allocator/host-reservation.ts';
import {
  enabledPools,
  poolOf,
  type PoolRequest,
  poolsForUse,
  selectPools,
} from '../../../../src/ipam/allocator/select-pools.ts';
import type { PoolRow } from '../../../../src/ipam/model/pool.ts';
import { aPool, ip, net } from '../../../support/builders.ts';

const a = aPool('a', '10.0.0.0/24', { nodeSelector: 'foo == "x"' });
const b = aPool('b', '20.0.0.0/24', { nodeSelector: 'foo != "x"' });

function names(pools: readonly PoolRow[], request: Partial<PoolRequest> = {}): readonly string[] {
  const enabled = enabledPools(pools, 4);
  const whole: PoolRequest = {
    ...{
      family: 4,
      requested: [],
      nodeLabels: { foo: 'x' },
      namespaceLabels: {},
      longestBlockPrefix: 32,
    },
    ...request,
  };
  return selectPools(enabled, whole).map(({ key }) => key.name);
}

function categoryOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof EngineError) return error.category;
    throw error;
  }
  return 'none';
}

describe('ipam/allocator/select-pools', () => {
  it('P-1 takes the pools that select the node', () => {
    expect(names([a, b])).to.deep.equal(['a']);
  });

  it('P-2 looks at no selector of a pool that is asked for', () => {
    expect(names([a, b], { requested: [net('20.0.0.0/24')] })).to.deep.equal(['b']);
  });

  it('P-3 refuses a disabled pool that is asked for', () => {
    const off = { ...a, disabled: true };
    expect(categoryOf(() => names([off, b], { requested: [a.cidr] }))).to.equal(
      'requested-pool-unusable',
    );
  });

  it('P-4 finds nothing when no pool selects the node', () => {
    expect(names([{ ...a, disabled: true }, b])).to.deep.equal([]);
  });

  it('P-5 compares prefixes after masking', () => {
    expect(names([aPool('u', '10.6.0.1/24')], { requested: [net('10.6.0.0/24')] })).to.deep.equal([
      'u',
    ]);
  });

  it('P-6 keeps the order of the request, and a pool that is asked for twice', () => {
    const requested = [b.cidr, a.cidr, b.cidr];
    expect(names([a, b], { requested })).to.deep.equal(['b', 'a', 'b']);
  });

  it('P-7 refuses a request of which one pool is unknown', () => {
    const requested = [a.cidr, net('30.0.0.0/24')];
    expect(categoryOf(() => names([a, b], { requested }))).to.equal('requested-pool-unusable');
  });

  it('P-9 takes the pools that select the namespace', () => {
    const pools = [
      aPool('prod', '10.0.0.0/24', { namespaceSelector: 'env == "prod"' }),
      aPool('dev', '10.0.1.0/24', { namespaceSelector: 'env == "dev"' }),
      aPool('any', '10.0.2.0/24'),
    ];
    expect(names(pools, { namespaceLabels: { env: 'prod' } })).to.deep.equal(['prod', 'any']);
  });

  it('P-10 judges a request without a namespace as one without labels', () => {
    const pools = [
      aPool('prod', '10.0.0.0/24', { namespaceSelector: 'env == "prod"' }),
      aPool('none', '10.0.1.0/24', { namespaceSelector: '!has(env)' }),
    ];
    expect(names(pools)).to.deep.equal(['none']);
  });

  it('P-11 refuses a request when a selector cannot be read, unless the pools are named', () => {
    for (const nodeSelector of ['a === "b"', 'invalid [']) {
      const broken = aPool('broken', '10.9.0.0/24', { nodeSelector });
      expect(categoryOf(() => names([a, broken]))).to.equal('bad-selector');
      expect(names([a, broken], { requested: [a.cidr] })).to.deep.equal(['a']);
    }
  });

  it('P-12 uses a manual pool only when it is asked for', () => {
    const manual = aPool('manual', '10.9.0.0/24', { assignmentMode: 'Manual' });
    expect(names([a, manual])).to.deep.equal(['a']);
    expect(names([a, manual], { requested: [manual.cidr] })).to.deep.equal(['manual']);
  });

  it('P-13 refuses a use that no pool allows', () => {
    const pools = [aPool('t', '10.0.0.0/24', { allowedUses: ['Tunnel'] })];
    expect(poolsForUse(pools, 'Tunnel')).to.deep.equal(pools);
    expect(categoryOf(() => poolsForUse(pools, 'Workload'))).to.equal('no-pool-for-use');
  });

  it('P-14 leaves room for what a host reserves', () => {
    const longest = [1, 2, 3, 4, 8, 65].map((startOfBlock) =>
      longestBlockPrefix(4, { startOfBlock, endOfBlock: 0, handle: 'h' }),
    );
    expect(longest).to.deep.equal([31, 30, 30, 29, 28, 25]);
    expect(longestBlockPrefix(6, { startOfBlock: 3, endOfBlock: 1, handle: 'h' })).to.equal(125);
    expect([longestBlockPrefix(4, undefined), longestBlockPrefix(6, undefined)]).to.deep.equal([
      32, 128,
    ]);
  });

  it('P-15 has no pool for a reservation that is larger than every block', () => {
    const longest = longestBlockPrefix(4, { startOfBlock: 32, endOfBlock: 33, handle: 'h' });
    expect(categoryOf(() => names([a], { longestBlockPrefix: longest }))).to.equal(
      'no-qualified-pool',
    );
  });

  it('P-16 refuses a reservation of nothing, and of less', () => {
    for (const [startOfBlock, endOfBlock] of [
      [0, 0],
      [-1, 2],
      [1.5, 0],
    ] as const) {
      const act = (): number => longestBlockPrefix(4, { startOfBlock, endOfBlock, handle: 'h' });
      expect(categoryOf(act), `${startOfBlock}+${endOfBlock}`).to.equal('bad-host-reservation');
    }
  });

  it('leaves out pools that are off, go, or lost their addresses, and those of the other family', () => {
    const pools = [
      aPool('on', '10.0.0.0/24'),
      aPool('off', '10.0.1.0/24', { disabled: true }),
      aPool('going', '10.0.2.0/24', { terminating: true }),
      aPool('lost', '10.0.3.0/24', { allocatable: false }),
      aPool('six', 'fd00::/120'),
    ];
    expect(enabledPools(pools, 4).map(({ key }) => key.name)).to.deep.equal(['on']);
    expect(enabledPools(pools, 6).map(({ key }) => key.name)).to.deep.equal(['six']);
  });

  it('takes the first pool that covers an address', () => {
    const wide = aPool('wide', '10.0.0.0/16');
    expect(poolOf([wide, a], ip('10.0.0.9'))).to.equal(wide);
    expect(poolOf([wide, a], ip('11.0.0.9'))).to.equal(undefined);
  });

  it('A-7 takes the lower of the limits that are set, or 20', () => {
    const limits = [
      [2, 3],
      [3, 2],
      [3, 0],
      [0, 5],
      [0, 0],
    ] as const;
    expect(limits.map(([configured, requested]) => blockCap(configured, requested))).to.deep.equal([
      2, 2, 3, 5, 20,
    ]);
  });
});

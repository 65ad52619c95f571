import { expect } from 'chai';
import { nodeHints, poolHints } from '../../../../src/ipam/accounting/hints.ts';
import { countUsage } from '../../../../src/ipam/accounting/usage.ts';
import type { Row } from '../../../../src/ipam/model/row.ts';
import type { ResourceKind } from '../../../../src/ipam/model/resource.ts';
import { pod } from '../../../support/accounting.ts';
import { aBlock, aNode, aPool, clusterOf } from '../../../support/builders.ts';
import { aConfig } from '../../../support/settings-builders.ts';

const two = aPool('two', '10.0.0.0/28', { blockSize: 29 });
const first = aBlock('10.0.0.0/29', { 1: pod('node-a') });
const second = aBlock('10.0.0.8/29', {}, { affinity: 'host:node-b' });
const nodes = [aNode('node-a'), aNode('node-b'), aNode('node-c')];
const strict = aConfig({ strictAffinity: true });

/** Codes with the pool or node that each is about. */
function hintsOf(rows: readonly Row[], without: readonly ResourceKind[] = []): readonly string[] {
  const state = clusterOf(rows, { without });
  const usage = countUsage(state);
  return [
    ...[...poolHints(state, usage)].map(({ code, usage }) => `${code} ${usage.pool.key.name}`),
    ...nodeHints(state, usage).map(({ code, node }) => `${code} ${node}`),
  ];
}

describe('ipam/accounting/hints', () => {
  it('tells that all blocks of a pool are claimed', () => {
    expect(hintsOf([two, first, second, ...nodes])).to.deep.equal(['all-blocks-claimed two']);
  });

  it('counts a block without an owner as one that can be claimed', () => {
    expect(
      hintsOf([two, first, { ...second, affinity: undefined }, strict, ...nodes]),
    ).to.deep.equal([]);
  });

  it('names the nodes that strict affinity leaves without a block', () => {
    const rows = [two, first, second, strict, ...nodes];
    expect(hintsOf(rows)).to.deep.equal([
      'all-blocks-claimed two',
      'no-block-under-strict-affinity node-c',
    ]);
    expect(hintsOf([...rows, aPool('more', '10.1.0.0/24')])).to.deep.equal([
      'all-blocks-claimed two',
    ]);
  });

  it('looks only at pools that serve the node', () => {
    const elsewhere = aPool('more', '10.1.0.0/24', { nodeSelector: 'zone == "b"' });
    const rows = [two, first, second, strict, ...nodes, elsewhere];
    expect(hintsOf(rows)).to.include('no-block-under-strict-affinity node-c');
    expect(hintsOf([...rows, aNode('node-d', {}, { labels: { zone: 'b' } })])).to.not.include(
      'no-block-under-strict-affinity node-d',
    );
  });

  it('tells that a pool of one block serves one node under strict affinity', () => {
    const one = aPool('one', '10.0.0.0/29', { blockSize: 29 });
    expect(hintsOf([one, strict])).to.deep.equal(['one-node-pool one']);
    expect(hintsOf([one])).to.deep.equal([]);
  });

  it('tells which nodes may claim no further block', () => {
    const rows = [two, first, second, aPool('more', '10.1.0.0/24'), ...nodes];
    expect(hintsOf([...rows, aConfig({ maxBlocksPerHost: 1 })])).to.deep.equal([
      'all-blocks-claimed two',
      'block-limit-reached node-a',
      'block-limit-reached node-b',
    ]);
    expect(hintsOf([...rows, aConfig({ maxBlocksPerHost: 2 })])).to.deep.equal([
      'all-blocks-claimed two',
    ]);
  });

  it('takes twenty blocks per IP version as the limit where none is set', () => {
    const blocks = Array.from({ length: 20 }, (_, i) => aBlock(`10.1.0.${i * 8}/29`));
    const six = aBlock('fd00::/122');
    const rows = [
      aPool('p', '10.1.0.0/16', { blockSize: 29 }),
      aPool('s', 'fd00::/64'),
      aNode('node-a'),
    ];
    expect(hintsOf([...rows, ...blocks, six])).to.deep.equal(['block-limit-reached node-a']);
    expect(hintsOf([...rows, ...blocks.slice(1), six])).to.deep.equal([]);
  });

  it('leaves pools alone from which nodes get nothing unasked', () => {
    const blocks = [first, second];
    for (const more of [
      { disabled: true },
      { allocatable: false },
      { assignmentMode: 'Manual' },
      { allowedUses: ['LoadBalancer'] },
    ]) {
      expect(hintsOf([{ ...two, ...more }, ...blocks, strict, ...nodes])).to.not.include(
        'all-blocks-claimed two',
      );
    }
  });

  it('tells that a disabled pool is still in use', () => {
    expect(hintsOf([{ ...two, disabled: true }, first])).to.deep.equal([
      'disabled-pool-in-use two',
    ]);
    expect(hintsOf([{ ...two, disabled: true }, second])).to.deep.equal([]);
  });

  it('takes the owners of blocks for the nodes where those were not read', () => {
    const rows = [
      two,
      first,
      second,
      aPool('more', '10.1.0.0/24'),
      aConfig({ maxBlocksPerHost: 1 }),
    ];
    expect(hintsOf(rows, ['Node'])).to.include('block-limit-reached node-a');
  });

  it('tells nothing that rests on what was not read', () => {
    const rows = [two, first, second, ...nodes];
    expect(hintsOf(rows, ['IPAMConfig'])).to.deep.equal(['all-blocks-claimed two']);
    expect(hintsOf([two, first, second, strict], ['Node'])).to.deep.equal([
      'all-blocks-claimed two',
    ]);
  });
});

import { expect } from 'chai';
import { EXIT_STATUSES } from '../../../../src/errors/exit-status.ts';
import type { JsonObject } from '../../../../src/support/json.ts';
import {
  affinityEntry,
  blockEntry,
  type Entry,
  type Exported,
  exported,
  handleEntry,
  nodeEntry,
  objectEntry,
} from '../../../support/export-world.ts';

const BLOCK = '10.0.0.0/30';
const NEXT = '10.0.0.4/30';

function refusalsOf({ document }: Exported): readonly (readonly [string, string])[] {
  return document.refusals.map(({ subject, code }) => [subject, code]);
}

describe('operations/export, refusing', () => {
  async function refused(entries: readonly Entry[]): Promise<Exported> {
    const run = await exported(entries);
    expect(run.text, 'something was written').to.equal(undefined);
    expect(run.document.written).to.equal(false);
    expect(run.error?.status).to.equal(EXIT_STATUSES[run.verdict].status);
    return run;
  }

  it('names every node without a name in Kubernetes at once', async () => {
    const run = await refused([nodeEntry('bare-1'), nodeEntry('a', 'a'), nodeEntry('bare-2')]);
    expect(run.verdict).to.equal('refused');
    expect(run.error?.message).to.match(/bare-1.*bare-2/);
    expect(run.error?.hint).to.include('--skip-node');
  });

  it('lists names and ids that Kubernetes cannot hold', async () => {
    const run = await refused([
      nodeEntry('a', 'a'),
      objectEntry('hostendpoints', 'HostEndpoint', 'Upper', {}),
      blockEntry(BLOCK, 'host:under_score'),
      blockEntry(NEXT, 'host:'),
      affinityEntry('host/Gone', BLOCK),
      affinityEntry('virtual/x y', BLOCK),
      handleEntry('net.ok', {}),
      handleEntry('net.OK2', {}),
      handleEntry('net.under_score', {}),
      handleEntry('net.a\nb', {}),
      handleEntry('net.a/b', {}),
      handleEntry(`net.${'x'.repeat(250)}`, {}),
    ]);
    expect(run.verdict).to.equal('refused');
    expect(new Set(run.document.refusals.map(({ code }) => code))).to.deep.equal(
      new Set(['impossible-name']),
    );
    expect(refusalsOf(run).map(([subject]) => subject)).to.have.members([
      'HostEndpoint Upper',
      'IPAMBlock ipv4/block/10.0.0.0-30',
      'IPAMBlock ipv4/block/10.0.0.4-30',
      'BlockAffinity host/Gone/ipv4/block/10.0.0.0-30',
      'BlockAffinity "virtual/x y/ipv4/block/10.0.0.0-30"',
      'IPAMHandle net.under_score',
      'IPAMHandle "net.a\\nb"',
      'IPAMHandle net.a/b',
      `IPAMHandle net.${'x'.repeat(250)}`,
    ]);
  });

  it('lists what would share a name: ids that differ in case or behind the cut, owners of two types', async () => {
    const run = await refused([
      nodeEntry('a', 'b'),
      handleEntry('net.A', {}),
      handleEntry('net.a', {}),
      handleEntry('net.x\r\neth0', {}),
      handleEntry('net.x', {}),
      affinityEntry('host/a', BLOCK),
      affinityEntry('virtual/b', BLOCK),
      objectEntry('felixconfigurations', 'FelixConfiguration', 'node.a', {}),
      objectEntry('felixconfigurations', 'FelixConfiguration', 'node.b', {}),
    ]);
    expect(refusalsOf(run)).to.deep.equal([
      ['FelixConfiguration node.b', 'shared-name'],
      ['BlockAffinity virtual/b/ipv4/block/10.0.0.0-30', 'shared-name'],
      ['IPAMHandle net.a', 'shared-name'],
      ['IPAMHandle net.x', 'shared-name'],
    ]);
  });

  it('does not make what a host left behind that of a node which gets its name', async () => {
    const run = await refused([
      nodeEntry('a', 'b'),
      blockEntry(BLOCK, 'host:b'),
      affinityEntry('host/b', BLOCK),
    ]);
    expect(refusalsOf(run).map(([, code]) => code)).to.deep.equal([
      'name-of-another',
      'name-of-another',
    ]);
    expect(
      (await exported([nodeEntry('a', 'b'), nodeEntry('b', 'a'), blockEntry(BLOCK, 'host:b')]))
        .verdict,
    ).to.equal('ok');
  });

  it('names every row and a broken object of each kind that cannot be read, with the status of unreadable data', async () => {
    const broken = { ...(blockEntry(NEXT, null).value as JsonObject), unallocated: [0, 0, 1, 2] };
    const run = await refused([
      nodeEntry('bare'),
      {
        key: `/calico/ipam/v2/assignment/ipv4/block/${BLOCK.replace('/', '-')}`,
        value: 'no json',
      },
      { ...blockEntry(NEXT, null), value: broken },
      { key: '/calico/ipam/v2/handle/net.1', value: { block: 7 } },
      { key: '/calico/ipam/v2/host/a/ipv4/block/x', value: {} },
      { key: '/calico/ipam/v2/config', value: { maxBlocksPerHost: 'x' } },
      { key: '/calico/resources/v3/projectcalico.org/ippools/main', value: 'no json' },
      { key: '/calico/resources/v3/projectcalico.org/tiers/ours', value: 'no json' },
    ]);
    expect(run.verdict).to.equal('data');
    expect(refusalsOf(run)).to.deep.equal([
      ['Node bare', 'no-kubernetes-name'],
      ['IPPool', 'unreadable'],
      ['Tier', 'unreadable'],
      ['IPAMBlock ipv4/block/10.0.0.0-30', 'unreadable'],
      ['IPAMBlock ipv4/block/10.0.0.4-30', 'unreadable'],
      ['BlockAffinity host/a/ipv4/block/x', 'unreadable'],
      ['IPAMHandle net.1', 'unreadable'],
      ['IPAMConfig default', 'unreadable'],
    ]);
  });

  it('lists blocks that overlap', async () => {
    const big = blockEntry('10.0.0.0/29', null);
    const slots = [0, 1, 2, 3, 4, 5, 6, 7];
    const value = {
      ...(big.value as JsonObject),
      allocations: slots.map(() => null),
      unallocated: slots,
    };
    const run = await refused([
      { ...big, value },
      blockEntry(BLOCK, null),
      blockEntry(NEXT, null),
      blockEntry('10.0.0.8/30', null),
    ]);
    expect(refusalsOf(run)).to.deep.equal([
      ['IPAMBlock ipv4/block/10.0.0.0-30', 'overlapping-blocks'],
      ['IPAMBlock ipv4/block/10.0.0.4-30', 'overlapping-blocks'],
    ]);
  });

  it('names twenty and counts the rest, and has all in the document', async () => {
    const nodes = Array.from({ length: 30 }, (_none, i) => nodeEntry(`bare-${i}`));
    const run = await refused(nodes);
    expect(run.document.refusals).to.have.lengthOf(30);
    expect(run.error?.message).to.include('and 10 more');
  });
});

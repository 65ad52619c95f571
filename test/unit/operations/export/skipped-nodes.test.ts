import { expect } from 'chai';
import { NotFoundError } from '../../../../src/errors/not-found-error.ts';
import type { JsonObject } from '../../../../src/support/json.ts';
import {
  affinityEntry,
  blockEntry,
  entriesOf,
  exported,
  handleEntry,
  nodeEntry,
  objectEntry,
} from '../../../support/export-world.ts';

const BLOCK = '10.0.0.0/30';
const NEXT = '10.0.0.4/30';

function slot(handle: string, node: string): JsonObject {
  return { handle_id: handle, secondary: { node } };
}

describe('operations/export, leaving nodes out', () => {
  const cluster = [
    nodeEntry('a', 'a.example'),
    nodeEntry('bare'),
    objectEntry('hostendpoints', 'HostEndpoint', 'bare-auto-hep', { node: 'bare' }),
    objectEntry('felixconfigurations', 'FelixConfiguration', 'node.bare', {}),
    objectEntry('bgppeers', 'BGPPeer', 'peer', { node: 'bare' }),
    blockEntry(BLOCK, 'host:bare', [slot('ipip-tunnel-addr-bare', 'bare'), slot('net.1', 'a')]),
    blockEntry(NEXT, 'host:bare', [slot('net.2', 'bare')]),
    blockEntry('10.0.0.8/30', 'host:a', [slot('net.1', 'a'), slot('net.2', 'bare')]),
    affinityEntry('host/bare', BLOCK),
    affinityEntry('host/bare', NEXT),
    affinityEntry('host/a', '10.0.0.8/30'),
    handleEntry('ipip-tunnel-addr-bare', { [BLOCK]: 1 }),
    handleEntry('net.1', { [BLOCK]: 1, '10.0.0.8/30': 1 }),
    handleEntry('net.2', { [NEXT]: 1, '10.0.0.8/30': 1 }),
  ];

  it('takes everything of theirs away, and nothing of others', async () => {
    const run = await exported(cluster, { skipNodes: ['bare'] });
    const entries = entriesOf(run);
    expect([...entries.keys()].map((path) => path.slice('/calico/ipam/v2/'.length))).to.deep.equal([
      'host/a.example/ipv4/block/10.0.0.8-30',
      'assignment/ipv4/block/10.0.0.0-30',
      'assignment/ipv4/block/10.0.0.8-30',
      'handle/net.1',
    ]);
    expect(run.text).not.to.match(/"bare"|bare-auto|node\.bare|addr-bare/);
    expect(run.document).to.deep.include({
      skippedNodes: ['bare'],
      leftOut: {
        BGPPeer: 1,
        HostEndpoint: 1,
        Node: 1,
        FelixConfiguration: 1,
        IPAMBlock: 1,
        BlockAffinity: 2,
        IPAMHandle: 2,
      },
    });
    expect(run.document.notes).to.have.lengthOf(2);
  });

  it('counts in handles what the blocks of the file hold', async () => {
    const entries = entriesOf(await exported(cluster, { skipNodes: ['bare'] }));
    expect(entries.get('/calico/ipam/v2/handle/net.1')?.['block']).to.deep.equal({
      [BLOCK]: 1,
      '10.0.0.8/30': 1,
    });
  });

  it('lets one of two nodes go that share a name', async () => {
    const two = [nodeEntry('a', 'x'), nodeEntry('b', 'x'), blockEntry(BLOCK, 'host:b')];
    expect((await exported(two)).verdict).to.equal('refused');
    const run = await exported(two, { skipNodes: ['a'] });
    expect(run.document.nodes).to.deep.equal([{ from: 'b', to: 'x' }]);
    expect([...entriesOf(run).values()][0]?.['affinity']).to.equal('host:x');
  });

  it('knows owners that are no nodes', async () => {
    const lost = [blockEntry(BLOCK, 'host:Gone'), affinityEntry('host/Gone', BLOCK)];
    expect((await exported(lost)).verdict).to.equal('refused');
    const run = await exported(lost, { skipNodes: ['Gone'] });
    expect(run.verdict).to.equal('ok');
    expect(entriesOf(run).size).to.equal(0);
  });

  it('refuses a name that nothing has', async () => {
    const run = exported(cluster, { skipNodes: ['bare', 'bear'] });
    const error: unknown = await run.catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(NotFoundError);
    expect((error as NotFoundError).message)
      .to.include('bear')
      .and.not.include('bare,');
  });
});

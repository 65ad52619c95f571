import { expect } from 'chai';
import { formatCidr } from '../../../src/net/cidr.ts';
import { ip, net } from '../../support/builders.ts';
import { endOf, EngineWorld } from '../../support/engine-world.ts';

function cluster(blockSize = 30): EngineWorld {
  const world = new EngineWorld();
  world.pool('p', '192.168.7.0/24', { blockSize });
  world.node('h1');
  return world;
}

const give = (world: EngineWorld, address: string, handle?: string): Promise<void> =>
  world.engine.assignAddress({ address: ip(address), host: 'h1', handle });

describe('engine, affinities', () => {
  it('F-1 and F-2 claims what is free or its own, and tells what is not', async () => {
    const world = new EngineWorld();
    world.pool('p', '192.168.8.0/24', { blockSize: 26 });
    world.node('host-a', 'host-b');
    await world.engine.assignAddress({ address: ip('192.168.8.70'), host: 'host-a' });
    const claim = async (host: string): Promise<readonly number[]> => {
      const { claimed, failed } = await world.engine.claimAffinity(
        { type: 'host', host },
        net('192.168.8.0/24'),
      );
      return [claimed.length, failed.length];
    };
    expect(await claim('host-b')).to.deep.equal([3, 1]);
    expect(await claim('host-b')).to.deep.equal([3, 1]);
    expect(await claim('host-a')).to.deep.equal([1, 3]);
  });

  it('F-3 refuses a range that is smaller than a block, and one outside of every pool', async () => {
    const world = cluster(26);
    const owner = { type: 'host', host: 'h1' };
    expect(await endOf(world.engine.claimAffinity(owner, net('192.168.7.0/27')))).to.equal(
      'cidr-smaller-than-block',
    );
    expect(await endOf(world.engine.claimAffinity(owner, net('10.0.0.0/24')))).to.equal(
      'pool-not-configured',
    );
    expect(await endOf(world.engine.releaseAffinity('h1', net('192.168.7.0/27')))).to.equal(
      'cidr-smaller-than-block',
    );
  });

  it('F-4 and F-5 keeps a block with addresses where it must be empty, else takes its owner', async () => {
    const world = cluster(26);
    await give(world, '192.168.7.5', 'h');
    expect(await endOf(world.engine.releaseAffinity('h1', net('192.168.7.0/26'), true))).to.equal(
      'block-not-empty',
    );
    expect(await world.owners()).to.deep.equal({ '192.168.7.0/26': 'host:h1' });
    await world.engine.releaseAffinity('h1', net('192.168.7.0/26'));
    expect(await world.owners()).to.deep.equal({ '192.168.7.0/26': 'nobody' });
    await world.engine.releaseByHandle('h');
    expect(await world.owners()).to.deep.equal({});
  });

  it('F-6 releases the empty blocks of a host, and tells that one is not', async () => {
    const world = cluster();
    for (const last of [0, 4, 8]) await give(world, `192.168.7.${last}`, `h${last}`);
    for (const handle of ['h0', 'h8']) await world.engine.releaseByHandle(handle);
    const owner = { type: 'host', host: 'h1' };
    expect(await endOf(world.engine.releaseHostAffinities(owner, true))).to.equal(
      'block-not-empty',
    );
    expect(await world.owners()).to.deep.equal({ '192.168.7.4/30': 'host:h1' });
  });

  it('F-7 needs no pool to release the blocks of a host', async () => {
    const world = cluster();
    await give(world, '192.168.7.0', 'h');
    world.datastore.drop('IPPool', 'p');
    await world.engine.removeHost({ type: 'host', host: 'h1' });
    expect(await world.owners()).to.deep.equal({ '192.168.7.0/30': 'nobody' });
  });

  it('F-9 and F-11 takes it for done when there is nothing to release', async () => {
    const world = cluster();
    expect(await endOf(world.engine.releaseAffinity('h1', net('192.168.7.0/24')))).to.equal('done');
    expect(await endOf(world.engine.removeHost({ type: 'host', host: 'nobody' }))).to.equal('done');
  });

  it('F-10 keeps the blocks of a host and of a virtual owner of that name apart', async () => {
    const world = cluster(26);
    await world.engine.claimAffinity({ type: 'host', host: 'x' }, net('192.168.7.0/26'));
    await world.engine.claimAffinity({ type: 'virtual', host: 'x' }, net('192.168.7.64/26'));
    await world.engine.releaseHostAffinities({ type: 'virtual', host: 'x' });
    expect(await world.owners()).to.deep.equal({ '192.168.7.0/26': 'host:x' });
  });

  it('F-12 gives a host the same block each time', async () => {
    const world = cluster(28);
    const reservation = { startOfBlock: 3, endOfBlock: 1, handle: 'windows-reserved-ipam-handle' };
    const ensure = async (): Promise<string> => {
      const { v4, v6 } = await world.engine.ensureBlocks({ host: 'h1', v4: { reservation } });
      expect(v6).to.equal(undefined);
      return v4 ? formatCidr(v4) : '';
    };
    const first = await ensure();
    expect(await ensure()).to.equal(first);
    expect((await world.block(first))?.unallocated).to.have.length(12);
  });

  it('releases all blocks of a pool, whoever owns them', async () => {
    const world = cluster(26);
    await world.engine.claimAffinity({ type: 'host', host: 'x' }, net('192.168.7.0/26'));
    await world.engine.claimAffinity({ type: 'virtual', host: 'y' }, net('192.168.7.64/26'));
    await world.engine.releasePoolAffinities(net('192.168.7.0/24'));
    expect(await world.owners()).to.deep.equal({});
  });
});

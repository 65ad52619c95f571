import { expect } from 'chai';
import { net } from '../../support/builders.ts';
import { EngineWorld } from '../../support/engine-world.ts';

const WINDOWS = {
  startOfBlock: 3,
  endOfBlock: 1,
  handle: 'windows-reserved-ipam-handle',
  note: 'windows host rsvd',
};

/** A cluster with one pool and some nodes. */
function cluster(cidr: string, blockSize: number, ...nodes: string[]): EngineWorld {
  const world = new EngineWorld();
  world.pool('p', cidr, { blockSize });
  world.node(...nodes);
  return world;
}

describe('engine/auto-assign', () => {
  it('A-1 claims the first block of the host and confirms the claim', async () => {
    const world = cluster('10.0.0.0/24', 26, 'host-b');
    expect((await world.assign('host-b', 1)).ips).to.deep.equal(['10.0.0.128/26']);
    expect(await world.owners()).to.deep.equal({ '10.0.0.128/26': 'host:host-b' });
    expect((await world.affinity('host-b', '10.0.0.128/26'))?.state).to.equal('confirmed');
  });

  it('A-2 takes from the block that the host has', async () => {
    const world = cluster('10.0.0.0/24', 26, 'host-b');
    await world.assign('host-b', 1);
    expect((await world.assign('host-b', 1)).ips).to.deep.equal(['10.0.0.129/26']);
    expect(Object.keys(await world.owners())).to.have.length(1);
  });

  it('A-3 gives what a pool has when more is asked for, and says that it is exhausted', async () => {
    const got = await cluster('10.0.0.0/24', 26, 'host-b').assign('host-b', 257);
    expect([got.ips.length, got.reasons, got.error]).to.deep.equal([
      256,
      ['pools-exhausted'],
      undefined,
    ]);
  });

  it('A-4 says that affinity is strict when a host can claim no more', async () => {
    const world = cluster('10.0.0.0/26', 26, 'host-b');
    await world.strict();
    const got = await world.assign('host-b', 256);
    expect([got.ips.length, got.reasons, got.error]).to.deep.equal([
      64,
      ['strict-affinity'],
      undefined,
    ]);
  });

  it('A-5 stops at the limit of the request, with what it has', async () => {
    for (const limit of [1, 2]) {
      const got = await cluster('10.0.0.0/24', 26, 'host-b').assign('host-b', 256, {
        maxBlocksPerHost: limit,
      });
      expect([got.ips.length, got.error]).to.deep.equal([64 * limit, 'block-limit']);
      expect(got.assignment?.reasons).to.deep.equal([{ about: 'block-limit', limit }]);
    }
  });

  it('A-6 stops at 20 blocks where nothing sets a limit', async () => {
    const got = await cluster('10.0.0.0/24', 30, 'host-b').assign('host-b', 100);
    expect([got.ips.length, got.error]).to.deep.equal([80, 'block-limit']);
    expect(got.assignment?.reasons).to.deep.equal([{ about: 'block-limit', limit: 20 }]);
  });

  it('A-8 stops at the configured limit even while other hosts have space', async () => {
    const world = cluster('10.0.0.0/28', 30, 'host-a', 'host-b');
    await world.strict({ maxBlocksPerHost: 2 });
    await world.assign('host-b', 1);
    for (let i = 0; i < 8; i++) expect((await world.assign('host-a', 1)).ips).to.have.length(1);
    const ninth = await world.assign('host-a', 1);
    expect([ninth.ips, ninth.error]).to.deep.equal([[], 'block-limit']);
  });

  it('A-9 borrows from the block of another host, without a claim', async () => {
    const world = cluster('10.0.0.0/26', 26, 'h1', 'h2');
    await world.assign('h1', 1);
    expect((await world.assign('h2', 1)).ips).to.deep.equal(['10.0.0.1/26']);
    expect(await world.affinity('h2', '10.0.0.0/26')).to.equal(undefined);
  });

  it('A-10 and A-12 borrows nothing under strict affinity, and takes no fresh block from its owner', async () => {
    const world = cluster('10.0.0.0/26', 26, 'h1', 'h2');
    await world.strict();
    await world.assign('h1', 1, { handle: 'h' });
    const got = await world.assign('h2', 1);
    expect([got.ips, got.reasons, got.error]).to.deep.equal([[], ['strict-affinity'], undefined]);
    await world.engine.releaseByHandle('h');
    world.now += 10_000;
    expect((await world.assign('h2', 1)).ips).to.deep.equal([]);
  });

  it('A-11 takes from its own block first, and borrows the rest', async () => {
    const world = cluster('10.0.0.0/25', 26, 'host-a', 'host-b');
    const [own] = (await world.assign('host-a', 1)).ips;
    await world.assign('host-b', 1);
    const { ips } = await world.assign('host-a', 64);
    const block =
      own?.startsWith('10.0.0.0') === true
        ? /^10\.0\.0\.([0-9]|[1-5][0-9]|6[0-3])\//
        : /^10\.0\.0\.(6[4-9]|[7-9][0-9]|1[0-2][0-9])\//;
    expect(ips.filter((address) => block.test(address))).to.have.length(63);
    expect(ips).to.have.length(64);
  });

  it('A-13 takes an empty block from its owner when it is old enough', async () => {
    const world = cluster('10.0.0.0/26', 26, 'h1', 'h2');
    await world.strict();
    await world.assign('h1', 1, { handle: 'h' });
    await world.engine.releaseByHandle('h');
    world.now += 61_000;
    expect((await world.assign('h2', 1)).ips).to.deep.equal(['10.0.0.0/26']);
    expect(await world.owners()).to.deep.equal({ '10.0.0.0/26': 'host:h2' });
    expect(await world.affinity('h1', '10.0.0.0/26')).to.equal(undefined);
  });

  it('takes no block from its owner while an address in it cools', async () => {
    const world = cluster('10.0.0.0/26', 26, 'h1', 'h2');
    await world.strict();
    await world.cooldown(600);
    await world.assign('h1', 1, { handle: 'h' });
    await world.engine.releaseByHandle('h');
    world.now += 61_000;
    expect((await world.assign('h2', 1)).ips).to.deep.equal([]);
  });

  it('A-16 claims nothing where blocks are not claimed automatically', async () => {
    const world = cluster('10.0.0.0/26', 26, 'h1');
    await world.strict({ autoAllocateBlocks: false });
    const got = await world.assign('h1', 1);
    expect([got.ips, got.error]).to.deep.equal([[], 'no-block-and-no-auto-allocation']);
  });

  it('A-17 makes the missing block of a confirmed affinity', async () => {
    const world = cluster('10.0.0.0/24', 26, 'h1');
    await world.engine.claimAffinity({ type: 'host', host: 'h1' }, net('10.0.0.0/26'));
    world.datastore.drop('IPAMBlock', '10-0-0-0-26');
    expect((await world.assign('h1', 1)).ips).to.deep.equal(['10.0.0.0/26']);
  });

  it('A-23 leaves out an own block of which everything is reserved', async () => {
    const world = cluster('10.0.0.0/28', 30, 'h1');
    await world.engine.claimAffinity({ type: 'host', host: 'h1' }, net('10.0.0.0/29'));
    world.reserve('r', '10.0.0.0/30');
    expect((await world.assign('h1', 1)).ips).to.deep.equal(['10.0.0.4/30']);
  });

  it('A-24 leaves out reserved addresses', async () => {
    const world = cluster('10.44.0.0/26', 26, 'h1');
    world.reserve('r', '10.44.0.9/32', '10.44.0.16/29', '10.99.0.0/24');
    expect((await world.assign('h1', 64)).ips).to.have.length(55);
  });

  it('A-25 leaves out reserved addresses and those that a Windows host keeps', async () => {
    const world = cluster('10.44.0.0/26', 26, 'h1');
    world.reserve('r', '10.44.0.2/31', '10.44.0.40/30');
    const got = await world.assign('h1', 64, { v4: { count: 64, reservation: WINDOWS } });
    expect(got.ips).to.have.length(55);
    expect(got.assignment?.reservedHandle).to.equal(WINDOWS.handle);
  });

  it('A-26 keeps four addresses of each block for a Windows host', async () => {
    const world = cluster('10.0.0.0/24', 26, 'h1');
    await world.strict();
    const got = await world.assign('h1', 256, { v4: { count: 256, reservation: WINDOWS } });
    expect([got.ips.length, got.reasons]).to.deep.equal([240, ['strict-affinity']]);
  });

  it('A-28 refuses a request that does not say what for', async () => {
    const got = await cluster('10.0.0.0/24', 26, 'h1').assign('h1', 1, { use: '' });
    expect([got.error, got.isTried]).to.deep.equal(['use-required', false]);
  });

  it('A-29 gives up an empty block of a pool that no longer selects the node', async () => {
    const world = cluster('10.0.0.0/24', 26, 'h1');
    world.pool('q', '10.1.0.0/24', { blockSize: 26 });
    const [address] = (await world.assign('h1', 1, { handle: 'h', pools: ['10.0.0.0/24'] })).ips;
    await world.engine.releaseByHandle('h');
    world.pool('p', '10.0.0.0/24', { blockSize: 26, nodeSelector: 'has(other)' });
    await world.assign('h1', 1);
    expect(address).to.match(/^10\.0\./);
    expect(
      Object.keys(await world.owners()).filter((cidr) => cidr.startsWith('10.0.')),
    ).to.deep.equal([]);
  });

  it('A-30 keeps it when only the use or the request leaves the pool out', async () => {
    const world = cluster('10.0.0.0/24', 26, 'h1');
    world.pool('q', '10.1.0.0/24', { blockSize: 26 });
    await world.assign('h1', 1, { handle: 'h', pools: ['10.0.0.0/24'] });
    await world.engine.releaseByHandle('h');
    await world.assign('h1', 1, { pools: ['10.1.0.0/24'] });
    world.pool('p', '10.0.0.0/24', { blockSize: 26, allowedUses: ['Tunnel'] });
    await world.assign('h1', 1);
    expect(
      Object.keys(await world.owners()).filter((cidr) => cidr.startsWith('10.0.')),
    ).to.have.length(1);
  });

  it('A-31 gives up the block with its last address when the pool no longer selects the node', async () => {
    for (const isByHandle of [true, false]) {
      const world = cluster('10.0.0.0/24', 26, 'h1');
      const [address = ''] = (await world.assign('h1', 1, { handle: 'a' })).ips;
      const [other = ''] = (await world.assign('h1', 1, { handle: 'b' })).ips;
      world.pool('p', '10.0.0.0/24', { blockSize: 26, nodeSelector: 'has(other)' });
      await world.engine.releaseAddresses([{ address: address.split('/')[0] ?? '' }]);
      expect(Object.keys(await world.owners())).to.have.length(1);
      if (isByHandle) await world.engine.releaseByHandle('b');
      else await world.engine.releaseAddresses([{ address: other.split('/')[0] ?? '' }]);
      expect(await world.owners()).to.deep.equal({});
    }
  });

  it('A-33 refuses a host that is no node', async () => {
    const got = await cluster('10.0.0.0/24', 26, 'h1').assign('other', 1);
    expect([got.error, got.isTried]).to.deep.equal(['not-found', false]);
  });

  it('P-8 looks at the family of the pools only where addresses are asked for', async () => {
    const world = cluster('10.0.0.0/24', 26, 'h1');
    expect((await world.assign('h1', 1, { pools: ['fd00::/120'] })).error).to.equal(
      'wrong-family-pool',
    );
    expect((await world.assign('h1', 0, { pools: ['fd00::/120'] })).error).to.equal(undefined);
  });

  it('keeps IPv4 addresses on the handle when the pools for IPv6 are named wrongly, and answers nothing', async () => {
    const world = cluster('10.0.0.0/24', 26, 'host-b');
    const v6 = { count: 1, pools: [net('10.0.0.0/24')] };
    const got = await world.assign('host-b', 1, { handle: 'h', v6 });
    expect([got.error, got.isTried]).to.deep.equal(['wrong-family-pool', false]);
    expect(await world.counts('h')).to.deep.equal({ '10.0.0.128/26': 1 });
  });

  it('S-17 and S-18 counts what each block gave, so that the handle goes with its last address', async () => {
    const world = cluster('10.0.0.0/29', 30, 'h1');
    expect((await world.assign('h1', 5, { handle: 'h' })).ips).to.have.length(5);
    expect(Object.values((await world.counts('h')) ?? {}).sort()).to.deep.equal([1, 4]);
    await world.engine.releaseByHandle('h');
    expect(await world.counts('h')).to.equal(undefined);
  });

  it('reports a failed claim of a block that has nothing to give', async () => {
    const world = cluster('10.0.0.0/29', 30, 'h1');
    world.reserve('r', '10.0.0.3/32', '10.0.0.7/32');
    const reservation = { startOfBlock: 3, endOfBlock: 0, handle: 'h' };
    const got = await world.assign('h1', 1, { v4: { count: 1, reservation } });
    expect(got.error).to.equal('block-without-free-addresses');
  });
});

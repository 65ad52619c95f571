import { expect } from 'chai';
import { describeShortfall } from '../../../src/engine/partial-result.ts';
import { EngineError } from '../../../src/errors/engine-error.ts';
import { ip, net } from '../../support/builders.ts';
import { endOf, EngineWorld } from '../../support/engine-world.ts';

function cluster(): EngineWorld {
  const world = new EngineWorld();
  world.pool('p1', '10.0.0.0/28', { blockSize: 30, allowedUses: ['Workload'] });
  world.node('h1', 'h2');
  return world;
}

const ask = (
  world: EngineWorld,
  address: string,
  more: { readonly host?: string; readonly use?: string; readonly handle?: string } = {},
) => endOf(world.engine.assignAddress({ address: ip(address), host: 'h1', ...more }));

describe('engine/assign-address', () => {
  it('X-1 refuses an address outside of every pool', async () => {
    expect(await ask(cluster(), '203.0.113.9')).to.equal('pool-not-configured');
  });

  it('X-2 refuses an address that is taken', async () => {
    const world = cluster();
    expect(await ask(world, '10.0.0.5', { handle: 'a' })).to.equal('done');
    expect(await ask(world, '10.0.0.5', { handle: 'a' })).to.equal('exists');
    const error = await world.engine
      .assignAddress({ address: ip('10.0.0.5'), host: 'h1' })
      .catch((one: unknown) => one);
    expect((error as EngineError).details['address']).to.equal('10.0.0.5');
    expect((error as EngineError).code).to.equal('EXISTS');
  });

  it('X-3 looks at the uses of the pool when the request says what for', async () => {
    const world = cluster();
    expect(await ask(world, '10.0.0.5', { use: 'Tunnel' })).to.equal('use-not-allowed');
    expect(await ask(world, '10.0.0.5')).to.equal('done');
  });

  it('X-4 gives an address that is reserved', async () => {
    const world = cluster();
    world.reserve('r', '10.0.0.0/28');
    expect(await ask(world, '10.0.0.5')).to.equal('done');
  });

  it('X-5 refuses an address that cools', async () => {
    const world = cluster();
    await world.cooldown(60);
    await ask(world, '10.0.0.5', { handle: 'a' });
    await world.engine.releaseByHandle('a');
    expect(await ask(world, '10.0.0.5')).to.equal('exists');
    expect(await endOf(world.engine.assignmentOf(ip('10.0.0.5')))).to.equal('in-cooldown');
    world.now += 61_000;
    expect(await endOf(world.engine.assignmentOf(ip('10.0.0.5')))).to.equal('not-found');
    expect(await ask(world, '10.0.0.5')).to.equal('done');
  });

  it('X-6 refuses the block of another host, and that of nobody, under strict affinity', async () => {
    const world = cluster();
    await world.strict();
    await ask(world, '10.0.0.5', { handle: 'a' });
    expect(await ask(world, '10.0.0.6', { host: 'h2' })).to.equal('strict-affinity');
    await world.engine.releaseHostAffinities({ type: 'host', host: 'h1' });
    expect(await ask(world, '10.0.0.6')).to.equal('strict-affinity-unowned-block');
  });

  it('X-7 claims a block beyond every limit', async () => {
    const world = cluster();
    await world.strict({ maxBlocksPerHost: 1 });
    await ask(world, '10.0.0.0');
    expect(await ask(world, '10.0.0.4')).to.equal('done');
    expect(Object.keys(await world.owners())).to.have.length(2);
  });

  it('refuses a handle that Kubernetes cannot store, without a request for each try', async () => {
    const world = cluster();
    expect(await ask(world, '10.0.0.5', { handle: 'with/slash' })).to.equal('name-not-storable');
    expect(await ask(world, '10.0.0.5', { handle: 'under_score' })).to.equal('max-retries');
    expect(await ask(world, '10.0.0.5', { handle: 'x'.repeat(254) })).to.equal('max-retries');
    expect(await ask(world, '10.0.0.5', { handle: '' })).to.equal('empty-handle');
    expect(await ask(world, '10.0.0.5', { handle: 'Mixed.Case-1' })).to.equal('done');
    expect(await world.counts('mixed.case-1')).to.deep.equal({ '10.0.0.4/30': 1 });
  });

  it('stores any handle but an empty one in etcd', async () => {
    const world = new EngineWorld('etcd');
    world.datastore.putEntry('/calico/resources/v3/projectcalico.org/ippools/p', {
      ...{
        kind: 'IPPool',
        apiVersion: 'projectcalico.org/v3',
        metadata: { name: 'p' },
        spec: { cidr: '10.0.0.0/28', blockSize: 30 },
      },
    });
    for (const [i, handle] of ['with/slash', 'under_score', 'dot.'].entries()) {
      expect(await ask(world, `10.0.0.${i}`, { handle }), handle).to.equal('done');
      expect(await world.engine.addressesOfHandle(handle), handle).to.deep.equal([
        ip(`10.0.0.${i}`),
      ]);
      await world.engine.releaseByHandle(handle);
      expect(await endOf(world.engine.addressesOfHandle(handle)), handle).to.equal('not-found');
    }
    expect(await ask(world, '10.0.0.9', { handle: '' })).to.equal('empty-handle');
  });
});

describe('engine, owners and settings', () => {
  it('shows who holds an address, and changes it', async () => {
    const world = cluster();
    const address = ip('10.0.0.5');
    await world.engine.assignAddress({
      address,
      host: 'h1',
      handle: 'vm',
      attributes: { pod: 'a', namespace: 'n' },
    });
    expect(await world.engine.assignmentOf(address)).to.deep.equal({
      ...{ handle: 'vm', active: { pod: 'a', namespace: 'n' }, alternate: undefined },
    });
    const before = (await world.block('10.0.0.4/30'))?.sequenceNumber ?? 0n;
    await world.engine.setOwners({ address, handle: 'vm', updates: { clearActive: true } });
    expect((await world.engine.assignmentOf(address)).active).to.equal(undefined);
    await world.engine.setOwners({ address, handle: 'vm', updates: {} });
    expect((await world.block('10.0.0.4/30'))?.sequenceNumber).to.equal(before + 2n);
  });

  it('refuses a change of owners that is none, or of an address that nobody has', async () => {
    const { engine } = cluster();
    const address = ip('10.0.0.5');
    expect(await endOf(engine.setOwners({ address, handle: 'vm' }))).to.equal('missing-updates');
    expect(await endOf(engine.setOwners({ address, handle: 'vm', updates: {} }))).to.equal(
      'not-found',
    );
    const updates = { active: {}, clearActive: true };
    expect(await endOf(engine.setOwners({ address, handle: 'vm', updates }))).to.equal(
      'contradictory-arguments',
    );
    expect(
      await endOf(engine.setOwners({ address: ip('1.1.1.1'), handle: 'vm', updates: {} })),
    ).to.equal('pool-not-configured');
    expect(await endOf(engine.assignmentOf(ip('1.1.1.1')))).to.equal('not-found');
  });

  it('C-1 reads the defaults without storing them', async () => {
    const world = cluster();
    expect(await world.engine.settings()).to.deep.equal({
      ...{ strictAffinity: false, autoAllocateBlocks: true, maxBlocksPerHost: 0 },
      ...{ kubeVirtVMAddressPersistence: 'Enabled', ipCooldownSeconds: 0 },
    });
    expect(await world.datastore.get('IPAMConfig', { name: 'default' })).to.equal(undefined);
  });

  it('does not write settings that are stored already', async () => {
    const world = cluster();
    await world.strict();
    const writes: string[] = [];
    const engine = world.engineWith(({ verb }) => void writes.push(verb));
    await engine.setSettings(await engine.settings());
    expect(writes).to.deep.equal([]);
  });

  it('shows how full the pools are', async () => {
    const world = cluster();
    await world.assign('h1', 1);
    const [pool, orphans, ...others] = await world.engine.utilization();
    expect([pool?.name, pool?.inUse, orphans?.blocks, others]).to.deep.equal(['p1', 1n, [], []]);
  });

  it('returns cooled addresses in one write, and none when there are none', async () => {
    const world = cluster();
    await world.cooldown(60);
    await world.engine.assignAddress({ address: ip('10.0.0.5'), host: 'h1', handle: 'a' });
    await world.engine.releaseByHandle('a');
    const cold = await world.engine.block(net('10.0.0.4/30'));
    if (!cold) throw new Error('the block is gone');
    expect(await world.engine.collectCold({ ipCooldownSeconds: 60 }, cold)).to.equal(false);
    world.now += 61_000;
    expect(await world.engine.collectCold({ ipCooldownSeconds: 60 }, cold)).to.equal(true);
    expect((await world.block('10.0.0.4/30'))?.unallocated).to.deep.equal([0, 2, 3, 1]);
    expect(await endOf(world.engine.collectCold({ ipCooldownSeconds: 60 }, cold))).to.match(
      /has changed/,
    );
  });

  it('A-32 says what is missing, and why', () => {
    const whole = {
      version: 4,
      requested: 1,
      addresses: [{ address: ip('10.0.0.1'), length: 26 }],
      reasons: [],
    } as const;
    expect(describeShortfall(whole)).to.equal(undefined);
    const text = describeShortfall({
      ...whole,
      addresses: [],
      reasons: [
        { about: 'strict-affinity' },
        { about: 'block-limit', limit: 2 },
        { about: 'assign-failed' },
        { about: 'pools-exhausted', pools: [net('10.0.0.0/24')] },
      ],
      reservedHandle: 'w',
    });
    expect(text).to.match(/^0 of 1 requested IPv4 addresses/);
    expect(text?.split('; ')).to.have.length(6);
    expect(text).to.include('10.0.0.0/24').and.include('limit').and.include('w');
  });

  it('gives each reason an exit status of its own kind', () => {
    const statuses = [
      new EngineError('bad-address', '').status,
      new EngineError('not-found', '').status,
      new EngineError('max-retries', '').status,
      new EngineError('exists', '').status,
    ];
    expect(statuses).to.deep.equal([2, 4, 5, 6]);
  });
});

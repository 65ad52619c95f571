import { expect } from 'chai';
import { formatAddress } from '../../../src/net/address.ts';
import type { ReleaseResult } from '../../../src/engine/release-addresses.ts';
import { ip } from '../../support/builders.ts';
import { categoryOf, endOf, EngineWorld, releaseOf } from '../../support/engine-world.ts';

function summary({ released, unallocated, error }: ReleaseResult): readonly unknown[] {
  return [
    released.map(({ address }) => address),
    unallocated,
    error === undefined ? undefined : categoryOf(error),
  ];
}

function cluster(blockSize = 30): EngineWorld {
  const world = new EngineWorld();
  world.pool('p', '192.168.7.0/24', { blockSize });
  world.node('h1');
  return world;
}

const give = (world: EngineWorld, address: string, handle?: string): Promise<void> =>
  world.engine.assignAddress({ address: ip(address), host: 'h1', handle });

describe('engine/release-addresses', () => {
  it('S-4 refuses an old number for an address in a block that was made anew', async () => {
    const world = cluster();
    await give(world, '192.168.7.0', 'h');
    await world.engine.releaseHostAffinities({ type: 'host', host: 'h1' });
    const old = (await world.block('192.168.7.0/30'))?.sequenceNumbers.get(0);
    await world.engine.releaseAddresses([releaseOf('192.168.7.0')]);
    expect(await world.block('192.168.7.0/30')).to.equal(undefined);
    await give(world, '192.168.7.0', 'h');
    const stale = await world.engine.releaseAddresses([
      { address: '192.168.7.0', handle: 'h', sequenceNumber: old },
    ]);
    expect(summary(stale)).to.deep.equal([[], [], 'bad-sequence-number']);
  });

  it('S-10 releases none of a block when one address has another handle', async () => {
    const world = cluster();
    await give(world, '192.168.7.0', 'h');
    await give(world, '192.168.7.1', 'h');
    const result = await world.engine.releaseAddresses([
      releaseOf('192.168.7.0', { handle: 'h' }),
      releaseOf('192.168.7.1', { handle: 'other' }),
    ]);
    expect(summary(result)).to.deep.equal([[], [], 'bad-handle']);
    expect(await world.counts('h')).to.deep.equal({ '192.168.7.0/30': 2 });
  });

  it('S-11 releases the other blocks all the same', async () => {
    const world = cluster();
    await give(world, '192.168.7.0', 'h');
    await give(world, '192.168.7.4', 'h');
    const result = await world.engine.releaseAddresses([
      releaseOf('192.168.7.4', { handle: 'other' }),
      releaseOf('192.168.7.0', { handle: 'h' }),
    ]);
    expect(summary(result)).to.deep.equal([['192.168.7.0'], [], 'bad-handle']);
  });

  it('S-12 and S-13 tells an address that is nowhere from one that is free', async () => {
    const world = cluster();
    const result = await world.engine.releaseAddresses([
      releaseOf('203.0.113.9'),
      releaseOf('192.168.7.20'),
    ]);
    expect(summary(result)).to.deep.equal([
      ['192.168.7.20'],
      ['203.0.113.9', '192.168.7.20'],
      undefined,
    ]);
  });

  it('S-14 releases an address of a disabled pool, and one whose pool is gone', async () => {
    const world = cluster();
    await give(world, '192.168.7.0', 'h');
    await give(world, '192.168.7.1', 'h');
    world.pool('p', '192.168.7.0/24', { blockSize: 30, disabled: true });
    expect(
      summary(await world.engine.releaseAddresses([releaseOf('192.168.7.0')]))[0],
    ).to.deep.equal(['192.168.7.0']);
    world.datastore.drop('IPPool', 'p');
    expect(
      summary(await world.engine.releaseAddresses([releaseOf('192.168.7.1')]))[0],
    ).to.deep.equal(['192.168.7.1']);
    expect(await world.counts('h')).to.equal(undefined);
  });

  it('S-16 knows no addresses of a handle that is not there', async () => {
    expect(await endOf(cluster().engine.addressesOfHandle('h'))).to.equal('not-found');
    expect(await endOf(cluster().engine.releaseByHandle('h'))).to.equal('not-found');
    expect(await endOf(cluster().engine.addressesOfHandle(''))).to.equal('empty-handle');
    expect(await endOf(cluster().engine.releaseByHandle('\r\nx'))).to.equal('empty-handle');
  });

  it('refuses what is no address before anything is released', async () => {
    const world = cluster();
    await give(world, '192.168.7.0', 'h');
    for (const [address, category] of [
      ['', 'missing-address'],
      ['192.168.07.1', 'bad-address'],
      ['x', 'bad-address'],
    ] as const) {
      expect(
        await endOf(world.engine.releaseAddresses([releaseOf('192.168.7.0'), { address }])),
      ).to.equal(category);
    }
    expect((await world.engine.addressesOfHandle('h')).map(formatAddress)).to.deep.equal([
      '192.168.7.0',
    ]);
  });

  it('writes a block and a handle once for all addresses of one call', async () => {
    const world = cluster(26);
    const writes: string[] = [];
    for (let i = 0; i < 5; i++) await give(world, `192.168.7.${i}`, 'h');
    const engine = world.engineWith(({ verb, row }) => void writes.push(`${verb} ${row.kind}`));
    await engine.releaseAddresses([0, 1, 2].map((i) => releaseOf(`192.168.7.${i}`)));
    expect(writes).to.deep.equal(['update IPAMBlock', 'update IPAMHandle']);
    expect(await world.counts('h')).to.deep.equal({ '192.168.7.0/26': 2 });
  });

  it('counts right when two blocks of one handle are released in one call', async () => {
    const world = cluster();
    for (const last of [0, 1, 4, 5]) await give(world, `192.168.7.${last}`, 'h');
    await world.engine.releaseAddresses([
      releaseOf('192.168.7.0'),
      releaseOf('192.168.7.4'),
      releaseOf('192.168.7.5'),
    ]);
    expect(await world.counts('h')).to.deep.equal({ '192.168.7.0/30': 1 });
  });

  it('releases an address whose handle row is missing, or counts too little', async () => {
    const world = cluster();
    await give(world, '192.168.7.0', 'h');
    world.datastore.drop('IPAMHandle', 'h');
    expect(summary(await world.engine.releaseAddresses([releaseOf('192.168.7.0')]))).to.deep.equal([
      ['192.168.7.0'],
      [],
      undefined,
    ]);
  });

  it('refuses a block that is damaged, and releases the others', async () => {
    const world = cluster();
    await give(world, '192.168.7.0', 'h');
    await give(world, '192.168.7.4', 'h');
    const object = (await world.block('192.168.7.0/30'))?.object ?? {};
    const spec = { ...(object['spec'] as object), allocations: [7, null, null, null] };
    world.datastore.put('IPAMBlock', { ...object, spec });
    const result = await world.engine.releaseAddresses([
      releaseOf('192.168.7.0'),
      releaseOf('192.168.7.4'),
    ]);
    expect(summary(result)[0]).to.deep.equal(['192.168.7.4']);
    expect(categoryOf(result.error)).to.include('damaged');
  });
});

describe('engine, the limit of a handle', () => {
  it('S-19 gives a handle at its limit what it has, of both families', async () => {
    const world = new EngineWorld();
    world.pool('p', '10.0.0.0/29', { blockSize: 30 });
    world.pool('six', 'fd00::/125', { blockSize: 126 });
    world.node('h1');
    const request = {
      host: 'h1',
      use: 'Workload',
      v4: { count: 1 },
      v6: { count: 1 },
      handle: 'h',
      maxPerHandle: 1,
    };
    const first = await world.engine.autoAssign(request);
    const second = await world.engine.autoAssign(request);
    const addresses = [first, second].map(({ v4, v6 }) =>
      [v4, v6].map((one) => one?.addresses[0]?.address),
    );
    expect(addresses[1]).to.deep.equal(addresses[0]);
    expect([second.v4?.addresses[0]?.length, second.v6?.addresses[0]?.length]).to.deep.equal([
      32, 128,
    ]);
    expect(Object.values((await world.counts('h')) ?? {})).to.deep.equal([1, 1]);
  });

  it('S-20 gives one of the addresses that it has', async () => {
    const world = cluster();
    const ask = async (): Promise<string> =>
      (await world.assign('h1', 1, { handle: 'h', maxPerHandle: 2 })).ips[0] ?? '';
    const [first, second, third] = [await ask(), await ask(), await ask()];
    expect(second).not.to.equal(first);
    expect([first, second].map((one) => one.split('/')[0])).to.include(third.split('/')[0]);
  });

  it('S-21 takes the same address again for done, and refuses another one', async () => {
    const world = cluster();
    const ask = (last: number): Promise<string> =>
      endOf(
        world.engine.assignAddress({
          address: ip(`192.168.7.${last}`),
          host: 'h1',
          handle: 'h',
          maxPerHandle: 1,
        }),
      );
    expect(await ask(1)).to.equal('done');
    const { revision } = (await world.block('192.168.7.0/30')) ?? {};
    expect(await ask(1)).to.equal('done');
    expect((await world.block('192.168.7.0/30'))?.revision).to.equal(revision);
    expect(await ask(2)).to.equal('handle-cap');
  });

  it('does not try for long what can never succeed', async () => {
    const world = cluster();
    const writes: string[] = [];
    const engine = world.engineWith(({ verb, row }) => void writes.push(`${verb} ${row.kind}`));
    const result = await engine.autoAssign({
      host: 'h1',
      use: 'Workload',
      v4: { count: 2 },
      handle: 'h',
      maxPerHandle: 1,
    });
    expect(categoryOf(result.error)).to.equal('block-limit');
    expect(await world.counts('h')).to.equal(undefined);
    expect(Object.keys(await world.owners())).to.have.length(1);
    expect(writes.length).to.be.below(25);
  });
});

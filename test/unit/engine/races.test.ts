import { expect } from 'chai';
import { IpamEngine } from '../../../src/engine/ipam-engine.ts';
import { ConflictError } from '../../../src/errors/conflict-error.ts';
import { UnavailableError } from '../../../src/errors/unavailable-error.ts';
import type { AffinityRow } from '../../../src/ipam/model/affinity.ts';
import { ip, net } from '../../support/builders.ts';
import {
  endOf,
  EngineWorld,
  gotFrom,
  requestFor,
  releaseOf,
  type Sending,
} from '../../support/engine-world.ts';

function cluster(cidr = '10.0.0.0/26', blockSize = 26): EngineWorld {
  const world = new EngineWorld();
  world.pool('p', cidr, { blockSize });
  world.node('h1', 'h2');
  return world;
}

/** Does something before the first write that is meant. */
function once(
  isMeant: (sending: Sending) => boolean,
  act: (sending: Sending) => Promise<void> | void,
) {
  let isDone = false;
  return async (sending: Sending): Promise<void> => {
    if (isDone || !isMeant(sending)) return;
    isDone = true;
    await act(sending);
  };
}

const isBlock = (verb: Sending['verb']) => (sending: Sending) =>
  sending.verb === verb && sending.row.kind === 'IPAMBlock';
const isState = (state: string) => (sending: Sending) =>
  sending.row.kind === 'BlockAffinity' && (sending.row as AffinityRow).state === state;

/** An empty block of h1 that is old enough to be taken over, under strict affinity. */
async function emptyBlockOfH1(): Promise<EngineWorld> {
  const world = cluster();
  await world.strict();
  await world.assign('h1', 1, { handle: 'h' });
  await world.engine.releaseByHandle('h');
  world.now += 61_000;
  return world;
}

describe('engine, races', () => {
  it('A-14 gives nothing when an empty block cannot be taken from its owner', async () => {
    const world = await emptyBlockOfH1();
    const engine = world.engineWith((sending) => {
      if (isBlock('remove')(sending)) throw new ConflictError('the block has changed');
    });
    const got = gotFrom(await engine.autoAssign(requestFor('h2', 1)));
    expect([got.ips, got.reasons, got.error]).to.deep.equal([[], ['strict-affinity'], undefined]);
    expect((await world.affinity('h1', '10.0.0.0/26'))?.state).to.equal('confirmed');
  });

  it('A-15 ends with the caller when the caller gives up meanwhile', async () => {
    const world = await emptyBlockOfH1();
    const patience = new AbortController();
    const engine = world.engineWith((sending) => {
      if (isBlock('remove')(sending)) patience.abort(new Error('too late'));
    }, patience.signal);
    expect(gotFrom(await engine.autoAssign(requestFor('h2', 1))).error).to.equal('too late');
  });

  it('takes no block from its owner that was written since it was looked at', async () => {
    const world = await emptyBlockOfH1();
    const datastore = new Proxy(world.datastore, {
      get: (target, name): unknown => {
        if (name === 'list') {
          return async (...[kind, options]: Parameters<typeof target.list>) => {
            const listing = await target.list(kind, options);
            if (kind !== 'IPAMBlock') return listing;
            await world.assign('h1', 1, { handle: 'quick' });
            await world.engine.releaseByHandle('quick');
            return listing;
          };
        }
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const engine = new IpamEngine({ datastore, clock: { now: () => world.now } });
    expect(gotFrom(await engine.autoAssign(requestFor('h2', 1))).ips).to.deep.equal([]);
    expect(await world.owners()).to.deep.equal({ '10.0.0.0/26': 'host:h1' });
  });

  it('A-18 removes an affinity for the block of another host, and uses another block', async () => {
    const world = cluster('10.0.0.0/25');
    const owner = { type: 'host', host: 'h2' };
    await world.engine.claimAffinity(owner, net('10.0.0.0/26'));
    await world.datastore.create({
      ...{ kind: 'BlockAffinity', key: { name: 'h1-10-0-0-0-26' }, type: 'host', host: 'h1' },
      ...{ cidr: net('10.0.0.0/26'), state: 'pending', deleted: false },
    });
    expect((await world.assign('h1', 1)).ips).to.deep.equal(['10.0.0.64/26']);
    expect(await world.affinity('h1', '10.0.0.0/26')).to.equal(undefined);
  });

  it('A-19 borrows after a lost claim whose row could not be removed, and removes it the next time', async () => {
    const world = cluster();
    let isBroken = true;
    const engine = world.engineWith(async (sending) => {
      if (isBlock('create')(sending) && isBroken)
        await world.engine.claimAffinity({ type: 'host', host: 'h2' }, net('10.0.0.0/26'));
      if (sending.verb === 'remove' && sending.row.kind === 'BlockAffinity' && isBroken)
        throw new ConflictError('changed');
    });
    expect(gotFrom(await engine.autoAssign(requestFor('h1', 1))).ips).to.deep.equal([
      '10.0.0.0/26',
    ]);
    expect((await world.affinity('h1', '10.0.0.0/26'))?.state).to.equal('pending');
    isBroken = false;
    await engine.autoAssign(requestFor('h1', 1));
    expect(await world.affinity('h1', '10.0.0.0/26')).to.equal(undefined);
    expect(await world.owners()).to.deep.equal({ '10.0.0.0/26': 'host:h2' });
  });

  it('A-20 does not confirm a claim whose block a releaser took away', async () => {
    const world = cluster();
    const engine = world.engineWith(
      once(isState('confirmed'), () =>
        world.engine.releaseHostAffinities({ type: 'host', host: 'h1' }),
      ),
    );
    expect(gotFrom(await engine.autoAssign(requestFor('h1', 1))).ips).to.deep.equal([
      '10.0.0.0/26',
    ]);
    expect((await world.affinity('h1', '10.0.0.0/26'))?.state).to.equal('confirmed');
    expect(await world.owners()).to.deep.equal({ '10.0.0.0/26': 'host:h1' });
  });

  it('A-21 keeps a claim that came between the two removals of a releaser', async () => {
    const world = cluster();
    await world.engine.claimAffinity({ type: 'host', host: 'h1' }, net('10.0.0.0/26'));
    const engine = world.engineWith(
      once(
        ({ verb, row }) => verb === 'remove' && row.kind === 'BlockAffinity',
        async () => {
          await world.assign('h1', 1);
        },
      ),
    );
    const block = await world.engine.block(net('10.0.0.0/26'));
    if (!block) throw new Error('there is no block');
    expect(await endOf(engine.releaseBlockAffinity(block))).to.match(/has changed/);
    expect((await world.affinity('h1', '10.0.0.0/26'))?.state).to.equal('confirmed');
    expect(await world.owners()).to.deep.equal({ '10.0.0.0/26': 'host:h1' });
  });

  it('A-22 only takes the owner from a block that an assignment filled meanwhile', async () => {
    const world = cluster();
    await world.engine.claimAffinity({ type: 'host', host: 'h1' }, net('10.0.0.0/26'));
    const engine = world.engineWith(
      once(isBlock('remove'), async () => {
        await world.assign('h1', 1, { handle: 'h' });
      }),
    );
    await engine.releaseAffinity('h1', net('10.0.0.0/26'));
    expect(await world.owners()).to.deep.equal({ '10.0.0.0/26': 'nobody' });
    expect(await world.engine.addressesOfHandle('h')).to.have.length(1);
  });

  it('gives two requests that meet in one block two addresses, and counts each once', async () => {
    const world = cluster();
    const engine = world.engineWith(
      once(isBlock('update'), async () => {
        await world.assign('h1', 1, { handle: 'h' });
      }),
    );
    const { ips } = gotFrom(await engine.autoAssign(requestFor('h1', 1, { handle: 'h' })));
    expect(ips).to.deep.equal(['10.0.0.1/26']);
    expect(await world.counts('h')).to.deep.equal({ '10.0.0.0/26': 2 });
  });

  it('lowers the handle again when the write of a given address is lost', async () => {
    const world = cluster();
    const engine = world.engineWith(
      once(isBlock('update'), async () => {
        await world.assign('h1', 1, { handle: 'other' });
      }),
    );
    await engine.assignAddress({ address: ip('10.0.0.9'), host: 'h1', handle: 'h' });
    expect(await world.counts('h')).to.deep.equal({ '10.0.0.0/26': 1 });
  });

  it('ends at its limit of one address when a given address is written late', async () => {
    const world = cluster();
    const engine = world.engineWith(
      once(isBlock('update'), async () => {
        await world.assign('h1', 1, { handle: 'other' });
      }),
    );
    const request = { address: ip('10.0.0.9'), host: 'h1', handle: 'h', maxPerHandle: 1 };
    expect(await endOf(engine.assignAddress(request))).to.equal('done');
  });

  it('lowers the handle again when a write fails for good, also after the caller gave up', async () => {
    const world = cluster();
    await world.assign('h1', 1, { handle: 'first' });
    const patience = new AbortController();
    const engine = world.engineWith((sending) => {
      if (!isBlock('update')(sending)) return;
      patience.abort(new Error('too late'));
      throw new UnavailableError('the server is gone');
    }, patience.signal);
    expect(gotFrom(await engine.autoAssign(requestFor('h1', 1, { handle: 'h' }))).error).to.equal(
      'the server is gone',
    );
    expect(await world.counts('h')).to.equal(undefined);
  });

  it('keeps the count when a write whose answer got lost was stored all the same', async () => {
    const world = cluster();
    await world.assign('h1', 1, { handle: 'first' });
    const engine = world.engineWith(
      once(isBlock('update'), async ({ row }) => {
        await world.datastore.update(row as never);
        throw new UnavailableError('the answer got lost');
      }),
    );
    expect(gotFrom(await engine.autoAssign(requestFor('h1', 1, { handle: 'h' }))).error).to.equal(
      'the answer got lost',
    );
    expect(await world.engine.addressesOfHandle('h')).to.deep.equal([ip('10.0.0.1')]);
    await world.engine.releaseByHandle('h');
    expect(await world.counts('h')).to.equal(undefined);
  });

  it('does not take a refusal for a lost race', async () => {
    const world = cluster();
    await world.assign('h1', 1, { handle: 'h' });
    const writes: string[] = [];
    const engine = world.engineWith(({ verb }) => void writes.push(verb));
    await engine.releaseAddresses([releaseOf('10.0.0.0', { sequenceNumber: 7n })]);
    expect(writes).to.deep.equal([]);
  });

  it('gives up after a hundred lost races', async () => {
    const world = cluster();
    await world.assign('h1', 1, { handle: 'h' });
    let tries = 0;
    const engine = world.engineWith((sending) => {
      if (!isBlock('update')(sending)) return;
      tries++;
      throw new ConflictError('changed');
    });
    expect(await endOf(engine.releaseByHandle('h'))).to.equal('max-retries');
    expect(tries).to.equal(100);
  });

  it('finishes the handle of an address that is released, although the caller gave up', async () => {
    const world = cluster();
    await world.assign('h1', 1, { handle: 'h' });
    const patience = new AbortController();
    const engine = world.engineWith((sending) => {
      if (sending.row.kind === 'IPAMHandle') patience.abort(new Error('too late'));
    }, patience.signal);
    await engine.releaseAddresses([releaseOf('10.0.0.0')]);
    expect(await world.counts('h')).to.equal(undefined);
  });

  it('removes a leftover of a soft deletion that stands in its way', async () => {
    const world = cluster();
    await world.datastore.create({
      ...{ kind: 'BlockAffinity', key: { name: 'h1-10-0-0-0-26' }, type: 'host', host: 'h1' },
      ...{ cidr: net('10.0.0.0/26'), state: 'confirmed', deleted: true },
    });
    expect((await world.assign('h1', 1)).ips).to.deep.equal(['10.0.0.0/26']);
    expect((await world.affinity('h1', '10.0.0.0/26'))?.deleted).to.equal(false);
  });
});

import { expect } from 'chai';
import type { IpamEngine } from '../../../src/engine/ipam-engine.ts';
import { ConflictError } from '../../../src/errors/conflict-error.ts';
import type { AffinityRow } from '../../../src/ipam/model/affinity.ts';
import { ip, net } from '../../support/builders.ts';
import { endOf, EngineWorld, requestFor } from '../../support/engine-world.ts';

function cluster(): EngineWorld {
  const world = new EngineWorld();
  world.pool('p', '10.0.0.0/26', { blockSize: 26 });
  world.node('h1', 'h2');
  return world;
}

const H1 = { type: 'host', host: 'h1' };
const H2 = { type: 'host', host: 'h2' };
const RESERVED = { startOfBlock: 1, endOfBlock: 0, handle: 'reserved' };
const HOLDER = { host: 'h1', handle: 'h' };

/** What others do around an operation. */
interface Around {
  readonly prepare?: (world: EngineWorld) => Promise<void>;
  /** Right before a block is made. */
  readonly beforeBlock?: (world: EngineWorld) => Promise<unknown>;
  /** Right before the block is first removed. */
  readonly beforeRemoval?: (world: EngineWorld) => Promise<unknown>;
}

/**
 * Runs an operation as often as it writes rows that are there: each time another one of these writes meets a row that has
 * changed.
 *
 * @returns the number of these writes.
 */
async function eachLostOnce(
  run: (engine: IpamEngine) => Promise<unknown>,
  judge: (world: EngineWorld, nth: number) => Promise<void>,
  { prepare, beforeBlock, beforeRemoval }: Around = {},
): Promise<number> {
  for (let lost = 1; ; lost++) {
    const world = cluster();
    await prepare?.(world);
    let writes = 0;
    let removals = 0;
    const engine = world.engineWith(async ({ verb, row }) => {
      if (verb === 'create' && row.kind === 'IPAMBlock') await beforeBlock?.(world);
      if (verb === 'remove' && row.kind === 'IPAMBlock' && removals++ === 0)
        await beforeRemoval?.(world);
      if (verb !== 'create' && ++writes === lost) throw new ConflictError('the row has changed');
    });
    await run(engine);
    await judge(world, lost);
    if (writes < lost) return writes;
  }
}

describe('engine, lost races', () => {
  const NEW: Readonly<Record<string, (engine: IpamEngine) => Promise<unknown>>> = {
    'a given address': (engine) => engine.assignAddress({ address: ip('10.0.0.9'), ...HOLDER }),
    'any address': (engine) => engine.autoAssign(requestFor('h1', 1, { handle: 'h' })),
    'an affinity': (engine) => engine.claimAffinity(H1, net('10.0.0.0/26')),
    'a block ahead': (engine) => engine.ensureBlocks({ host: 'h1', v4: { reservation: RESERVED } }),
  };
  for (const [what, claim] of Object.entries(NEW)) {
    it(`confirms the claim for ${what}, whichever write loses a race`, async () => {
      const writes = await eachLostOnce(claim, async (world, nth) => {
        expect(await world.owners(), `write ${nth}`).to.deep.equal({ '10.0.0.0/26': 'host:h1' });
        expect((await world.affinity('h1', '10.0.0.0/26'))?.state, `write ${nth}`).to.equal(
          'confirmed',
        );
      });
      expect(writes).to.be.greaterThan(0);
    });
  }

  const LOST: Readonly<Record<string, (engine: IpamEngine) => Promise<unknown>>> = {
    'a given address': (engine) =>
      endOf(engine.assignAddress({ address: ip('10.0.0.9'), ...HOLDER })),
    'any address': (engine) => engine.autoAssign(requestFor('h1', 1, { handle: 'h' })),
    'an affinity': (engine) => engine.claimAffinity(H1, net('10.0.0.0/26')),
  };
  for (const [what, claim] of Object.entries(LOST)) {
    it(`leaves no row of a claim for ${what} that another host won, whichever write loses a race`, async () => {
      const writes = await eachLostOnce(
        claim,
        async (world, nth) => {
          expect(await world.owners()).to.deep.equal({ '10.0.0.0/26': 'host:h2' });
          expect(await world.affinity('h1', '10.0.0.0/26'), `write ${nth}`).to.equal(undefined);
        },
        { beforeBlock: (world) => world.engine.claimAffinity(H2, net('10.0.0.0/26')) },
      );
      expect(writes).to.be.greaterThan(0);
    });
  }

  const OLD: Readonly<Record<string, (engine: IpamEngine) => Promise<unknown>>> = {
    'of a range': (engine) => engine.releaseAffinity('h1', net('10.0.0.0/26')),
    'of a host': (engine) => engine.releaseHostAffinities(H1),
    'of a pool': (engine) => engine.releasePoolAffinities(net('10.0.0.0/26')),
    'of a host that goes': (engine) => engine.removeHost(H1),
  };
  for (const [what, release] of Object.entries(OLD)) {
    it(`ends the release of the affinities ${what}, whichever write loses a race`, async () => {
      const prepare = async (world: EngineWorld): Promise<void> => {
        await world.engine.claimAffinity(H1, net('10.0.0.0/26'));
      };
      const writes = await eachLostOnce(
        release,
        async (world, nth) => {
          expect(await world.owners(), `write ${nth}`).to.deep.equal({});
          expect(await world.affinity('h1', '10.0.0.0/26'), `write ${nth}`).to.equal(undefined);
        },
        { prepare },
      );
      expect(writes).to.be.greaterThan(0);
    });
  }

  const REFUSED: Readonly<Record<string, (engine: IpamEngine) => Promise<unknown>>> = {
    'of a range': (engine) => endOf(engine.releaseAffinity('h1', net('10.0.0.0/26'), true)),
    'of a host': (engine) => endOf(engine.releaseHostAffinities(H1, true)),
    'of one block': async (engine) => {
      const block = await engine.block(net('10.0.0.0/26'));
      if (block) await endOf(engine.releaseBlockAffinity(block, true));
    },
    'that another host wants': (engine) => engine.autoAssign(requestFor('h2', 1)),
  };
  for (const [what, release] of Object.entries(REFUSED)) {
    it(`gives the affinity ${what} back when its block is filled meanwhile, whichever write loses a race`, async () => {
      const fill = (world: EngineWorld): Promise<unknown> =>
        world.engine.assignAddress({ address: ip('10.0.0.9'), ...HOLDER });
      const writes = await eachLostOnce(
        release,
        async (world, nth) => {
          expect(await world.owners(), `write ${nth}`).to.deep.equal({ '10.0.0.0/26': 'host:h1' });
          expect((await world.affinity('h1', '10.0.0.0/26'))?.state, `write ${nth}`).to.equal(
            'confirmed',
          );
        },
        {
          prepare: async (world) => {
            await world.strict();
            await world.engine.claimAffinity(H1, net('10.0.0.0/26'));
            world.now += 61_000;
          },
          beforeRemoval: fill,
        },
      );
      expect(writes).to.be.greaterThan(1);
    });
  }

  it('leaves no row when two release a block while others write it', async () => {
    const world = cluster();
    await world.engine.claimAffinity(H1, net('10.0.0.0/26'));
    let touches = 0;
    const other = world.engineWith();
    const engine = world.engineWith(async ({ verb, row }) => {
      if (verb === 'create' || row.kind !== 'IPAMBlock' || touches++ > 3) return;
      await world.engine.assignAddress({ address: ip('10.0.0.9'), ...HOLDER });
      await world.engine.releaseByHandle('h');
      if (touches === 2) await other.releaseHostAffinities(H1, true);
    });
    await engine.releaseHostAffinities(H1, true);
    expect(await world.owners()).to.deep.equal({});
    expect(await world.affinity('h1', '10.0.0.0/26')).to.equal(undefined);
  });

  it('leaves no row when one gives an affinity back that another is about to remove', async () => {
    const world = cluster();
    await world.engine.claimAffinity(H1, net('10.0.0.0/26'));
    const blockGone = Promise.withResolvers<undefined>();
    const rowMoved = Promise.withResolvers<undefined>();
    const removing = world.engineWith(async ({ verb, row }) => {
      if (verb !== 'remove' || row.kind !== 'BlockAffinity') return;
      blockGone.resolve(undefined);
      await rowMoved.promise;
    });
    let releases: Promise<void> | undefined;
    const giving = world.engineWith(async ({ verb, row }) => {
      if (verb === 'remove' && row.kind === 'IPAMBlock') throw new ConflictError('changed');
      if (verb === 'update' && (row as AffinityRow).state === 'pending') {
        releases = removing.releaseHostAffinities(H1, true);
        await blockGone.promise;
      }
      if (verb === 'update' && row.kind === 'IPAMBlock') rowMoved.resolve(undefined);
    });
    await giving.releaseHostAffinities(H1, true);
    await releases;
    expect(releases).not.to.equal(undefined);
    expect(await world.owners()).to.deep.equal({});
    expect(await world.affinity('h1', '10.0.0.0/26')).to.equal(undefined);
  });
});

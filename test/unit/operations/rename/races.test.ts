import { expect } from 'chai';
import type { WritableDatastore } from '../../../../src/datastore/datastore.ts';
import { type BlockAttribute, type BlockRow } from '../../../../src/ipam/model/block.ts';
import { isReadable } from '../../../../src/ipam/model/row.ts';
import { RacingDatastore, touch } from '../../../support/racing-datastore.ts';
import {
  aBlock,
  aCluster,
  aHandle,
  anAffinity,
  claimsOf,
  copyOf,
  FLAVORS,
  nodeRows,
  podSlot,
  renameWorld,
  runRename,
  tunnel,
  withRows,
} from '../../../support/rename-world.ts';

const ONE = { alder: 'alder.example' };
const BLOCK = '10.0.0.0/28';
const HANDLE = 'ipip-tunnel-addr-alder';

async function changeBlock(
  world: WritableDatastore,
  change: (row: BlockRow) => BlockRow,
): Promise<void> {
  const row = await world.get('IPAMBlock', world.keys.block(aBlock(BLOCK).cidr));
  if (row?.kind === 'IPAMBlock' && isReadable(row)) await world.update(change(row));
}

/** The block with one more address. */
function assigned(row: BlockRow, ordinal: number, attribute: BlockAttribute): BlockRow {
  const allocations = row.allocations.map((index, at) =>
    at === ordinal ? row.attributes.length : index,
  );
  const unallocated = row.unallocated.filter((free) => free !== ordinal);
  return { ...row, allocations, unallocated, attributes: [...row.attributes, attribute] };
}

/** The block without the address. */
function released(row: BlockRow, ordinal: number): BlockRow {
  const allocations = row.allocations.map((index, at) => (at === ordinal ? null : index));
  return { ...row, allocations, unallocated: [...row.unallocated, ordinal] };
}

for (const flavor of FLAVORS) {
  describe(`operations/rename-nodes in races, ${flavor}`, () => {
    const owned = () =>
      renameWorld(flavor, [
        aCluster(),
        ...withRows(
          aBlock(
            BLOCK,
            { 0: tunnel('alder', 'ipip'), 1: podSlot('shop/a', 'alder') },
            { affinity: 'host:alder' },
          ),
        ),
      ]);

    it('ends as without a race when each row changes once before it is written', async () => {
      const calm = await renameWorld(flavor, [aCluster(), ...nodeRows('alder', 1)]);
      const busy = copyOf(calm, flavor);
      await runRename(calm, ONE);
      const seen = new Set<string>();
      const racing = new RacingDatastore(busy, async ({ verb, kind, name }) => {
        if (verb === 'create' || seen.has(`${kind} ${name}`) || kind !== 'IPAMBlock') return;
        seen.add(`${kind} ${name}`);
        await touch(busy, 'IPAMBlock', name);
      });
      const { verdict, error } = await runRename(racing, ONE);
      expect(verdict, error?.message ?? '').to.equal('ok');
      expect(seen.size).to.equal(3);
      expect(await claimsOf(busy)).to.deep.equal(await claimsOf(calm));
    });

    it('takes what was assigned in between along, and plans the block anew', async () => {
      const world = await owned();
      let isDone = false;
      const racing = new RacingDatastore(world, async ({ verb, kind }) => {
        if (isDone || verb !== 'update' || kind !== 'IPAMBlock') return;
        isDone = true;
        await changeBlock(world, (row) => assigned(row, 7, podSlot('shop/late', 'alder')));
      });
      expect((await runRename(racing, ONE)).verdict).to.equal('ok');
      const row = await world.get('IPAMBlock', world.keys.block(aBlock(BLOCK).cidr));
      const nodes =
        row?.kind === 'IPAMBlock' && isReadable(row)
          ? row.attributes.map(({ owner }) => owner['node'])
          : [];
      expect(nodes).to.deep.equal(['alder.example', 'alder.example', 'alder.example']);
    });

    it('takes the count back for a tunnel that was released in between, whoever lowers the old handle', async () => {
      for (const isLowered of [true, false]) {
        const world = await owned();
        let isDone = false;
        const lower = async (): Promise<void> => {
          const handle = await world.get('IPAMHandle', { name: HANDLE });
          if (handle?.revision) await world.remove({ ...handle, revision: handle.revision });
        };
        const racing = new RacingDatastore(world, async ({ verb, kind }) => {
          if (isDone || verb !== 'update' || kind !== 'IPAMBlock') return;
          isDone = true;
          await changeBlock(world, (row) => released(row, 0));
          if (isLowered) await lower();
        });
        const { verdict, error } = await runRename(racing, ONE);
        expect(verdict, error?.message ?? '').to.equal('ok');
        if (!isLowered) await lower();
        const handles = Object.keys(await claimsOf(world)).filter((key) =>
          key.includes('tunnel-addr'),
        );
        expect(handles).to.deep.equal([]);
      }
    });

    it('makes no row for a block that was given up in between', async () => {
      const world = await renameWorld(flavor, [
        aCluster(),
        aBlock(BLOCK, {}, { affinity: 'host:alder' }),
        anAffinity('alder', BLOCK),
      ]);
      let isDone = false;
      const racing = new RacingDatastore(world, async ({ verb, kind }) => {
        if (isDone || verb !== 'update' || kind !== 'IPAMBlock') return;
        isDone = true;
        for (const [kind, key] of [
          ['IPAMBlock', world.keys.block(aBlock(BLOCK).cidr)],
          [
            'BlockAffinity',
            world.keys.affinity({ type: 'host', host: 'alder' }, aBlock(BLOCK).cidr),
          ],
        ] as const) {
          const row = await world.get(kind, key);
          if (row?.revision) await world.remove({ ...row, revision: row.revision });
        }
      });
      const { verdict, error } = await runRename(racing, ONE);
      expect(verdict, error?.message ?? '').to.equal('ok');
      expect(Object.keys(await claimsOf(world))).to.deep.equal(['ClusterInformation default']);
    });

    it('leaves a block whole when somebody takes the new row or handle first, and says so', async () => {
      const takers = [
        (world: WritableDatastore) => {
          const row = anAffinity('alder.example', BLOCK, { state: 'pending', revision: undefined });
          return world.create({ ...row, key: world.keys.affinity(row, row.cidr) });
        },
        (world: WritableDatastore) =>
          world.create(
            aHandle(
              'ipip-tunnel-addr-alder.example',
              { '10.9.0.0/28': 1 },
              { revision: undefined, uid: undefined },
            ),
          ),
      ];
      for (const [at, take] of takers.entries()) {
        const world = await owned();
        const before = await claimsOf(world);
        let isDone = false;
        const racing = new RacingDatastore(world, async ({ verb }) => {
          if (isDone || verb !== 'create') return;
          isDone = true;
          await take(world);
        });
        const { verdict, error, document } = await runRename(racing, ONE);
        expect(verdict, `${at}`).to.equal('refused');
        expect(error?.message).to.contain('by somebody else in between');
        expect(document.totals.applied).to.equal(0);
        const after = await claimsOf(world);
        for (const key of Object.keys(before).filter((key) => !key.startsWith('Cluster')))
          expect(after[key], key).to.deep.equal(before[key]);
        expect(Object.keys(after).length).to.equal(Object.keys(before).length + 1);
      }
    });

    it('stops before a leg whose name is not free yet', async () => {
      const world = await renameWorld(flavor, [
        aCluster(true),
        ...nodeRows('alder', 1),
        ...nodeRows('birch', 2),
      ]);
      let creates = 0;
      const racing = new RacingDatastore(world, async ({ verb, kind, name }) => {
        if (verb !== 'create' || kind !== 'IPAMHandle' || ++creates > 1) return;
        await world.create(
          aHandle(name, { '10.9.0.0/28': 1 }, { revision: undefined, uid: undefined }),
        );
      });
      const { verdict, document } = await runRename(racing, { alder: 'birch', birch: 'cedar' });
      expect(verdict).to.equal('partial');
      const reasons = document.items
        .filter(({ result }) => result === 'skipped')
        .map(({ reason }) => reason);
      expect(reasons).to.not.be.empty;
      expect(reasons.every((reason) => reason.startsWith('not reached'))).to.equal(true);
      expect(JSON.stringify((await claimsOf(world))['ClusterInformation default'])).to.contain(
        'rename',
      );
    });
  });
}

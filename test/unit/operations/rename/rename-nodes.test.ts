import { expect } from 'chai';
import type { WritableDatastore } from '../../../../src/datastore/datastore.ts';
import { planLock } from '../../../../src/operations/lock-datastore.ts';
import { planUnlock } from '../../../../src/operations/unlock-datastore.ts';
import { stringifyJson } from '../../../../src/support/json.ts';
import { readSide } from '../../../support/migration-sides.ts';
import { contextOf } from '../../../support/scripted-datastore.ts';
import { CutDatastore } from '../../../support/split-world.ts';
import {
  aBlock,
  aCluster,
  aHandle,
  anAffinity,
  claimsOf,
  expectRefusal,
  FLAVORS,
  nodeRows,
  plannedRename,
  renameWorld,
  runRename,
  tunnel,
  withRows,
} from '../../../support/rename-world.ts';
import { UndoMemory } from '../../../support/undo-memory.ts';

const ONE = { alder: 'alder.example' };
const BLOCK = '10.0.0.0/28';

/** Writes of a run in order, from its undo file: `create IPAMHandle name`. */
function writesOf(undo: UndoMemory): readonly string[] {
  return undo.read().writes.map(({ before, after, subject }) => {
    const verb = before === undefined ? 'create' : after === undefined ? 'remove' : 'update';
    return `${verb} ${subject.kind} ${subject.name}`;
  });
}

async function contentOf(world: WritableDatastore, name: string): Promise<unknown> {
  return (await claimsOf(world))[name];
}

for (const flavor of FLAVORS) {
  describe(`operations/rename-nodes, ${flavor}`, () => {
    const keysOf = async () => (await renameWorld(flavor, [])).keys;

    it('writes the rows of a block in the order that leaves no address without a handle', async () => {
      const rows = [
        aCluster(),
        ...withRows(aBlock(BLOCK, { 0: tunnel('alder', 'ipip') }, { affinity: 'host:alder' })),
      ];
      const world = await renameWorld(flavor, rows);
      const undo = new UndoMemory();
      const { verdict } = await runRename(world, ONE, undo);
      expect(verdict).to.equal('ok');
      const { writes } = undo.read();
      const states = writes.map(({ after }) =>
        after?.kind === 'BlockAffinity' ? after.state : '',
      );
      const keys = await keysOf();
      const cidr = aBlock(BLOCK).cidr;
      const row = (host: string): string => keys.affinity({ type: 'host', host }, cidr).name;
      expect(writesOf(undo)).to.deep.equal([
        'update ClusterInformation default',
        'create IPAMHandle ipip-tunnel-addr-alder.example',
        `create BlockAffinity ${row('alder.example')}`,
        `update IPAMBlock ${keys.block(cidr).name}`,
        `update BlockAffinity ${row('alder.example')}`,
        'remove IPAMHandle ipip-tunnel-addr-alder',
        `remove BlockAffinity ${row('alder')}`,
        'update ClusterInformation default',
      ]);
      expect(states).to.deep.equal(['', '', 'pending', '', 'confirmed', '', '', '']);
      const [block] = writes.filter(({ after }) => after?.kind === 'IPAMBlock');
      const [before, after] = [block?.before, block?.after];
      if (before?.kind !== 'IPAMBlock' || after?.kind !== 'IPAMBlock') throw new Error('no block');
      expect(after.sequenceNumber).to.equal(before.sequenceNumber + 1n);
      expect([...after.sequenceNumbers]).to.deep.equal([...before.sequenceNumbers]);
    });

    it("writes handle, block, handle for a block of another node that holds a tunnel's address", async () => {
      const world = await renameWorld(flavor, [
        aCluster(),
        ...withRows(
          aBlock(BLOCK, { 3: tunnel('alder', 'wireguard-v6') }, { affinity: 'host:elm' }),
        ),
      ]);
      const undo = new UndoMemory();
      const { document } = await runRename(world, ONE, undo);
      expect(document.items.map(({ action }) => action)).to.deep.equal([
        'rename-block',
        'rename-handle',
      ]);
      expect(writesOf(undo).slice(1, -1)).to.deep.equal([
        'create IPAMHandle wireguard-v6-tunnel-addr-alder.example',
        `update IPAMBlock ${(await keysOf()).block(aBlock(BLOCK).cidr).name}`,
        'remove IPAMHandle wireguard-v6-tunnel-addr-alder',
      ]);
    });

    it('leaves nothing of the old name, and is then already done without a write', async () => {
      const world = await renameWorld(flavor, [aCluster(), ...nodeRows('alder', 1)], ['elm']);
      expect((await runRename(world, ONE)).verdict).to.equal('ok');
      expect(stringifyJson(await claimsOf(world))).to.not.match(/alder(?!\.example)/);
      const { verdict, document } = await runRename(new CutDatastore(world, 0), ONE);
      expect(verdict).to.equal('ok');
      expect(document.totals).to.deep.equal({ applied: 0, already: 1, skipped: 0, failed: 0 });
    });

    it('gives the new row the state of the old one, and a row of another owner goes along', async () => {
      for (const state of ['', 'pending', 'confirmed', 'pendingDeletion'] as const) {
        for (const owner of ['host:alder', 'host:elm', undefined]) {
          const world = await renameWorld(flavor, [
            aCluster(),
            aBlock(BLOCK, {}, { affinity: owner }),
            anAffinity('alder', BLOCK, { state }),
          ]);
          const { verdict, error } = await runRename(world, ONE);
          expect(verdict, error?.message ?? '').to.equal('ok');
          const { name } = world.keys.affinity(
            { type: 'host', host: 'alder.example' },
            aBlock(BLOCK).cidr,
          );
          const found = (await contentOf(world, `BlockAffinity ${name}`)) as unknown[];
          expect(found[3], `${state} ${owner ?? ''}`).to.equal(state || 'confirmed');
          expect(
            Object.keys(await claimsOf(world)).filter((key) => key.startsWith('BlockAffinity')),
          ).to.have.lengthOf(1);
        }
      }
    });

    it('moves a handle with counts that its blocks do not hold, and leaves one without a row alone', async () => {
      const world = await renameWorld(flavor, [
        aCluster(),
        aBlock(
          BLOCK,
          { 0: tunnel('alder', 'ipip'), 1: tunnel('alder', 'vxlan') },
          { affinity: undefined },
        ),
        aHandle('ipip-tunnel-addr-alder', { [BLOCK]: 3, '10.7.0.0/28': 2 }),
        aHandle('wireguard-tunnel-addr-alder', {}),
      ]);
      const { verdict, error } = await runRename(world, ONE);
      expect(verdict, error?.message ?? '').to.equal('ok');
      const claims = await claimsOf(world);
      const handles = Object.entries(claims).filter(([key]) => key.startsWith('IPAMHandle'));
      expect(Object.fromEntries(handles)).to.deep.equal({
        'IPAMHandle ipip-tunnel-addr-alder.example': [
          'ipip-tunnel-addr-alder.example',
          ['10.0.0.0/28: 3', '10.7.0.0/28: 2'],
        ],
        'IPAMHandle wireguard-tunnel-addr-alder.example': [
          'wireguard-tunnel-addr-alder.example',
          [],
        ],
      });
    });

    it('means no virtual owner of that name, and no other attribute', async () => {
      const rows = [
        aCluster(),
        aBlock(BLOCK, { 1: { owner: { pod: 'alder' } } }, { affinity: 'virtual:alder' }),
        anAffinity('alder', BLOCK, { type: 'virtual' }),
      ];
      const world = await renameWorld(flavor, rows, ['alder.example']);
      const before = await claimsOf(world);
      const { document } = await runRename(world, ONE);
      expect(document.totals).to.include({ applied: 0, already: 1 });
      expect(await claimsOf(world)).to.deep.equal(before);
    });

    it('prints the counts of a dry run, and writes nothing', async () => {
      const world = await renameWorld(flavor, [aCluster(), ...nodeRows('alder', 1)], ['elm']);
      const before = world.storedObjects();
      const { plan } = await plannedRename(world, ONE);
      expect(plan.verdict).to.equal('ok');
      expect(plan.document.notes.join(' ')).to.contain(
        'alder becomes alder.example: 3 blocks (2 by owner), 2 affinity rows, 5 tunnel handles, 8 node attributes.',
      );
      expect(plan.document.notes.join(' ')).to.contain('alder.example is no node yet');
      expect(world.storedObjects()).to.deep.equal(before);
    });

    it('marks the leg that it is at, tells of it, keeps the lock and other maps out, and goes on', async () => {
      const world = await renameWorld(flavor, [
        aCluster(true),
        ...nodeRows('alder', 1),
        ...nodeRows('birch', 2),
      ]);
      const swap = { alder: 'birch', birch: 'alder' };
      await runRename(new CutDatastore(world, 30), swap);
      const [mark] = (await readSide(contextOf(world))).marks;
      expect(mark).to.include({ what: 'rename', finished: false });
      expect(mark?.says).to.match(/leg 2 of 3/);
      expect(mark?.remedy).to.contain('rename-node');
      const unlock = { isForced: false, isMismatchAllowed: false };
      await expectRefusal(planUnlock(contextOf(world), unlock), 'not finished: rename');
      await expectRefusal(
        plannedRename(world, { alder: 'x' }),
        'another renaming of nodes is not finished',
      );
      await expectRefusal(plannedRename(world, ONE), 'another renaming of nodes is not finished');
      expect((await runRename(world, swap)).verdict).to.equal('ok');
      const again = await runRename(new CutDatastore(world, 0), swap);
      expect(again.document.totals).to.include({ applied: 0, already: 2 });
      await (await planUnlock(contextOf(world), unlock)).apply();
      const lock = { by: 'a', newGuid: '0'.repeat(32), isMismatchAllowed: false };
      await (await planLock(contextOf(world), lock)).apply();
      expect((await runRename(world, swap)).document.totals.applied).to.be.greaterThan(0);
    });

    it('does a chain once, and knows it afterwards also without the lock', async () => {
      const chain = { alder: 'birch', birch: 'cedar' };
      const world = await renameWorld(flavor, [
        aCluster(true),
        ...nodeRows('alder', 1),
        ...nodeRows('birch', 2),
      ]);
      expect((await runRename(world, chain)).verdict).to.equal('ok');
      const done = await claimsOf(world);
      await (
        await planUnlock(contextOf(world), { isForced: false, isMismatchAllowed: false })
      ).apply();
      const again = await runRename(new CutDatastore(world, 0), chain);
      expect(again.document.totals).to.include({ applied: 0, already: 2 });
      await expectRefusal(plannedRename(world, { ...chain, elm: 'oak' }), 'looks done already');
      const now = await claimsOf(world);
      expect({ ...now, 'ClusterInformation default': 0 }).to.deep.equal({
        ...done,
        'ClusterInformation default': 0,
      });
    });
  });
}

import { expect } from 'chai';
import type { WritableDatastore } from '../../../../src/datastore/datastore.ts';
import type { BlockRow } from '../../../../src/ipam/model/block.ts';
import { isReadable } from '../../../../src/ipam/model/row.ts';
import {
  aBlock,
  aCluster,
  claimsOf,
  FLAVORS,
  podSlot,
  renameWorld,
  runRename,
  runRestore,
  tunnel,
  withRows,
} from '../../../support/rename-world.ts';
import { UndoMemory } from '../../../support/undo-memory.ts';

const BLOCK = '10.0.0.0/28';
const ONE = { alder: 'alder.example' };

async function block(world: WritableDatastore): Promise<BlockRow> {
  const row = await world.get('IPAMBlock', world.keys.block(aBlock(BLOCK).cidr));
  if (row?.kind !== 'IPAMBlock' || !isReadable(row)) throw new Error('no block');
  return row;
}

for (const flavor of FLAVORS) {
  describe(`ipam restore of a renaming, ${flavor}`, () => {
    async function renamed(): Promise<{
      world: WritableDatastore;
      undo: UndoMemory;
      before: Record<string, unknown>;
    }> {
      const slots = {
        0: tunnel('alder', 'ipip'),
        1: podSlot('shop/a', 'alder'),
        2: podSlot('shop/b', 'alder'),
      };
      const world = await renameWorld(flavor, [
        aCluster(),
        ...withRows(aBlock(BLOCK, slots, { affinity: 'host:alder' })),
      ]);
      const before = await claimsOf(world);
      const undo = new UndoMemory();
      await runRename(world, ONE, undo);
      return { world, undo, before };
    }

    it('leaves what was released or assigned since, and counts handles by what is held', async () => {
      const { world, undo } = await renamed();
      const row = await block(world);
      const attributes = [...row.attributes, podSlot('shop/new', 'alder.example')];
      const allocations = [null, row.allocations[1] ?? null, 3, ...row.allocations.slice(3)];
      await world.update({ ...row, attributes, allocations, unallocated: [...row.unallocated, 0] });
      const { verdict, error } = await runRestore(world, undo.read());
      expect(verdict, error?.message ?? '').to.equal('ok');
      const restored = await block(world);
      expect(restored.affinity).to.equal('host:alder');
      const nodeAt = (ordinal: number) =>
        restored.attributes[restored.allocations[ordinal] ?? -1]?.owner['node'];
      expect([nodeAt(0), nodeAt(1), nodeAt(2)]).to.deep.equal([
        undefined,
        'alder',
        'alder.example',
      ]);
      const claims = await claimsOf(world);
      expect(Object.keys(claims).filter((key) => key.includes('tunnel-addr'))).to.deep.equal([]);
      expect(Object.keys(claims).filter((key) => key.startsWith('BlockAffinity'))).to.have.lengthOf(
        1,
      );
    });

    it('gives an address a record of its own when another one came to share its record', async () => {
      const { world, undo } = await renamed();
      const row = await block(world);
      const allocations = row.allocations.map((index, at) =>
        at === 9 ? (row.allocations[1] ?? null) : index,
      );
      await world.update({
        ...row,
        allocations,
        unallocated: row.unallocated.filter((free) => free !== 9),
      });
      await runRestore(world, undo.read());
      const restored = await block(world);
      const nodeAt = (ordinal: number) =>
        restored.attributes[restored.allocations[ordinal] ?? -1]?.owner['node'];
      expect([nodeAt(1), nodeAt(9)]).to.deep.equal(['alder', 'alder.example']);
    });

    it('refuses a block that has got another owner, and its row, and still gives back what is left', async () => {
      const { world, undo } = await renamed();
      await world.update({ ...(await block(world)), affinity: 'host:elm' });
      const { verdict, document } = await runRestore(world, undo.read());
      expect(verdict).to.equal('partial');
      const refused = document.items.filter(({ result }) => result === 'skipped');
      expect(refused.map(({ reason }) => reason)).to.deep.equal([
        'its block has got another owner since',
      ]);
      const restored = await block(world);
      expect(restored.affinity).to.equal('host:elm');
      expect(restored.attributes.map(({ owner }) => owner['node'])).to.deep.equal([
        'alder',
        'alder',
        'alder',
      ]);
    });

    it('refuses rows of a block that is gone', async () => {
      const { world, undo } = await renamed();
      const row = await block(world);
      if (row.revision) await world.remove({ ...row, revision: row.revision });
      const { document } = await runRestore(world, undo.read());
      const refused = document.items.filter(({ result }) => result === 'skipped');
      expect(
        refused.map(({ subject, reason }) => `${subject.kind}: ${reason}`).sort(),
      ).to.deep.equal(['BlockAffinity: its block is gone', 'IPAMBlock: it is gone']);
    });

    it('gives back what it does not know of a record', async () => {
      const world = await renameWorld(flavor, [
        aCluster(),
        ...withRows(aBlock(BLOCK, { 1: podSlot('shop/a', 'alder') }, { affinity: 'host:alder' })),
      ]);
      const row = await block(world);
      const holder = (row.object?.['spec'] ?? row.object) as { attributes: object[] };
      const attributes = holder.attributes.map((record) => ({ ...record, later: { x: 1 } }));
      const changed = { ...holder, attributes };
      await world.update({
        ...row,
        sequenceNumber: row.sequenceNumber + 1n,
        object: (row.object?.['spec'] ? { ...row.object, spec: changed } : changed) as never,
      });
      const before = await claimsOf(world);
      expect(
        JSON.stringify((before[`IPAMBlock ${row.key.name}`] as { extra: unknown }).extra),
      ).to.contain('"x":1');
      const undo = new UndoMemory();
      await runRename(world, ONE, undo);
      const during = (await claimsOf(world))[`IPAMBlock ${row.key.name}`] as { extra: unknown };
      expect(JSON.stringify(during.extra)).to.contain('"x":1');
      await runRestore(world, undo.read());
      expect(await claimsOf(world)).to.deep.equal(before);
    });
  });
}

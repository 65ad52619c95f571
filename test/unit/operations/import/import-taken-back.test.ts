import { expect } from 'chai';
import { type MemoryDatastore } from '../../../../src/datastore/memory/memory-datastore.ts';
import { IMPORT_MARK, readMark } from '../../../../src/ipam/marks.ts';
import type { JsonObject } from '../../../../src/ipam/model/resource.ts';
import type { OutcomeDocument } from '../../../../src/operations/documents/outcome-document.ts';
import { planLock } from '../../../../src/operations/lock-datastore.ts';
import { planRestore } from '../../../../src/operations/restore-recorded.ts';
import { planUnlock } from '../../../../src/operations/unlock-datastore.ts';
import {
  aKubernetesNode,
  contentsOf,
  importText,
  importWorld,
  planText,
} from '../../../support/import-world.ts';
import { KilledTarget } from '../../../support/killed-target.ts';
import { aHandle, fileText } from '../../../support/migration-text.ts';
import { contextOf } from '../../../support/scripted-datastore.ts';
import { GROUPS } from '../../../support/split-world.ts';
import { aPod } from '../../../support/stored-objects.ts';
import { failureOf } from '../../../support/temp-folder.ts';
import { UndoMemory } from '../../../support/undo-memory.ts';

function resultsOf({ items }: OutcomeDocument, result: string): string[] {
  return items
    .filter((item) => item.result === result)
    .map(({ subject }) => `${subject.kind} ${subject.name}`);
}

function clusterOf(world: MemoryDatastore): JsonObject {
  return world.valueAt('ClusterInformation', 'default') as JsonObject;
}

const NODES = [aKubernetesNode('node-a'), aKubernetesNode('node-b')];

/** Carries an address of a block of the file. */
const A_POD = aPod({
  spec: { nodeName: 'node-a' },
  status: { podIP: '198.18.0.1', podIPs: [{ ip: '198.18.0.1' }] },
});

const LOCKER = {
  by: 'tester@here',
  newGuid: '1'.repeat(32),
  reason: 'later',
  isMismatchAllowed: false,
};

/** What may have happened to a cluster since, after which nobody knows what was assigned. */
const IN_USE = [
  { title: 'unlocked', between: [unlock] },
  { title: 'unlocked and locked anew', between: [unlock, lockAnew] },
];

for (const group of GROUPS) {
  describe(`operations/import-datastore into ${group.version}, races and the way back`, () => {
    describe('of a cluster that said nothing of itself', () => {
      const restoring = (world: MemoryDatastore, undo: UndoMemory) =>
        planRestore(contextOf(world), {
          recorded: undo.read(),
          name: 'undo.jsonl',
          isMismatchAllowed: false,
        });

      it('is already taken back where nothing has lasted, and the second time', async () => {
        for (const most of [1, 2, 9, Infinity]) {
          const undo = new UndoMemory();
          const world = importWorld(group);
          const killed = new KilledTarget(world, most);
          const before = contentsOf(importWorld(group));
          await importText(killed.target, { undo, context: { signal: killed.abort.signal } });
          const unwritten = importWorld(group);
          for (const target of [unwritten, world, world]) {
            const mutation = await restoring(target, undo);
            const { verdict, error } = await mutation.apply(new UndoMemory());
            expect(verdict, error?.message ?? '').to.equal('ok');
            if (target === unwritten) expect(contentsOf(target)).to.deep.equal(before);
          }
          expect((await restoring(world, undo)).isEmpty, `${most} writes`).to.equal(true);
        }
      });

      it('is refused where something would be written', async () => {
        const undo = new UndoMemory();
        const world = importWorld(group);
        // No block is made yet, so nothing holds the rest back.
        const killed = new KilledTarget(world, 4);
        await importText(killed.target, { undo, context: { signal: killed.abort.signal } });
        world.drop('ClusterInformation', 'default');
        const error = await failureOf(restoring(world, undo));
        expect(error).to.include({ status: 6 });
        expect(error.message).to.include('does not say which it is');
      });
    });

    it('leaves what appears meanwhile with other content, and does the rest', async () => {
      const world = importWorld(group);
      const plan = await planText(world);
      await importText(world, {
        text: fileText({
          spec: {},
          handles: [
            aHandle('k8s-pod-network.aa', { '198.18.0.0/28': 5 }),
            aHandle('k8s-pod-network.bb', { '198.18.0.16/28': 1 }),
          ],
        }),
      });

      const { document, verdict } = await plan.apply(undefined);

      expect(verdict).to.equal('partial');
      expect(resultsOf(document, 'skipped')).to.deep.equal([
        'IPAMHandle k8s-pod-network.aa',
        'ClusterInformation default',
      ]);
      expect(resultsOf(document, 'already')).to.include('IPAMHandle k8s-pod-network.bb');
      expect(resultsOf(document, 'applied')).to.include('IPAMHandle ipip-tunnel-addr-node-a');
      expect(readMark(clusterOf(world), IMPORT_MARK), 'mark').to.include({ phase: 'verification' });
    });

    it('is taken back by its journal: nothing of it is left but what is noted on nodes', async () => {
      const world = importWorld(group);
      const before = contentsOf(world);
      const undo = new UndoMemory();
      await importText(world, { undo });

      const restored = await restore(world, undo);

      expect(restored.verdict).to.equal('ok');
      const after = contentsOf(world);
      for (const [name, object] of Object.entries(before)) {
        if (!name.startsWith('Node ')) expect(after[name], name).to.deep.equal(object);
      }
      expect(Object.keys(after)).to.deep.equal(Object.keys(before));
    });

    it('is taken back but for what has changed since, and then stays locked', async () => {
      const world = importWorld(group);
      const undo = new UndoMemory();
      await importText(world, { undo });
      const row = await world.get('IPAMHandle', { name: 'k8s-pod-network.aa' });
      await world.update({ ...(row as never as object), counts: [] } as never);

      const restored = await restore(world, undo);

      expect(restored.verdict).to.equal('partial');
      expect(resultsOf(restored.document, 'skipped')).to.include.members([
        'IPAMHandle k8s-pod-network.aa',
        'ClusterInformation default',
      ]);
      expect(clusterOf(world)['spec']).to.include({ datastoreReady: false });
    });

    for (const { title, between } of IN_USE) {
      it(`stays as a whole when it is ${title} and something alive carries an address of it`, async () => {
        const world = importWorld(group, [...NODES, A_POD]);
        const undo = new UndoMemory();
        await importText(world, { undo });
        for (const step of between) await step(world);
        const before = contentsOf(world);

        const restored = await restore(world, undo);

        expect(restored.verdict).to.equal('refused');
        expect(restored.error?.message).to.include('block 198.18.0.0/28: something alive');
        expect(contentsOf(world)).to.deep.equal(before);
      });
    }

    it('is taken back from under a pod as long as it stays locked', async () => {
      const world = importWorld(group, [...NODES, A_POD]);
      const undo = new UndoMemory();
      await importText(world, { undo });

      const restored = await restore(world, undo);

      expect(restored.verdict).to.equal('ok');
      expect(await world.get('IPAMBlock', { name: '198-18-0-0-28' })).to.equal(undefined);
    });
  });
}

async function unlock(world: MemoryDatastore): Promise<void> {
  const mutation = await planUnlock(contextOf(world), {
    isForced: false,
    isMismatchAllowed: false,
  });
  await mutation.apply(undefined);
}

async function lockAnew(world: MemoryDatastore): Promise<void> {
  const mutation = await planLock(contextOf(world), LOCKER);
  await mutation.apply(undefined);
}

async function restore(world: MemoryDatastore, undo: UndoMemory) {
  const { planRestore } = await import('../../../../src/operations/restore-recorded.ts');
  const mutation = await planRestore(contextOf(world), {
    recorded: undo.read(),
    name: 'journal',
    isMismatchAllowed: false,
  });
  return mutation.apply(undefined);
}

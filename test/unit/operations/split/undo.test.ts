import { expect } from 'chai';
import type { MemoryDatastore } from '../../../../src/datastore/memory/memory-datastore.ts';
import type { ToolError } from '../../../../src/errors/tool-error.ts';
import type { JsonObject } from '../../../../src/support/json.ts';
import { planRestore } from '../../../../src/operations/restore-recorded.ts';
import { contextOf } from '../../../support/scripted-datastore.ts';
import {
  aClusterObject,
  aPoolObject,
  contentOf,
  CutDatastore,
  GROUPS,
  planned,
  runSplit,
  splitWorld,
  userMetadata,
} from '../../../support/split-world.ts';
import { readSide } from '../../../support/migration-sides.ts';
import { UndoMemory } from '../../../support/undo-memory.ts';
import { net } from '../../../support/builders.ts';

type Change = (world: MemoryDatastore) => unknown;

function edit(
  world: MemoryDatastore,
  name: string,
  change: (object: JsonObject) => JsonObject,
): void {
  world.put('IPPool', change(world.valueAt('IPPool', name) as JsonObject));
}

function withMetadata(object: JsonObject, more: JsonObject): JsonObject {
  return { ...object, metadata: { ...(object['metadata'] as JsonObject), ...more } };
}

/** What was done to a part, or beside it, since the split. */
const KEPT: readonly { readonly title: string; readonly names: RegExp; readonly change: Change }[] =
  [
    {
      title: 'a part with another spec',
      names: /split-main-2.*spec/,
      change: (world) =>
        edit(world, 'split-main-2', (object) => ({
          ...object,
          spec: { ...(object['spec'] as JsonObject), natOutgoing: false },
        })),
    },
    {
      title: 'a disabled part',
      names: /split-main-1.*spec/,
      change: (world) =>
        edit(world, 'split-main-1', (object) => ({
          ...object,
          spec: { ...(object['spec'] as JsonObject), disabled: true },
        })),
    },
    {
      title: 'a part with another label',
      names: /split-main-3.*labels/,
      change: (world) =>
        edit(world, 'split-main-3', (object) => withMetadata(object, { labels: { team: 'red' } })),
    },
    {
      title: 'a part with another annotation',
      names: /split-main-0.*annotations/,
      change: (world) =>
        edit(world, 'split-main-0', (object) => {
          const { annotations } = object['metadata'] as { annotations: JsonObject };
          return withMetadata(object, { annotations: { ...annotations, extra: 'x' } });
        }),
    },
    {
      title: 'a part with a finalizer of somebody else',
      names: /example\.com/,
      change: (world) =>
        edit(world, 'split-main-0', (object) =>
          withMetadata(object, { finalizers: ['example.com/keep'] }),
        ),
    },
    {
      title: 'a part that has been split itself',
      names: /split-main-1 has been split/,
      change: (world) => runSplit(world, 2, { name: 'split-main-1' }),
    },
    {
      title: 'a part whose split has begun',
      names: /split-main-1 has been split/,
      change: (world) => runSplit(new CutDatastore(world, 1), 2, { name: 'split-main-1' }),
    },
    {
      title: 'a part that is gone',
      names: /split-main-3.*gone/,
      change: (world) => world.drop('IPPool', 'split-main-3'),
    },
    {
      title: 'another pool in the range',
      names: /late/,
      change: (world) =>
        world.put('IPPool', aPoolObject({ cidr: '10.9.0.0/25' }, { name: 'late' })),
    },
    {
      title: 'another pool of the name',
      names: /another pool main/,
      change: (world) => world.put('IPPool', aPoolObject({ cidr: '10.30.0.0/24' })),
    },
  ];

for (const group of GROUPS) {
  describe(`operations/split undo, ${group.version}`, () => {
    const world = (): MemoryDatastore =>
      splitWorld(group, [aClusterObject(), aPoolObject({}, userMetadata(group))]);

    for (const { title, names, change } of KEPT) {
      it(`refuses ${title} and changes nothing`, async () => {
        const split = world();
        await runSplit(split, 4);
        await change(split);
        const before = contentOf(split);
        const options = { isUndo: true, name: undefined, cidr: net('10.9.0.0/22') };
        const error = await runSplit(split, 4, options).catch((thrown: unknown) => thrown);
        expect((error as ToolError).status, (error as Error).stack).to.equal(6);
        expect((error as ToolError).message).to.match(names);
        expect(contentOf(split)).to.deep.equal(before);
      });
    }

    it('goes back over parts that Calico has written meanwhile without a change of meaning', async () => {
      const split = world();
      const before = contentOf(split);
      await runSplit(split, 4);
      edit(split, 'split-main-0', (object) => ({
        ...object,
        spec: { disableBGPExport: false, ...(object['spec'] as JsonObject) },
        status: { conditions: [{ type: 'Allocatable', status: 'False', reason: 'CIDROverlap' }] },
      }));
      expect((await runSplit(split, 4, { isUndo: true })).verdict).to.equal('ok');
      expect(contentOf(split)).to.deep.equal(before);
    });

    it('finds a whole pool already so, and needs no lock for that', async () => {
      const whole = world();
      whole.put('ClusterInformation', aClusterObject({ datastoreReady: true }));
      const { verdict, document } = await runSplit(whole, 4, { isUndo: true });
      expect(verdict).to.equal('ok');
      expect(document.totals).to.include({ applied: 0, already: 1 });
    });

    it('plans what it does, and plans nothing for a finished split of an unlocked cluster', async () => {
      const split = world();
      const { document } = (await planned(split, 2)).plan;
      expect(
        document.items.map(({ action, subject }) => `${action} ${subject.name}`),
      ).to.deep.equal([
        'disable-pool main',
        'create-pool split-main-0',
        'create-pool split-main-1',
        'delete-pool main',
      ]);
      await runSplit(split, 2);
      split.put('ClusterInformation', aClusterObject({ datastoreReady: true }));
      const again = await planned(split, 2, { name: undefined, cidr: net('10.9.0.0/22') });
      expect(again.isEmpty).to.equal(true);
      expect(again.plan.verdict).to.equal('ok');
    });

    it('can be taken back by its undo file too', async () => {
      const split = world();
      const before = contentOf(split);
      const undo = new UndoMemory();
      await runSplit(split, 4, { undo });
      const restore = await planRestore(contextOf(split), {
        recorded: undo.read(),
        name: 'undo.jsonl',
        isMismatchAllowed: false,
      });
      const { verdict, error } = await restore.apply();
      expect(verdict, error?.message ?? '').to.equal('ok');
      const after = contentOf(split);
      expect(withoutFinalizers(after)).to.deep.equal(withoutFinalizers(before));
      const { marks } = await readSide(contextOf(split));
      expect(marks).to.deep.equal([]);
    });

    it('keeps by its undo file a part that was changed since', async () => {
      const split = world();
      const undo = new UndoMemory();
      await runSplit(split, 4, { undo });
      edit(split, 'split-main-2', (object) => ({
        ...object,
        spec: { ...(object['spec'] as JsonObject), natOutgoing: false },
      }));
      const restore = await planRestore(contextOf(split), {
        recorded: undo.read(),
        name: 'undo.jsonl',
        isMismatchAllowed: false,
      });
      const kept = restore.plan.document.kept.map(({ subject }) => subject.name);
      expect(kept).to.include('split-main-2');
    });
  });
}

/** Calico's controller sets its finalizer itself. */
function withoutFinalizers(content: unknown): unknown {
  return JSON.parse(
    JSON.stringify(content, (name, value: unknown) => (name === 'finalizers' ? undefined : value)),
  );
}

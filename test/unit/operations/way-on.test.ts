import { expect } from 'chai';
import type { WritableDatastore } from '../../../src/datastore/datastore.ts';
import { CancelledError } from '../../../src/errors/cancelled-error.ts';
import type { ToolError } from '../../../src/errors/tool-error.ts';
import { UnavailableError } from '../../../src/errors/unavailable-error.ts';
import type { OperationContext } from '../../../src/operations/context.ts';
import type { Mutation } from '../../../src/operations/mutation.ts';
import { planSplit } from '../../../src/operations/split-pool.ts';
import { splitRequestFrom } from '../../../src/operations/split/split-options.ts';
import { importWorld, planText } from '../../support/import-world.ts';
import { KilledTarget, type KillOptions } from '../../support/killed-target.ts';
import { aCluster, nodeRows, plannedRename, renameWorld } from '../../support/rename-world.ts';
import { contextOf } from '../../support/scripted-datastore.ts';
import {
  aClusterObject,
  aPoolObject,
  GROUPS,
  runSplit,
  splitWorld,
} from '../../support/split-world.ts';
import { UndoMemory } from '../../support/undo-memory.ts';

type More = Partial<OperationContext>;

interface Command {
  readonly title: string;
  readonly world: () => Promise<WritableDatastore>;
  readonly plan: (target: WritableDatastore, more: More) => Promise<Mutation>;
  /** What has to be told. */
  readonly says: readonly string[];
}

const [GROUP] = GROUPS;

const splitOf = (target: WritableDatastore, more: More, isUndo: boolean): Promise<Mutation> =>
  planSplit(contextOf(target, more), {
    ...splitRequestFrom('4', { name: 'main' }),
    isUndo,
    isForced: false,
    isMismatchAllowed: false,
  });

const COMMANDS: readonly Command[] = [
  {
    title: 'datastore migrate import',
    world: () => Promise.resolve(importWorld(GROUP)),
    plan: (target, context) => planText(target, { context }),
    says: ['the same command with --resume', 'file', 'journal undo.jsonl'],
  },
  {
    title: 'datastore migrate rename-node',
    world: () => renameWorld('crd', [aCluster(), ...nodeRows('alder', 0)]),
    plan: (target, more) => plannedRename(target, { alder: 'oak' }, more),
    says: ['the same command goes on, with the same names', '--undo-file undo.jsonl'],
  },
  {
    title: 'datastore migrate rename-node --map',
    world: () =>
      renameWorld('crd', [aCluster(true), ...nodeRows('alder', 0), ...nodeRows('birch', 1)]),
    plan: (target, more) => plannedRename(target, { alder: 'oak', birch: 'alder' }, more),
    says: ['the same command goes on, with the same map', '--undo-file undo.jsonl'],
  },
  {
    title: 'ipam split',
    world: () => Promise.resolve(splitWorld(GROUP, [aClusterObject(), aPoolObject()])),
    plan: (target, more) => splitOf(target, more, false),
    says: ['the same command goes on, and with --undo it goes back', '--undo-file undo.jsonl'],
  },
  {
    title: 'ipam split --undo',
    world: async () => {
      const world = splitWorld(GROUP, [aClusterObject(), aPoolObject()]);
      await runSplit(world, 4);
      return world;
    },
    plan: (target, more) => splitOf(target, more, true),
    says: ['the same command goes on; ', '--undo-file undo.jsonl'],
  },
];

const ENDS: readonly (KillOptions & { readonly title: string; readonly reason: ToolError })[] = [
  {
    title: 'the user',
    reason: new CancelledError('stopped by SIGINT', { signal: 'SIGINT' }),
  },
  {
    title: 'the time limit',
    reason: new UnavailableError('not done within 5 seconds', { hint: 'raise --timeout' }),
  },
  {
    title: 'the datastore',
    reason: new UnavailableError('nobody answers', { hint: 'look at the server' }),
    endsCommand: false,
  },
];

describe('operations/commands that are cut short', () => {
  for (const { title, world, plan, says } of COMMANDS)
    for (const end of ENDS)
      it(`say how they go on: ${title}, ended by ${end.title}`, async () => {
        let points = 0;
        for (let most = 0; ; most++) {
          const killed = new KilledTarget(await world(), most, end);
          const mutation = await plan(killed.target, { signal: killed.abort.signal });
          const { error, document } = await mutation.apply(new UndoMemory());
          if (error === undefined) break;
          points++;
          // Nothing was begun yet.
          if (killed.writes === 0) continue;
          for (const text of says) expect(error.hint, `after ${most} writes`).to.include(text);
          if (document.totals.applied > 0) continue;
          expect(error.message).to.equal(end.reason.message);
          if (end.reason.hint !== undefined) expect(error.hint).to.include(end.reason.hint);
          expect(error).to.be.instanceOf(end.reason.constructor);
          expect([error.status, error.code]).to.deep.equal([end.reason.status, end.reason.code]);
        }
        expect(points).to.be.greaterThan(3);
      });

  it('say nothing of it where nothing was begun', async () => {
    for (const { world, plan } of COMMANDS) {
      const ending = new AbortController();
      const mutation = await plan(await world(), { signal: ending.signal });
      ending.abort(new CancelledError('stopped by SIGINT', { signal: 'SIGINT' }));
      const { error } = await mutation.apply(new UndoMemory());
      expect(error?.message).to.equal('stopped by SIGINT');
      expect(error?.hint).to.equal(undefined);
    }
  });

  it('say nothing of it where all is done', async () => {
    for (const { world, plan } of COMMANDS) {
      const { error } = await (await plan(await world(), {})).apply(new UndoMemory());
      expect(error).to.equal(undefined);
    }
  });
});

import { expect } from 'chai';
import type { MemoryDatastore } from '../../../../src/datastore/memory/memory-datastore.ts';
import type { WritableDatastore } from '../../../../src/datastore/datastore.ts';
import { AccessDeniedError } from '../../../../src/errors/access-denied-error.ts';
import type { ToolError } from '../../../../src/errors/tool-error.ts';
import type { OutcomeDocument } from '../../../../src/operations/documents/outcome-document.ts';
import { planLock } from '../../../../src/operations/lock-datastore.ts';
import type { Outcome } from '../../../../src/operations/outcome.ts';
import { planUnlock } from '../../../../src/operations/unlock-datastore.ts';
import { render } from '../../../../src/render/render.ts';
import { migrationStatusView } from '../../../../src/render/views/migration-status.ts';
import { type JsonObject, parseJson } from '../../../../src/support/json.ts';
import { readSide, statusOf } from '../../../support/migration-sides.ts';
import { contextOf } from '../../../support/scripted-datastore.ts';
import {
  aClusterObject,
  aPoolObject,
  contentOf,
  CutDatastore,
  GROUPS,
  runSplit,
  splitWorld,
} from '../../../support/split-world.ts';

const GUID = '0123456789abcdef0123456789abcdef';
const LOCK = 'ipamctl.projectcalico.org/lock';

async function lock(world: WritableDatastore, reason?: string): Promise<Outcome<OutcomeDocument>> {
  const options = { by: 'alice@laptop', reason, newGuid: GUID, isMismatchAllowed: false };
  return (await planLock(contextOf(world), options)).apply();
}

async function unlock(
  world: WritableDatastore,
  isForced = false,
): Promise<Outcome<OutcomeDocument>> {
  return (await planUnlock(contextOf(world), { isForced, isMismatchAllowed: false })).apply();
}

function clusterOf(world: MemoryDatastore): { metadata: JsonObject; spec: JsonObject } {
  return world.valueAt('ClusterInformation', 'default') as never;
}

function lockMarkOf(world: MemoryDatastore): unknown {
  const { annotations } = clusterOf(world).metadata as { annotations?: Record<string, string> };
  const text = annotations?.[LOCK];
  return text === undefined ? undefined : parseJson(text);
}

for (const group of GROUPS) {
  describe(`operations/lock, ${group.version}`, () => {
    it('locks with who, when and why, and unlocks to what was there', async () => {
      const world = splitWorld(group, [
        aClusterObject({ datastoreReady: true, variant: 'Calico' }),
      ]);
      const before = contentOf(world);
      expect((await lock(world, 'split')).document.totals.applied).to.equal(1);
      expect(clusterOf(world).spec).to.include({ datastoreReady: false, variant: 'Calico' });
      expect(lockMarkOf(world)).to.deep.equal({
        by: 'alice@laptop',
        at: '2026-11-29T12:00:00Z',
        reason: 'split',
      });
      const { document } = await unlock(world);
      expect(document.totals.applied).to.equal(1);
      expect(document.items[0]?.reason).to.equal(
        'it was locked, by alice@laptop at 2026-11-29T12:00:00Z: split; it is unlocked now',
      );
      expect(contentOf(world)).to.deep.equal(before);
    });

    it('writes nothing when it is so already', async () => {
      for (const ready of [true, undefined]) {
        const world = splitWorld(group, [clusterWith(ready)]);
        const cut = new CutDatastore(world, 0);
        expect((await unlock(cut)).document.totals).to.include({ applied: 0, already: 1 });
      }
      const locked = splitWorld(group, [clusterWith(false)]);
      const { document } = await lock(new CutDatastore(locked, 0), 'again');
      expect(document.totals).to.include({ applied: 0, already: 1 });
      expect(document.items[0]?.reason).to.contain('nobody noted by whom');
    });

    it('locks a cluster whose flag was never set', async () => {
      const world = splitWorld(group, [clusterWith(undefined)]);
      await lock(world);
      expect(clusterOf(world).spec).to.include({ datastoreReady: false });
    });

    it('makes a missing ClusterInformation when it locks, and finds none to unlock', async () => {
      const world = splitWorld(group, []);
      const error = await unlock(world).catch((thrown: unknown) => thrown);
      expect((error as ToolError).status).to.equal(4);
      expect(world.countOf('ClusterInformation')).to.equal(0);
      await lock(world);
      expect(clusterOf(world).spec).to.deep.equal({
        clusterGUID: GUID,
        clusterType: 'kdd',
        datastoreReady: false,
      });
      expect((await unlock(world)).verdict).to.equal('ok');
    });

    for (const { what, objects, says } of [
      { what: 'neither a row nor a pool', objects: [], says: /neither .* nor a pool.*is meant/ },
      { what: 'pools and no row', objects: [aPoolObject()], says: /had no ClusterInformation/ },
      { what: 'a row', objects: [aClusterObject({ datastoreReady: true })], says: undefined },
    ])
      it(`says whether it may be the wrong datastore where there is ${what}`, async () => {
        const warnings: string[] = [];
        const world = splitWorld(group, objects);
        const context = contextOf(world, {
          progress: { step: () => undefined, warn: (text) => warnings.push(text) },
        });
        const options = { by: 'alice@laptop', newGuid: GUID, isMismatchAllowed: false };
        const mutation = await planLock(context, options);
        const { document, verdict } = await mutation.apply();
        expect(verdict).to.equal('ok');
        expect(mutation.plan.document.notes).to.deep.equal(document.notes);
        if (says === undefined) expect(document.notes).to.deep.equal([]);
        else expect(document.notes.join()).to.match(says);
        expect(warnings).to.deep.equal(objects.length === 0 ? document.notes : []);
      });

    it('needs no right to pools to lock', async () => {
      const world = splitWorld(group, []);
      const list: WritableDatastore['list'] = async (kind, options) => {
        if (kind === 'IPPool') throw new AccessDeniedError('not you');
        return world.list(kind, options);
      };
      const denied = new Proxy<WritableDatastore>(world, {
        get: (target, name) => {
          if (name === 'list') return list;
          const value: unknown = Reflect.get(target, name, target);
          return typeof value === 'function' ? (value.bind(target) as unknown) : value;
        },
      });
      const { verdict, document } = await lock(denied);
      expect(verdict).to.equal('ok');
      expect(document.notes.join()).to.include('The datastore has no ClusterInformation');
    });

    it('takes the note off also where Calico has copied it', async () => {
      const copied = {
        creationTimestamp: null,
        annotations: { [LOCK]: '{"by":"bob","at":"then"}', own: 'x' },
      };
      const annotations = {
        [LOCK]: '{"by":"bob","at":"then"}',
        'projectcalico.org/metadata': JSON.stringify(copied),
      };
      const world = splitWorld(group, [aClusterObject({}, { annotations })]);
      await unlock(world);
      expect(JSON.stringify(clusterOf(world))).to.not.contain('bob');
      expect(JSON.stringify(clusterOf(world))).to.contain('own');
    });

    const SPLIT = [aClusterObject(), aPoolObject()];
    for (const writes of [1, 2, 5, 9]) {
      it(`stays locked while a split is cut after ${writes} writes, unless by force`, async () => {
        const world = splitWorld(group, SPLIT);
        await runSplit(new CutDatastore(world, writes));
        const before = contentOf(world);
        const error = await unlock(world).catch((thrown: unknown) => thrown);
        expect((error as ToolError).status).to.equal(6);
        expect((error as ToolError).hint).to.contain('ipam split 8 --name main');
        expect(contentOf(world)).to.deep.equal(before);
        expect((await unlock(world, true)).document.totals.applied).to.equal(1);
      });
    }

    it('stays locked while going back is not finished', async () => {
      const world = splitWorld(group, SPLIT);
      await runSplit(world);
      await runSplit(new CutDatastore(world, 9), 8, { isUndo: true });
      expect(world.countOf('IPPool')).to.equal(1);
      const error = await unlock(world).catch((thrown: unknown) => thrown);
      expect((error as ToolError).status).to.equal(6);
    });

    it('unlocks after a finished split', async () => {
      const world = splitWorld(group, SPLIT);
      await runSplit(world);
      expect((await unlock(world)).document.totals.applied).to.equal(1);
    });

    for (const what of ['import', 'rename']) {
      it(`stays locked while an ${what} is marked`, async () => {
        const annotations = { [`ipamctl.projectcalico.org/${what}`]: '{"file":"a.yaml"}' };
        const world = splitWorld(group, [aClusterObject({}, { annotations })]);
        const error = await unlock(world).catch((thrown: unknown) => thrown);
        expect((error as ToolError).status).to.equal(6);
        expect((error as ToolError).message).to.contain(what);
      });
    }
  });

  describe(`operations/migration status, ${group.version}`, () => {
    it('shows lock, marks and what waits, and is fine with any of it', async () => {
      const world = splitWorld(group, [aClusterObject({ datastoreReady: true }), aPoolObject()]);
      await lock(world, 'night shift');
      await runSplit(new CutDatastore(world, 3));
      const { document, verdict } = await statusOf(contextOf(world));
      expect(verdict).to.equal('ok');
      const side = await readSide(contextOf(world));
      expect(document.sides).to.deep.equal([side]);
      expect(side).to.include({ side: 'memory', locked: true, initialized: true });
      expect(side.lock).to.include({ by: 'alice@laptop', reason: 'night shift' });
      expect(side.marks).to.have.lengthOf(1);
      expect(side.marks[0]).to.include({ what: 'split', finished: false, pool: 'main' });
      const text = await render(document, migrationStatusView, {
        format: 'text',
        width: 200,
        color: false,
      } as never);
      expect(text).to.match(/locked/);
      expect(text).to.contain('night shift');
      expect(text).to.contain('--undo');
    });

    it('shows a cluster without ClusterInformation as not locked', async () => {
      const { document } = await statusOf(contextOf(splitWorld(group, [])));
      expect(document.sides[0]).to.include({ locked: false, initialized: false });
    });
  });
}

function clusterWith(ready: boolean | undefined): JsonObject {
  const spec = { clusterGUID: GUID, calicoVersion: 'v3.33.0' };
  return {
    ...aClusterObject(),
    spec: ready === undefined ? spec : { ...spec, datastoreReady: ready },
  };
}

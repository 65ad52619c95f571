import { expect } from 'chai';
import type { MemoryDatastore } from '../../../src/datastore/memory/memory-datastore.ts';
import type {
  WritableDatastore,
  WritableRow,
  WriteRight,
} from '../../../src/datastore/datastore.ts';
import { ConflictError } from '../../../src/errors/conflict-error.ts';
import type { ToolError } from '../../../src/errors/tool-error.ts';
import { planConfigure } from '../../../src/operations/configure-ipam.ts';
import {
  type SettingChanges,
  settingChangesFrom,
} from '../../../src/operations/configure/configure-options.ts';
import type { OutcomeDocument } from '../../../src/operations/documents/outcome-document.ts';
import type { Outcome } from '../../../src/operations/outcome.ts';
import { planRestore } from '../../../src/operations/restore-recorded.ts';
import type { UndoSink } from '../../../src/operations/undo/undo-log.ts';
import type { JsonObject } from '../../../src/support/json.ts';
import { contextOf } from '../../support/scripted-datastore.ts';
import {
  aBlockObject,
  aClusterObject,
  contentOf,
  CutDatastore,
  type Group,
  GROUPS,
  splitWorld,
} from '../../support/split-world.ts';
import { failureOf } from '../../support/temp-folder.ts';
import { UndoMemory } from '../../support/undo-memory.ts';

const FLAGS = { reset: false };

function aConfigObject(group: Group, spec: JsonObject = {}): JsonObject {
  return {
    apiVersion: group.version,
    kind: group.flavor === 'v3' ? 'IPAMConfiguration' : 'IPAMConfig',
    metadata: { name: 'default', labels: { team: 'net' } },
    spec: {
      strictAffinity: false,
      autoAllocateBlocks: true,
      // The newer group's schema fills it in.
      ...(group.flavor === 'v3' ? { maxBlocksPerHost: 0 } : {}),
      ...spec,
      later: 'kept',
    },
  };
}

function worldOf(group: Group, spec?: JsonObject): MemoryDatastore {
  const world = splitWorld(group, [
    aClusterObject({ datastoreReady: true }),
    aBlockObject('10.9.0.0/28'),
    aBlockObject('10.9.0.16/28'),
    aBlockObject('10.9.0.32/28', 'node-b'),
  ]);
  if (spec) world.put('IPAMConfig', aConfigObject(group, spec));
  return world;
}

async function configure(
  world: WritableDatastore,
  changes: SettingChanges | undefined,
  undo?: UndoSink,
): Promise<Outcome<OutcomeDocument>> {
  const options = { changes, isMismatchAllowed: false };
  return (await planConfigure(contextOf(world), options)).apply(undo);
}

function specOf(world: MemoryDatastore): JsonObject | undefined {
  const value = world.valueAt('IPAMConfig', 'default') as JsonObject | undefined;
  return value?.['spec'] as JsonObject | undefined;
}

for (const group of GROUPS) {
  describe(`operations/configure, ${group.version}`, () => {
    const REFUSED: readonly [string, JsonObject | undefined, SettingChanges, number][] = [
      ['a limit without strict affinity', {}, { maxBlocksPerHost: 4 }, 6],
      ['a limit where nothing is stored', undefined, { maxBlocksPerHost: 3 }, 6],
      [
        'no strict affinity while a limit is stored',
        { strictAffinity: true, maxBlocksPerHost: 4 },
        { strictAffinity: false },
        6,
      ],
      ['both switches off', {}, { autoAllocateBlocks: false }, 6],
      [
        'a cooldown while the rest contradicts itself',
        { maxBlocksPerHost: 4 },
        { ipCooldownSeconds: 5 },
        6,
      ],
      ['a cooldown that is too long', {}, { ipCooldownSeconds: 1201 }, 2],
      ['a limit beyond 32 bits', {}, { strictAffinity: true, maxBlocksPerHost: 2 ** 32 + 1 }, 2],
    ];
    for (const [title, spec, changes, status] of REFUSED) {
      it(`refuses ${title} and changes nothing`, async () => {
        const world = worldOf(group, spec);
        const before = contentOf(world);
        const error = await configure(world, changes).catch((thrown: unknown) => thrown);
        expect((error as ToolError).status, String(error)).to.equal(status);
        expect(contentOf(world)).to.deep.equal(before);
      });
    }

    it('takes a limit up to the bound of the group', async () => {
      const most = group.flavor === 'v3' ? 1_000_000 : 2 ** 31 - 1;
      const world = worldOf(group, {});
      const changes = { strictAffinity: true, maxBlocksPerHost: most };
      expect((await configure(world, changes)).verdict).to.equal('ok');
      const beyond = await configure(world, { maxBlocksPerHost: most + 1 }).catch(
        (e: unknown) => e,
      );
      expect((beyond as ToolError).status).to.equal(2);
      expect(specOf(world)).to.include({ maxBlocksPerHost: most });
    });

    it('changes what is named and keeps the rest, also what it does not know', async () => {
      const world = worldOf(group, {
        kubeVirtVMAddressPersistence: 'Disabled',
        ipCooldownSeconds: 9,
      });
      const { document } = await configure(world, { strictAffinity: true });
      expect(document.items[0]?.reason).to.equal('strictAffinity false -> true');
      expect(specOf(world)).to.include({
        strictAffinity: true,
        autoAllocateBlocks: true,
        kubeVirtVMAddressPersistence: 'Disabled',
        ipCooldownSeconds: 9,
        later: 'kept',
      });
    });

    it('writes nothing when nothing changes', async () => {
      for (const spec of [undefined, {}]) {
        const world = worldOf(group, spec);
        const before = contentOf(world);
        const cut = new CutDatastore(world, 0);
        const same = {
          strictAffinity: false,
          kubeVirtVMAddressPersistence: 'Enabled',
          ipCooldownSeconds: 0,
        } as const;
        const { document, verdict } = await configure(cut, same);
        expect([verdict, document.totals.already, cut.writes]).to.deep.equal(['ok', 1, 0]);
        expect(contentOf(world)).to.deep.equal(before);
      }
    });

    it('makes the row from the defaults, and takes it away by a reset', async () => {
      const world = worldOf(group);
      expect((await configure(world, { ipCooldownSeconds: 60 })).verdict).to.equal('ok');
      expect(specOf(world)).to.include({
        strictAffinity: false,
        autoAllocateBlocks: true,
        ipCooldownSeconds: 60,
      });
      const { document } = await configure(world, undefined);
      expect(document.totals.applied).to.equal(1);
      expect(specOf(world)).to.equal(undefined);
      expect((await configure(world, undefined)).document.totals).to.include({
        applied: 0,
        already: 1,
      });
    });

    it('asks for the right to delete for a reset, and for those to write else', async () => {
      const world = worldOf(group, {});
      const asked: string[] = [];
      const reviewed = Object.assign(world, {
        missingRights: (rights: readonly WriteRight[]) => {
          asked.push(rights.map(({ verb, kind }) => `${verb} ${kind}`).join(', '));
          return Promise.resolve([{ verb: 'delete', resource: 'ipamconfigs' }]);
        },
      });
      for (const changes of [undefined, { strictAffinity: true }]) {
        const refused = await failureOf(configure(reviewed, changes));
        expect(refused).to.include({ status: 7 });
      }
      expect(asked).to.deep.equal(['delete IPAMConfig', 'create IPAMConfig, update IPAMConfig']);
    });

    it('loses no change that somebody else makes in between', async () => {
      const world = worldOf(group, {});
      const racing = new Racing(world, () =>
        world.put('IPAMConfig', aConfigObject(group, { ipCooldownSeconds: 33 })),
      );
      expect((await configure(racing, { strictAffinity: true })).verdict).to.equal('ok');
      expect(specOf(world)).to.include({ strictAffinity: true, ipCooldownSeconds: 33 });
    });

    it('refuses when a change in between makes the settings contradict each other', async () => {
      const world = worldOf(group, { strictAffinity: true });
      const racing = new Racing(world, () =>
        world.put('IPAMConfig', aConfigObject(group, { strictAffinity: false })),
      );
      const { verdict } = await configure(racing, { maxBlocksPerHost: 2 });
      expect(verdict).to.equal('refused');
      expect(specOf(world)).to.not.have.property('maxBlocksPerHost', 2);
    });

    it('says which nodes are above the limit, and what strict affinity means', async () => {
      const { document } = await configure(worldOf(group, {}), {
        strictAffinity: true,
        maxBlocksPerHost: 1,
      });
      expect(document.notes.join(' ')).to.match(/No address is borrowed.*node-a \(2\)/);
      expect(document.notes.join(' ')).to.not.contain('node-b');
    });

    it('is taken back by its undo file', async () => {
      for (const [spec, changes] of [
        [{ ipCooldownSeconds: 9 }, { ipCooldownSeconds: 60 }],
        [undefined, { ipCooldownSeconds: 60 }],
        [{ ipCooldownSeconds: 9 }, undefined],
      ] as const) {
        const world = worldOf(group, spec);
        const before = contentOf(world);
        const undo = new UndoMemory();
        await configure(world, changes, undo);
        expect(contentOf(world)).to.not.deep.equal(before);
        const restore = await planRestore(contextOf(world), {
          recorded: undo.read(),
          name: 'undo.jsonl',
          isMismatchAllowed: false,
        });
        expect((await restore.apply()).verdict).to.equal('ok');
        expect(specOf(world)).to.deep.equal(specOf(worldOf(group, spec)));
      }
    });
  });
}

describe('operations/configure options', () => {
  const MISUSE = [
    {},
    { strictaffinity: 'perhaps' },
    { strictaffinity: '' },
    { 'auto-allocate-blocks': 'yes' },
    { 'max-blocks-per-host': '-1' },
    { 'max-blocks-per-host': '2147483648' },
    { 'max-blocks-per-host': '1.5' },
    { 'ip-cooldown-seconds': '-5' },
    { 'ip-cooldown-seconds': '1201' },
    { 'kubevirt-ip-persistence': 'enabled' },
    { reset: true, strictaffinity: 'true' },
  ];
  for (const flags of MISUSE) {
    it(`refuses ${JSON.stringify(flags)}`, () => {
      const judge = (): unknown => settingChangesFrom({ ...FLAGS, ...flags });
      expect(judge).to.throw().with.property('status', 2);
    });
  }

  it('tells a number that is too large as it was typed', () => {
    const number = '99999999999999999999';
    const judge = (): unknown => settingChangesFrom({ ...FLAGS, 'max-blocks-per-host': number });
    expect(judge).to.throw(`--max-blocks-per-host: ${number} is not between 0 and 2147483647`);
  });

  it('takes truth values as calicoctl does', () => {
    for (const text of ['1', 't', 'T', 'TRUE', 'true', 'True'])
      expect(settingChangesFrom({ ...FLAGS, strictaffinity: text })).to.deep.equal({
        strictAffinity: true,
      });
    for (const text of ['0', 'f', 'F', 'FALSE', 'false', 'False'])
      expect(settingChangesFrom({ ...FLAGS, strictaffinity: text })).to.deep.equal({
        strictAffinity: false,
      });
    expect(settingChangesFrom({ reset: true })).to.equal(undefined);
  });
});

/** Lets somebody else write right before the first write. */
class Racing extends CutDatastore {
  private isRaced = false;
  private readonly race: () => void;

  constructor(inner: WritableDatastore, race: () => void) {
    super(inner, 1000);
    this.race = race;
  }

  override async update<R extends WritableRow>(row: R): Promise<R> {
    if (this.isRaced) return super.update(row);
    this.isRaced = true;
    this.race();
    throw new ConflictError('changed');
  }
}

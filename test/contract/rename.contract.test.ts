import { expect } from 'chai';
import type { WritableDatastore } from '../../src/datastore/datastore.ts';
import type { JsonObject } from '../../src/support/json.ts';
import { RacingDatastore, touch } from '../support/racing-datastore.ts';
import {
  aCluster,
  claimsOf,
  nodeRows,
  renameWorld,
  runRename,
  runRestore,
} from '../support/rename-world.ts';
import { CutDatastore, type Group, GROUPS, withoutServerTexts } from '../support/split-world.ts';
import { UndoMemory } from '../support/undo-memory.ts';
import { fakeGround, objectsOf, realGround, type SplitGround } from './split-ground.ts';

const ONE = { alder: 'alder.example' };
const SWAP = { alder: 'birch', birch: 'alder' };
const MANY = 10_000;

/** Servers with how far apart the writes are after which a run is cut; in memory it is cut after each. */
const SERVERS = [
  {
    name: 'in-process',
    step: 4,
    start: (_context: Mocha.Context, group: Group) => fakeGround(group),
  },
  { name: 'real', step: 13, start: realGround },
];

for (const { name, step, start } of SERVERS) {
  for (const group of GROUPS) {
    describe(`renaming nodes on the ${name} server, ${group.version}`, function () {
      this.timeout(180_000);

      let ground: SplitGround;
      let datastore: WritableDatastore;

      before(async function () {
        ground = await start(this, group);
        await reset(false);
        datastore = await ground.open();
      });
      after(async () => {
        await datastore.close();
        await ground.stop();
      });

      async function reset(isLocked: boolean): Promise<void> {
        const rows = [
          aCluster(isLocked),
          ...nodeRows('alder', 1, 'birch'),
          ...nodeRows('birch', 2),
        ];
        const world = await renameWorld(group.flavor, rows);
        await ground.reset(
          world.storedObjects().map(({ value }) => withoutServerTexts(value as JsonObject)),
        );
      }

      it('renames, labels the new rows by the new name, and goes back by its undo file', async () => {
        await reset(false);
        const before = await claimsOf(datastore);
        const undo = new UndoMemory();
        const { verdict, error } = await runRename(datastore, ONE, undo);
        expect(verdict, error?.message ?? '').to.equal('ok');
        const rows = await objectsOf(datastore, 'BlockAffinity');
        const { metadata } = rows['alder.example-10-0-1-0-28'] as { metadata: { labels: unknown } };
        expect(metadata.labels).to.deep.equal({
          'projectcalico.org/affinity-type': 'host',
          'projectcalico.org/hostname-hash': 'O7RNFVXGKK5PAJ5J7T2DNYQVJV6BFMTS4DXIRQ53MITAAMIE3DGA',
          'projectcalico.org/ip-version': '4',
        });
        expect(Object.keys(rows)).to.not.include('alder-10-0-1-0-28');
        expect(
          (await runRename(new CutDatastore(datastore, 0), ONE)).document.totals.already,
        ).to.equal(1);
        const back = await runRestore(datastore, undo.read());
        expect(back.verdict, back.error?.message ?? '').to.equal('ok');
        expect(await claimsOf(datastore)).to.deep.equal(before);
      });

      it('ends the same wherever it was cut, also a swap', async () => {
        for (const [pairs, isLocked] of [
          [ONE, false],
          [SWAP, true],
        ] as const) {
          await reset(isLocked);
          const full = new CutDatastore(datastore, MANY);
          expect((await runRename(full, pairs)).verdict).to.equal('ok');
          const whole = await claimsOf(datastore);
          for (let writes = 1; writes < full.writes; writes += step) {
            await reset(isLocked);
            await runRename(new CutDatastore(datastore, writes), pairs);
            const resumed = await runRename(datastore, pairs);
            expect(resumed.verdict, `${writes}: ${resumed.error?.message ?? ''}`).to.equal('ok');
            expect(await claimsOf(datastore), `after ${writes}`).to.deep.equal(whole);
          }
        }
      });

      it('ends the same when every row is changed by others right before it is written', async () => {
        await reset(false);
        await runRename(datastore, ONE);
        const calm = await claimsOf(datastore);
        await reset(false);
        const seen = new Set<string>();
        const racing = new RacingDatastore(datastore, async ({ verb, kind, name }) => {
          if (verb === 'create' || seen.has(`${kind} ${name}`)) return;
          seen.add(`${kind} ${name}`);
          await touch(datastore, kind as 'IPAMBlock', name);
        });
        const { verdict, error } = await runRename(racing, ONE);
        expect(verdict, error?.message ?? '').to.equal('ok');
        expect(seen.size).to.be.greaterThan(10);
        expect(await claimsOf(datastore)).to.deep.equal(calm);
      });
    });
  }
}

import { expect } from 'chai';
import type { WritableDatastore } from '../../src/datastore/datastore.ts';
import type { JsonValue } from '../../src/ipam/model/resource.ts';
import { planRestore } from '../../src/operations/restore-recorded.ts';
import {
  fakeImportGround,
  type ImportGround,
  importedObjects,
  importedRevisions,
  realImportGround,
} from '../support/import-ground.ts';
import { importText } from '../support/import-world.ts';
import { KilledTarget } from '../support/killed-target.ts';
import { contextOf } from '../support/scripted-datastore.ts';
import { type Group, GROUPS } from '../support/split-world.ts';
import { UndoMemory } from '../support/undo-memory.ts';

const SERVERS = [
  {
    name: 'in-process',
    every: 1,
    start: (_context: Mocha.Context, group: Group) => fakeImportGround(group),
  },
  { name: 'real', every: 5, start: realImportGround },
];

for (const { name, every, start } of SERVERS) {
  for (const group of GROUPS) {
    describe(`import into the ${name} server, ${group.version}`, function () {
      this.timeout(180_000);

      let ground: ImportGround;
      let datastore: WritableDatastore;
      let whole: Record<string, JsonValue>;
      let writes: number;

      before(async function () {
        ground = await start(this, group);
        await ground.reset();
        datastore = await ground.open();
      });
      after(async () => {
        await datastore.close();
        await ground.stop();
      });

      it('makes what the file holds and finds it equal, with the defaults of the server', async () => {
        const counted = new KilledTarget(datastore, Infinity);
        const { verdict, error, document } = await importText(counted.target);
        expect(verdict, error?.message ?? '').to.equal('ok');
        expect(document.totals).to.include({ failed: 0, skipped: 0 });
        writes = counted.writes;
        whole = await importedObjects(datastore);
        expect(Object.keys(whole)).to.include.members([
          'IPAMBlock 198-18-0-0-28',
          'IPPool main',
          'NetworkSet shop/partners',
          'GlobalNetworkPolicy deny-all',
        ]);
        const node = JSON.stringify(whole['Node node-a']);
        expect(node).to.include('198.18.0.0').and.include('192.0.2.1/24');
      });

      it('writes nothing the second time', async () => {
        const before = await importedRevisions(datastore);
        const { verdict, document } = await importText(datastore, { isResume: true });
        expect(verdict).to.equal('ok');
        expect(document.totals.applied).to.equal(0);
        expect(await importedRevisions(datastore)).to.deep.equal(before);
      });

      it('goes on from wherever it was cut', async () => {
        for (let most = 0; most < writes; most += every) {
          await ground.reset();
          const killed = new KilledTarget(datastore, most, { isAnswerLost: most % 2 === 1 });
          await importText(killed.target, { context: { signal: killed.abort.signal } });
          const { verdict, error } = await importText(datastore, { isResume: true });
          expect(verdict, `${most}: ${error?.message ?? ''}`).to.equal('ok');
          expect(await importedObjects(datastore), `cut at ${most}`).to.deep.equal(whole);
        }
      });

      it('is taken back by its journal', async () => {
        await ground.reset();
        const undo = new UndoMemory();
        await importText(datastore, { undo });
        const mutation = await planRestore(contextOf(datastore), {
          recorded: undo.read(),
          name: 'journal',
          isMismatchAllowed: false,
        });
        const { verdict, error } = await mutation.apply(undefined);
        expect(verdict, error?.message ?? '').to.equal('ok');
        expect(Object.keys(await importedObjects(datastore))).to.deep.equal([
          'Node node-a',
          'Node node-b',
        ]);
      });
    });
  }
}

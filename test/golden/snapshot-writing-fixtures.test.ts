import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSnapshot } from '../../src/datastore/snapshot/snapshot-datastore.ts';
import { readFixtures } from '../support/fixture.ts';
import { inMemory } from '../support/open-fixture.ts';
import { snapshotText } from '../support/snapshot-answers.ts';
import { runsOf, verify } from '../support/writing-fixtures.ts';

describe('golden/writing fixtures on snapshots of them', () => {
  let folder = '';

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ipamctl-fixture-'));
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  for (const fixture of readFixtures()) {
    for (const run of runsOf(fixture)) {
      it(`${fixture.name}: ${run.args.slice(1).join(' ')}`, async () => {
        const file = join(folder, 'cluster.json');
        writeFileSync(file, await snapshotText(await inMemory(fixture)));
        await verify(fixture, run, () => openSnapshot(file, { stdin: (async function* () {})() }));
      });
    }
  }
});

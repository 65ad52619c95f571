import { openSnapshot } from '../../src/datastore/snapshot/snapshot-datastore.ts';
import { readFixtures } from '../support/fixture.ts';
import { inMemory } from '../support/open-fixture.ts';
import { testReading } from '../support/reading-fixtures.ts';

const NOTHING = { stdin: (async function* () {})() };

describe('golden/fixtures', () => {
  for (const fixture of readFixtures()) {
    const { input } = fixture;
    describe(fixture.name, () => {
      // A cluster in etcd is no file that can be opened: here it is in memory, in the contract tests on a real etcd.
      const open = () => (input === undefined ? inMemory(fixture) : openSnapshot(input, NOTHING));
      testReading({ fixture, open });
    });
  }
});

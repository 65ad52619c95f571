import { readFixtures } from '../support/fixture.ts';
import { inMemory, withSnapshot } from '../support/open-fixture.ts';
import { runsOf, verify } from '../support/writing-fixtures.ts';

describe('golden/writing fixtures', () => {
  for (const fixture of readFixtures()) {
    for (const run of runsOf(fixture)) {
      const title = `${fixture.name}: ${run.args.slice(1).join(' ')}`;
      it(`${title} (memory)`, async () => {
        const datastore = await inMemory(fixture);
        await verify(fixture, run, () => Promise.resolve(datastore));
      });
      if (fixture.input === undefined) continue;
      it(`${title} (snapshot)`, () => withSnapshot(fixture, (open) => verify(fixture, run, open)));
    }
  }
});

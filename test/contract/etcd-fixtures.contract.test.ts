import type { WritableDatastore } from '../../src/datastore/datastore.ts';
import { type EtcdGround, isInEtcd, openPut, putFixture } from '../support/etcd-fixture.ts';
import { startFakeApiServer } from '../support/fake-api-server.ts';
import { readFixtures } from '../support/fixture.ts';
import { testReading } from '../support/reading-fixtures.ts';
import { requireEtcd } from '../support/shared-servers.ts';
import { runsOf, verify } from '../support/writing-fixtures.ts';

describe('fixtures on a real etcd', () => {
  let ground: EtcdGround;

  before(async function () {
    const { endpoint } = await requireEtcd(this);
    ground = { endpoint, server: await startFakeApiServer({ groups: [] }) };
  });

  after(async () => {
    await ground.server.stop();
  });

  for (const fixture of readFixtures().filter(isInEtcd)) {
    describe(fixture.name, () => {
      let env: Record<string, string>;

      beforeEach(async () => {
        env = await putFixture(fixture, ground);
      });

      testReading({ fixture, open: () => openPut(env) });

      for (const run of runsOf(fixture)) {
        it(run.args.slice(1).join(' '), async () => {
          const opened: WritableDatastore[] = [];
          const open = async () => {
            const datastore = await openPut(env);
            opened.push(datastore);
            return datastore;
          };
          await verify(fixture, run, open);
          await Promise.all(opened.map((datastore) => datastore.close()));
        });
      }
    });
  }
});

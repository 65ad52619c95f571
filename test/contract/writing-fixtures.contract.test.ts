import { expect } from 'chai';
import { openKubernetesDatastore } from '../../src/datastore/kubernetes/kubernetes-datastore.ts';
import { formatTime } from '../../src/support/time.ts';
import type { ApiServer } from '../support/api-server-process.ts';
import { readFixtures } from '../support/fixture.ts';
import { loadDump, readDump } from '../support/load-objects.ts';
import { requireApiServer } from '../support/shared-servers.ts';
import { runsOf, verify } from '../support/writing-fixtures.ts';

/**
 * Cases of files only: a server stamps creation times itself, so none can rest on the age of a row, and a server always
 * knows every kind.
 */
const FILES_ONLY = ['young-orphan-handle', 'dump-of-calico-kinds-only'];

/** Long enough after the rows were made that none of them is young. */
const LATER_MS = 600_000;

describe('release and repair on a real API server', () => {
  let server: ApiServer;

  before(async function () {
    server = await requireApiServer(this);
  });

  for (const fixture of readFixtures()) {
    if (fixture.input === undefined || FILES_ONLY.includes(fixture.name)) continue;
    for (const run of runsOf(fixture)) {
      it(`${fixture.name}: ${run.args.slice(1).join(' ')}`, async function () {
        this.timeout(60_000);
        const refused = await loadDump(server.admin, await readDump(fixture.input!));
        expect(refused).to.deep.equal([]);
        const datastore = await openKubernetesDatastore({
          kubeconfig: { value: server.kubeconfig(), origin: 'test' },
          env: {},
        });
        try {
          const clock = formatTime(Date.now() + LATER_MS);
          await verify(fixture, run, () => Promise.resolve(datastore), clock);
        } finally {
          await datastore.close();
        }
      });
    }
  }
});

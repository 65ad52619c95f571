import { expect } from 'chai';
import { join } from 'node:path';
import type { Datastore } from '../../src/datastore/datastore.ts';
import { openKubernetesDatastore } from '../../src/datastore/kubernetes/kubernetes-datastore.ts';
import { openSnapshot } from '../../src/datastore/snapshot/snapshot-datastore.ts';
import { runCheck } from '../../src/operations/run-check.ts';
import { showBorrowed } from '../../src/operations/show-borrowed.ts';
import { showConfiguration } from '../../src/operations/show-configuration.ts';
import { showUtilization } from '../../src/operations/show-utilization.ts';
import { stringifyJson } from '../../src/support/json.ts';
import type { ApiServer } from '../support/api-server-process.ts';
import { FIXTURES, inputOf } from '../support/fixture.ts';
import { type Dump, loadDump, readDump } from '../support/load-objects.ts';
import { type CalicoVersion, inGroup } from '../support/seed-cluster.ts';
import { contextOf } from '../support/scripted-datastore.ts';
import { requireApiServer } from '../support/shared-servers.ts';

/** One cluster per kind of trouble, none of which rests on the age of a row or on a row that a server refuses. */
const CLUSTERS = [
  'healthy-dual-stack',
  'several-faults-at-once',
  'block-size-changed-two-live-owners',
  'machines-stopped-migrating-and-gone',
  'load-balancer-pool-with-lost-and-live-addresses',
  'windows-node-beside-a-leak',
  'uses-that-the-pools-do-not-allow',
];

const GROUPS: readonly CalicoVersion[] = ['crd.projectcalico.org/v1', 'projectcalico.org/v3'];

/** A moment at which no row of either side is young. */
const LATER = Date.UTC(2100, 0, 1);

/** Documents of every reading operation, apart from where they come from and when a server says a row was made. */
async function documentsOf(datastore: Datastore): Promise<unknown> {
  const context = contextOf(datastore, {
    clock: { now: () => LATER, sleep: () => Promise.resolve() },
  });
  const check = await runCheck(context, {
    failOn: 'never',
    only: [],
    skip: [],
    minAgeMs: 0,
    allowPartial: true,
    showAllIps: true,
    report: false,
  });
  const documents = [
    check.document,
    (await showUtilization(context, { showBlocks: true, map: true })).document,
    (await showBorrowed(context)).document,
    (await showConfiguration(context)).document,
  ];
  const text = stringifyJson(documents.map((document) => ({ ...document, source: undefined })));
  return JSON.parse(text, (key, value: unknown) => (key === 'createdAt' ? undefined : value));
}

/** The dump in one of the groups; what it says nothing of is empty on a server. */
function dumpIn(dump: Dump, group: CalicoVersion): Dump {
  return { ...dump, objects: dump.objects.map((object) => inGroup(object, group)) };
}

describe('documents of a live cluster', () => {
  for (const group of GROUPS) {
    describe(`on a real API server, ${group}`, () => {
      let server: ApiServer;

      before(async function () {
        server = await requireApiServer(this);
      });

      for (const name of CLUSTERS) {
        it(`equal those of a snapshot: ${name}`, async function () {
          this.timeout(60_000);
          const path = inputOf(join(FIXTURES, name)) as string;
          const refused = await loadDump(server.admin, dumpIn(await readDump(path), group));
          expect(refused).to.deep.equal([]);
          const live = await openKubernetesDatastore({
            kubeconfig: { value: server.kubeconfig(), origin: 'test' },
            env: {},
          });
          const snapshot = await openSnapshot(path, { stdin: (async function* () {})() });
          try {
            expect(live.describe().apiGroup).to.equal(group);
            expect(await documentsOf(live)).to.deep.equal(await documentsOf(snapshot));
          } finally {
            await live.close();
          }
        });
      }
    });
  }
});

import { expect } from 'chai';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKubernetesDatastore } from '../../src/datastore/kubernetes/kubernetes-datastore.ts';
import type { WritableDatastore } from '../../src/datastore/datastore.ts';
import { keyText, type ResourceKey } from '../../src/ipam/model/resource.ts';
import { AccessDeniedError } from '../../src/errors/access-denied-error.ts';
import type { ApiServer } from '../support/api-server-process.ts';
import type { CrdGroup } from '../support/crds.ts';
import { type FakeApiServer, startFakeApiServer } from '../support/fake-api-server.ts';
import { failureOf, takeRows } from '../support/kubernetes-fake.ts';
import { type CalicoVersion, inGroup, seedCluster } from '../support/seed-cluster.ts';
import { requireApiServer } from '../support/shared-servers.ts';
import { wipe } from '../support/wipe.ts';
import { type ContractSeed, SMALL_SEED } from './contract-seed.ts';
import { describeDatastoreContract } from './datastore-contract.ts';
import { describeWritingContract } from './writing-contract.ts';

const VERSIONS: readonly CalicoVersion[] = ['crd.projectcalico.org/v1', 'projectcalico.org/v3'];

const openWith = (kubeconfig: string, pageSize?: number): Promise<WritableDatastore> =>
  openKubernetesDatastore({ kubeconfig: { value: kubeconfig, origin: 'test' }, env: {}, pageSize });

const groupOf = (version: CalicoVersion): CrdGroup => version.split('/')[0] as CrdGroup;

const ALIKE = { unseeded: 'not-installed', knowsEmptyKinds: false } as const;

/** What lists of revisions alone have to be. */
function describeRevisions(open: (seed: ContractSeed) => Promise<WritableDatastore>): void {
  it('lists the revisions of wanted rows as it lists the rows', async () => {
    const datastore = await open(SMALL_SEED);
    for (const kind of ['IPAMBlock', 'IPAMHandle', 'BlockAffinity', 'Pod', 'Node'] as const) {
      const { rows } = await takeRows(datastore, kind);
      const wanted = rows.slice(0, 1).map(({ key }) => keyText(key));
      for (const isWanted of [() => true, (key: ResourceKey) => wanted.includes(keyText(key))]) {
        const listed = (await datastore.revisions?.(kind, { isWanted })) ?? [];
        const expected = rows
          .filter(({ key }) => isWanted(key))
          .map(({ key, revision }) => `${keyText(key)} ${revision}`);
        expect([...listed].map((entry) => entry.join(' ')).sort()).to.deep.equal(expected.sort());
        expect(expected).not.to.be.empty;
      }
    }
    await datastore.close();
  });

  it('knows no revisions of a kind that is not there', async () => {
    const datastore = await open(SMALL_SEED);
    const listed = await datastore.revisions?.('VirtualMachine', { isWanted: () => true });
    expect([...(listed ?? [['?']])]).to.deep.equal([]);
    await datastore.close();
  });
}

for (const version of VERSIONS) {
  describe(`kubernetes on the in-process server, ${version}`, () => {
    let server: FakeApiServer;

    before(async () => {
      server = await startFakeApiServer({ groups: [groupOf(version)] });
    });

    after(async () => {
      await server.stop();
    });

    const open = (pageSize?: number) => async (seed: ContractSeed) => {
      server.store.clear();
      await seedCluster(
        server.client(),
        seed.objects.map((object) => inGroup(object, version)),
      );
      return openWith(
        server.writeKubeconfig(mkdtempSync(join(tmpdir(), 'ipamctl-fake-'))),
        pageSize,
      );
    };

    describeDatastoreContract('streamed', { ...ALIKE, open: open() });
    describeDatastoreContract('in pages', { ...ALIKE, open: open(500) });
    describeWritingContract('kubernetes', { open: open() });
    describeRevisions(open());
  });

  describe(`kubernetes on a real API server, ${version}`, () => {
    let server: ApiServer;

    before(async function () {
      server = await requireApiServer(this, [groupOf(version)]);
    });

    const open = (pageSize?: number) => async (seed: ContractSeed) => {
      await wipe(server.admin);
      await seedCluster(
        server.admin,
        seed.objects.map((object) => inGroup(object, version)),
      );
      return openWith(server.kubeconfig(), pageSize);
    };

    describeDatastoreContract('streamed', { ...ALIKE, open: open() });
    describeWritingContract('kubernetes', { open: open() });
    describeRevisions(open());
    // Seeding a real server takes long, and pages are read alike in both groups.
    if (version === 'crd.projectcalico.org/v1') {
      describeDatastoreContract('in pages', { ...ALIKE, open: open(500) });
    }

    it('names the right that a user lacks', async () => {
      const datastore = await openWith(server.kubeconfig('nobody'));
      const failure = await failureOf(takeRows(datastore, 'Pod'));
      expect(failure).to.be.instanceOf(AccessDeniedError);
      expect(failure)
        .to.have.nested.property('details.denied')
        .that.deep.equals([{ verb: 'list', resource: 'pods' }]);
      expect(failure.message).to.include('User "nobody" cannot list resource "pods"');
      await datastore.close();
    });

    it('finds its group by discovery', async () => {
      const datastore = await openWith(server.kubeconfig());
      expect(datastore.describe()).to.deep.equal({
        datastore: 'kubernetes',
        context: 'admin',
        server: server.server,
        apiGroup: version,
      });
      await datastore.close();
    });
  });
}

import { expect } from 'chai';
import type { WritableDatastore } from '../../src/datastore/datastore.ts';
import { readDefinitions } from '../../src/datastore/definitions.ts';
import { openKubernetesDatastore } from '../../src/datastore/kubernetes/kubernetes-datastore.ts';
import { OBJECT_KINDS } from '../../src/datastore/object-store.ts';
import { AccessDeniedError } from '../../src/errors/access-denied-error.ts';
import type { ApiServer } from '../support/api-server-process.ts';
import { allDefinitions, CRD_GROUPS, type CrdGroup, removeCrds } from '../support/crds.ts';
import { requireApiServer } from '../support/shared-servers.ts';
import { failureOf } from '../support/temp-folder.ts';

const VERSIONS: readonly (readonly [CrdGroup, string])[] = [
  ['crd.projectcalico.org', 'crd.projectcalico.org/v1'],
  ['projectcalico.org', 'projectcalico.org/v3'],
];

for (const [group, groupIfAbsent] of VERSIONS) {
  describe(`definitions on a real API server, ${groupIfAbsent}`, () => {
    let server: ApiServer;

    before(async function () {
      server = await requireApiServer(this, []);
    });

    after(async () => {
      await removeCrds(server.admin, CRD_GROUPS);
    });

    const open = (user: 'admin' | 'nobody' = 'admin'): Promise<WritableDatastore> =>
      openKubernetesDatastore({
        kubeconfig: { value: server.kubeconfig(user), origin: 'test' },
        env: {},
        groupIfAbsent,
      });

    const KINDS = [...OBJECT_KINDS, 'IPAMBlock', 'IPAMHandle', 'IPAMConfig'] as const;

    it('are not installed by whom the server does not let', async () => {
      const datastore = await open('nobody');
      const definitions = readDefinitions(allDefinitions(group));
      const failure = await failureOf(
        datastore.definitions?.install(definitions) ?? Promise.resolve(),
      );
      expect(failure).to.be.instanceOf(AccessDeniedError);
      await datastore.close();
    });

    it('are installed where there is no Calico, and serve objects and rows then', async function () {
      this.timeout(60_000);
      const datastore = await open();
      const { definitions, objects } = datastore;
      if (definitions === undefined || objects === undefined) throw new Error('no definitions');
      expect(await definitions.missing(KINDS)).to.have.members(
        KINDS.filter((kind) => kind !== 'Node'),
      );
      const all = readDefinitions(allDefinitions(group));
      const { installed } = await definitions.install(all);
      expect(installed).to.have.length(all.length);
      expect(await definitions.missing(KINDS)).to.deep.equal([]);
      await objects.create('NetworkSet', {
        metadata: { name: 'a', namespace: 'default' },
        spec: { nets: ['203.0.113.1/32'] },
      });
      expect((await datastore.list('IPAMBlock')).absent).to.equal(undefined);
      expect((await definitions.install(all)).installed).to.deep.equal([]);
      await datastore.close();
    });
  });
}

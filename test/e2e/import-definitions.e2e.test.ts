import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { stringify } from 'yaml';
import type { PlanItem } from '../../src/ipam/plan.ts';
import type { OutcomeDocument } from '../../src/operations/documents/outcome-document.ts';
import type { PlanDocument } from '../../src/operations/documents/plan-document.ts';
import { keyOf } from '../../src/operations/object-writer.ts';
import { parseJson } from '../../src/support/json.ts';
import { demand } from '../support/api-client.ts';
import type { ApiServer } from '../support/api-server-process.ts';
import { allDefinitions, CRD_GROUPS, type CrdGroup, removeCrds } from '../support/crds.ts';
import { aKubernetesNode } from '../support/import-world.ts';
import { fileText } from '../support/migration-text.ts';
import { type RunResult, runCli } from '../support/run-cli.ts';
import { seedCluster } from '../support/seed-cluster.ts';
import { requireApiServer } from '../support/shared-servers.ts';

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const GROUPS: readonly (readonly [CrdGroup, string])[] = [
  ['crd.projectcalico.org', 'crd.projectcalico.org/v1'],
  ['projectcalico.org', 'projectcalico.org/v3'],
];

for (const [group, version] of GROUPS) {
  describe(`e2e/import into a cluster without definitions of Calico, ${version}`, function () {
    this.timeout(180_000);

    let server: ApiServer;
    let folder: string;

    before(async function () {
      server = await requireApiServer(this, []);
      const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };
      const path = '/api/v1/namespaces';
      await demand(server.admin, { method: 'POST', path, body: namespace, tolerate: [409] });
      await seedCluster(server.admin, [aKubernetesNode('node-a'), aKubernetesNode('node-b')]);
      folder = mkdtempSync(join(tmpdir(), 'ipamctl-definitions-'));
      writeFileSync(join(folder, 'etcd.calico'), fileText());
      mkdirSync(join(folder, 'crds'));
      // Some in one file, some in another, as Calico's own manifests have them.
      const texts = allDefinitions(group).map((definition) => stringify(definition));
      writeFileSync(join(folder, 'crds', 'a.yaml'), texts.slice(0, 5).join('---\n'));
      writeFileSync(join(folder, 'crds', 'b.yaml'), texts.slice(5).join('---\n'));
    });
    after(async () => {
      await removeCrds(server.admin, CRD_GROUPS);
      rmSync(folder, { recursive: true, force: true });
    });

    function importInto(user: 'admin' | 'nobody', ...more: readonly string[]): Promise<RunResult> {
      const file = join(folder, 'etcd.calico');
      const args = ['import', '-f', file, '--kubeconfig', server.kubeconfig(user), ...more];
      const env = { HOME: folder, XDG_STATE_HOME: join(folder, 'state') };
      return runCli(['datastore', 'migrate', ...args], { env });
    }

    async function definitionsThere(): Promise<number> {
      const { body } = await demand(server.admin, { method: 'GET', path: CRDS });
      return (body as unknown as { readonly items: readonly unknown[] }).items.length;
    }

    it('is refused without --crds, and names the way out', async () => {
      const { status, stderr } = await importInto('admin');
      expect(status).to.equal(6);
      expect(stderr).to.include('--crds PATH').and.include('IPAMBlock');
      expect(await definitionsThere()).to.equal(0);
    });

    it('is denied, before anything is installed, to whom the server does not let', async () => {
      const { status } = await importInto('nobody', '--crds', join(folder, 'crds'));
      expect(status).to.equal(7);
      expect(await definitionsThere()).to.equal(0);
    });

    it('installs nothing in a dry run', async () => {
      const { status, stdout, stderr } = await importInto(
        'admin',
        ...['--crds', join(folder, 'crds'), '--dry-run', '--format', 'json'],
      );
      expect(status, stderr).to.equal(0);
      const { items } = parseJson(stdout) as unknown as PlanDocument;
      expect(definitionsIn(items)).to.have.members(allNames());
      expect(await definitionsThere()).to.equal(0);
    });

    it('installs the definitions, then imports, and finds both there the second time', async () => {
      const args = ['--crds', join(folder, 'crds'), '--format', 'json'];
      const { status, stdout, stderr } = await importInto('admin', ...args);
      expect(status, stderr).to.equal(0);
      const first = parseJson(stdout) as unknown as OutcomeDocument;
      expect(first.source.apiGroup).to.equal(version);
      expect(first.totals).to.include({ failed: 0, skipped: 0 });
      expect(definitionsIn(first.items)).to.have.members(allNames());
      expect(await definitionsThere()).to.equal(allDefinitions(group).length);
      const again = parseJson((await importInto('admin', ...args)).stdout);
      expect((again as unknown as OutcomeDocument).totals.applied).to.equal(0);
      expect((again as unknown as OutcomeDocument).notes).to.deep.equal(first.notes);
    });

    const definitionsIn = (items: readonly Pick<PlanItem, 'subject'>[]): readonly string[] =>
      items.flatMap(({ subject: { kind, name } }) =>
        kind === 'CustomResourceDefinition' ? name : [],
      );

    const allNames = (): readonly string[] =>
      allDefinitions(group).map((object) => keyOf(object).name);
  });
}

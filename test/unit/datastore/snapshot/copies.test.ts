import { expect } from 'chai';
import { failureOf, temporaryFolders } from '../../../support/temp-folder.ts';
import { namesOf, nodeYaml, open } from './snapshot-support.ts';

function pool(apiVersion: string, cidr: string, resourceVersion = '5'): string {
  return `apiVersion: ${apiVersion}\nkind: IPPool\nmetadata: {name: main, resourceVersion: "${resourceVersion}"}\nspec: {cidr: ${cidr}}\n`;
}

function information(guid: string, resourceVersion: string): string {
  return `apiVersion: crd.projectcalico.org/v1\nkind: ClusterInformation\nmetadata: {name: default, resourceVersion: "${resourceVersion}"}\nspec: {clusterGUID: ${guid}}\n`;
}

describe('datastore/snapshot: several copies of an object', () => {
  const write = temporaryFolders();

  async function cidrOf(files: Record<string, string>, warnings?: string[]): Promise<unknown> {
    const datastore = await open(await write(files), warnings);
    expect(await namesOf(datastore, 'IPPool')).to.deep.equal(['main']);
    const row = await datastore.get('IPPool', { name: 'main' });
    return (row?.object?.spec as Record<string, unknown> | undefined)?.cidr;
  }

  it('takes equal copies as one, whatever the order of their members and the shown bookkeeping', async () => {
    const warnings: string[] = [];
    const folder = await write({
      'a.yaml': nodeYaml('n'),
      'b.json':
        '{"metadata":{"name":"n","managedFields":[{"manager":"kubectl"}]},"kind":"Node","apiVersion":"v1"}',
    });
    expect(await namesOf(await open(folder, warnings), 'Node')).to.deep.equal(['n']);
    expect(warnings).to.deep.equal([]);
  });

  it('takes the copy with the higher resourceVersion and says so, in either order', async () => {
    const older = pool('crd.projectcalico.org/v1', '10.1.0.0/16', '9');
    const newer = pool('crd.projectcalico.org/v1', '10.2.0.0/16', '10');
    for (const files of [
      { 'a.yaml': older, 'b.yaml': newer },
      { 'a.yaml': newer, 'b.yaml': older },
    ]) {
      const warnings: string[] = [];
      expect(await cidrOf(files, warnings)).to.equal('10.2.0.0/16');
      expect(warnings).to.deep.equal([
        'the snapshot holds older copies of IPPool main; the newest resourceVersion counts',
      ]);
    }
  });

  it('takes the older Calico group, which an aggregated API server stores in', async () => {
    const files = {
      'a.yaml': pool('projectcalico.org/v3', '10.2.0.0/16', '10'),
      'b.yaml': pool('crd.projectcalico.org/v1', '10.1.0.0/16', '9'),
    };
    expect(await cidrOf(files)).to.equal('10.1.0.0/16');
  });

  it('takes the configuration of both groups, whose kinds differ, as one', async () => {
    const folder = await write({
      'a.yaml':
        'apiVersion: projectcalico.org/v3\nkind: IPAMConfiguration\nmetadata: {name: default}\nspec: {}\n',
      'b.yaml':
        'apiVersion: crd.projectcalico.org/v1\nkind: IPAMConfig\nmetadata: {name: default}\nspec: {strictAffinity: true}\n',
    });
    const datastore = await open(folder);
    expect(await namesOf(datastore, 'IPAMConfig')).to.deep.equal(['default']);
    expect(await datastore.get('IPAMConfig', { name: 'default' })).to.include({
      strictAffinity: true,
    });
  });

  it('takes served versions of one object as one', async () => {
    const machine = (version: string) =>
      `apiVersion: kubevirt.io/${version}\nkind: VirtualMachine\nmetadata: {name: m, namespace: d, uid: u, resourceVersion: "1"}\n`;
    const folder = await write({ 'a.yaml': `${machine('v1')}---\n${machine('v1alpha3')}` });
    expect(await namesOf(await open(folder), 'VirtualMachine')).to.deep.equal(['d/m']);
  });

  it('refuses copies of which neither is known to be newer, naming both places', async () => {
    const folder = await write({
      'a.yaml': nodeYaml('n'),
      'b.yaml': `---\n${nodeYaml('n')}  labels: {a: b}\n`,
    });
    const error = await failureOf(open(folder));
    expect(error).to.include({ code: 'DATA' });
    expect(error.message).to.equal(
      `Node n stands at ${folder}/a.yaml:1 and differently at ${folder}/b.yaml:2, and no resourceVersion tells which one is newer`,
    );
  });

  it('refuses two clusters in one folder', async () => {
    const folder = await write({
      'a.yaml': information('aaaa', '1'),
      'b.yaml': information('bbbb', '2'),
    });
    const { message } = await failureOf(open(folder));
    expect(message).to.equal(
      `${folder}/a.yaml:1 is of the cluster aaaa, and ${folder}/b.yaml:1 of the cluster bbbb`,
    );
  });

  it('keeps a Calico node beside the Kubernetes node of its name', async () => {
    const calico = 'apiVersion: projectcalico.org/v3\nkind: Node\nmetadata: {name: n}\nspec: {}\n';
    const datastore = await open(await write({ 'a.yaml': `${nodeYaml('n')}---\n${calico}` }));
    expect(await namesOf(datastore, 'Node')).to.deep.equal(['n', 'n']);
  });
});

const MIGRATION = `apiVersion: projectcalico.org/v3
items: []
kind: IPPoolList
---
===
{"kind":"ClusterInformation","apiVersion":"projectcalico.org/v3","metadata":{"name":"default"},"spec":{"clusterGUID":"aaaa"}}
===
{"handles":[{"Key":"/calico/ipam/v2/handle/Some.ID","Value":{"block":{"10.0.0.0/26":1},"deleted":false},"TTL":0}]}
`;

describe('datastore/snapshot: migration files', () => {
  const write = temporaryFolders();

  it('opens one as a cluster whose IPAM rows are all known', async () => {
    const datastore = await open(`${await write({ 'dump.calico': MIGRATION })}/dump.calico`);
    expect(await namesOf(datastore, 'IPAMHandle')).to.deep.equal(['Some.ID']);
    expect(await namesOf(datastore, 'IPAMBlock')).to.deep.equal([]);
    expect(await namesOf(datastore, 'BlockAffinity')).to.deep.equal([]);
    expect(await namesOf(datastore, 'IPPool')).to.deep.equal([]);
    expect(await namesOf(datastore, 'ClusterInformation')).to.deep.equal(['default']);
    expect(await namesOf(datastore, 'Pod')).to.equal(undefined);
    expect(await datastore.get('IPAMHandle', { name: 'Some.ID' })).to.include({ id: 'Some.ID' });
  });

  it('opens one beside a dump of pods', async () => {
    const datastore = await open(
      await write({ 'a.calico': MIGRATION, 'nodes.yaml': nodeYaml('n') }),
    );
    expect(await namesOf(datastore, 'Node')).to.deep.equal(['n']);
  });

  it('refuses one beside IPAM rows of a cluster, which would count twice', async () => {
    const handle =
      'apiVersion: crd.projectcalico.org/v1\nkind: IPAMHandle\nmetadata: {name: a}\nspec: {}\n';
    const folder = await write({ 'a.calico': MIGRATION, 'b.yaml': handle });
    const { message } = await failureOf(open(folder));
    expect(message).to.equal(
      `${folder}/a.calico is a migration file, and ${folder}/b.yaml:1 holds a IPAMHandle of a cluster`,
    );
  });
});

import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { symlink, writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { failureOf, temporaryFolders } from '../../../support/temp-folder.ts';
import { openSnapshot } from '../../../../src/datastore/snapshot/snapshot-datastore.ts';
import { input, namesOf, nodeYaml, open, podYaml } from './snapshot-support.ts';

describe('datastore/snapshot: folders', () => {
  const write = temporaryFolders();

  it('waits for a pipe with a name, and no longer than it is asked to', async () => {
    const folder = await write({});
    execFileSync('mkfifo', [`${folder}/pipe`]);
    const stop = AbortSignal.timeout(50);
    const stdin = input('');
    const failure = await failureOf(openSnapshot(`${folder}/pipe`, { stdin, signal: stop }));
    expect(failure).to.equal(stop.reason);
    const opened = open(`${folder}/pipe`);
    await writeFile(`${folder}/pipe`, nodeYaml('n'));
    expect(await namesOf(await opened, 'Node')).to.deep.equal(['n']);
  });

  it('opens the files of all folders below, compressed ones too', async () => {
    const folder = await write({
      'nodes.yaml': nodeYaml('n'),
      'ns/default/pods.json': '{"apiVersion":"v1","kind":"PodList","items":[]}',
      'ns/kube-system/pods.yaml.gz': gzipSync(podYaml('a')),
    });
    const datastore = await open(folder);
    expect(await namesOf(datastore, 'Node')).to.deep.equal(['n']);
    expect(await namesOf(datastore, 'Pod')).to.deep.equal(['default/a']);
    expect(datastore.describe()).to.deep.equal({ datastore: 'snapshot', file: folder });
  });

  it('passes over logs, pictures, hidden files and whatever else lies in a support bundle', async () => {
    const folder = await write({
      'nodes.yaml': nodeYaml('n'),
      'ns/pod/calico-node.log': '{"apiVersion": broken\n',
      'ns/pod/previous': 'panic: kind: of\n\tgoroutine\n',
      'routes.txt': 'default via 10.0.0.1\n',
      'README.md': '# kind: Bundle\n',
      'capture.pcap': Uint8Array.from([0xd4, 0xc3, 0xb2, 0xa1]),
      core: Uint8Array.from([0x7f, 0x45, 0x4c, 0x46, 0]),
      '.git/config.yaml': 'a: [\n',
      '._nodes.yaml': Uint8Array.from([0, 5, 22, 7]),
      'values.yaml': 'replicas: 3\n',
      'empty.yaml': '',
    });
    expect(await namesOf(await open(folder), 'Node')).to.deep.equal(['n']);
  });

  it('opens files without a telling name that begin as objects do', async () => {
    const folder = await write({
      nodes: `# from kubectl\n---\n${nodeYaml('n')}`,
      'pods.txt': '{\n "apiVersion": "v1", "kind": "PodList", "items": []}',
    });
    const datastore = await open(folder);
    expect(await namesOf(datastore, 'Node')).to.deep.equal(['n']);
    expect(await namesOf(datastore, 'Pod')).to.deep.equal([]);
  });

  it('refuses a YAML or JSON file that cannot be parsed, naming file and line', async () => {
    for (const [name, content] of [
      ['b.yaml', 'a: [\n'],
      ['b.json', '{\n"a": }\n'],
    ] as const) {
      const folder = await write({ 'a.yaml': nodeYaml('n'), [name]: content });
      expect((await failureOf(open(folder))).message).to.match(
        new RegExp(`^${folder}/${name}:2: `),
      );
    }
  });

  it('refuses a binary file that calls itself YAML', async () => {
    const folder = await write({ 'a.yaml': nodeYaml('n'), 'b.yml': Uint8Array.from([0xff, 0, 1]) });
    expect((await failureOf(open(folder))).message).to.equal(
      `${folder}/b.yml is neither text nor gzip`,
    );
  });

  it('refuses a folder without objects', async () => {
    const folder = await write({ 'x.log': 'nothing' });
    expect((await failureOf(open(folder))).message).to.equal(
      `${folder} holds no Kubernetes objects`,
    );
  });

  it('follows links once', async () => {
    const folder = await write({ 'dump/nodes.yaml': nodeYaml('n') });
    await symlink('.', `${folder}/dump/again`);
    await symlink('nodes.yaml', `${folder}/dump/same.yaml`);
    await symlink('nowhere', `${folder}/dump/gone`);
    expect(await namesOf(await open(folder), 'Node')).to.deep.equal(['n']);
  });
});

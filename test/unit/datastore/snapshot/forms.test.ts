import { expect } from 'chai';
import { gzipSync } from 'node:zlib';
import { openSnapshot } from '../../../../src/datastore/snapshot/snapshot-datastore.ts';
import { temporaryFolders } from '../../../support/temp-folder.ts';
import { input, namesOf, nodeYaml, open, podYaml } from './snapshot-support.ts';

const PODS_JSON = {
  apiVersion: 'v1',
  kind: 'List',
  items: ['a', 'b'].map((name) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default' },
  })),
};

const BOTH = ['default/a', 'default/b'];

describe('datastore/snapshot: forms of input', () => {
  const write = temporaryFolders();

  async function podsOf(content: string | Uint8Array): Promise<string[] | undefined> {
    const folder = await write({ dump: content });
    return namesOf(await open(`${folder}/dump`), 'Pod');
  }

  it('opens YAML documents', async () => {
    expect(await podsOf(`${podYaml('a')}---\n${podYaml('b')}`)).to.deep.equal(BOTH);
  });

  it('opens YAML with comments, empty documents, directives and document ends', async () => {
    const text = `# dump\n---\n---\n# nothing\n--- # first\n${podYaml('a')}...\n%YAML 1.2\n---\n${podYaml('b')}...\n`;
    expect(await podsOf(text)).to.deep.equal(BOTH);
  });

  it('opens a YAML list with and without indented items', async () => {
    for (const indent of ['', '  ']) {
      const items = ['a', 'b'].map((name) =>
        podYaml(name).trimEnd().replaceAll('\n', `\n${indent}  `),
      );
      const text = `apiVersion: v1\nitems:\n${items.map((item) => `${indent}- ${item}\n`).join('')}kind: List\n`;
      expect(await podsOf(text)).to.deep.equal(BOTH);
    }
  });

  it('opens lines that end as on Windows', async () => {
    expect(
      await podsOf(`${podYaml('a')}---\n${podYaml('b')}`.replaceAll('\n', '\r\n')),
    ).to.deep.equal(BOTH);
  });

  it('opens JSON: a list, an array, documents in a row, and one document per line', async () => {
    const { items } = PODS_JSON;
    const lines = items.map((item) => JSON.stringify(item));
    expect(await podsOf(JSON.stringify(PODS_JSON, undefined, 4))).to.deep.equal(BOTH);
    expect(await podsOf(JSON.stringify(items))).to.deep.equal(BOTH);
    expect(
      await podsOf(items.map((item) => JSON.stringify(item, undefined, 2)).join('\n')),
    ).to.deep.equal(BOTH);
    expect(await podsOf(`${lines.join('\n')}\n`)).to.deep.equal(BOTH);
    expect(await podsOf(JSON.stringify({ items }))).to.deep.equal(BOTH);
  });

  it('opens JSON and YAML documents in one file', async () => {
    expect(
      await podsOf(`---\n${JSON.stringify(PODS_JSON.items[0])}\n---\n${podYaml('b')}`),
    ).to.deep.equal(BOTH);
  });

  it('opens YAML in braces', async () => {
    const pod = (name: string) =>
      `{apiVersion: v1, kind: Pod, metadata: {name: ${name}, namespace: default}}\n`;
    expect(await podsOf(`${pod('a')}---\n${pod('b')}`)).to.deep.equal(BOTH);
  });

  it('takes the type of a list for items that do not say theirs', async () => {
    const items = PODS_JSON.items.map(({ metadata }) => ({ metadata }));
    const list = { kind: 'PodList', apiVersion: 'v1', metadata: {}, items };
    expect(await podsOf(JSON.stringify(list))).to.deep.equal(BOTH);
  });

  it('opens gzip by its content, of several members too', async () => {
    const members = [podYaml('a'), `---\n${podYaml('b')}`].map((text) => gzipSync(text));
    expect(await podsOf(Buffer.concat(members))).to.deep.equal(BOTH);
  });

  it('opens UTF-8 with a byte order mark, and UTF-16 as PowerShell writes it', async () => {
    const text = `${podYaml('a')}---\n${podYaml('b')}`;
    const little = Buffer.from(`\uFEFF${text}`, 'utf16le');
    expect(await podsOf(`\uFEFF${text}`)).to.deep.equal(BOTH);
    expect(await podsOf(little)).to.deep.equal(BOTH);
    expect(await podsOf(Buffer.from(little).swap16())).to.deep.equal(BOTH);
  });

  it('opens standard input, plain and compressed', async () => {
    for (const content of [nodeYaml('n'), gzipSync(nodeYaml('n'))]) {
      const datastore = await openSnapshot('-', { stdin: input(content) });
      expect(await namesOf(datastore, 'Node')).to.deep.equal(['n']);
      expect(datastore.describe()).to.deep.equal({ datastore: 'snapshot', file: '-' });
    }
  });

  it('opens a snapshot file of its own, with the kinds that were read and are empty', async () => {
    const snapshot = {
      kind: 'IPAMSnapshot',
      schemaVersion: 1,
      kinds: ['Pod', 'IPReservation'],
      items: PODS_JSON.items,
    };
    const folder = await write({ 'snapshot.json': JSON.stringify(snapshot) });
    const datastore = await open(`${folder}/snapshot.json`);
    expect(await namesOf(datastore, 'Pod')).to.deep.equal(BOTH);
    expect(await namesOf(datastore, 'IPReservation')).to.deep.equal([]);
    expect(await namesOf(datastore, 'Node')).to.equal(undefined);
  });

  it('keeps texts that look like times, booleans or numbers of old YAML as they are', async () => {
    const more = '  creationTimestamp: 2026-11-29T12:00:00Z\n  labels: {a: yes, b: 0o, c: 1:20}\n';
    const folder = await write({ dump: podYaml('a', more) });
    const row = await (
      await open(`${folder}/dump`)
    ).get('Pod', { namespace: 'default', name: 'a' });
    expect(row?.createdAt).to.equal(Date.UTC(2026, 10, 29, 12));
    expect(row?.object).to.have.deep.nested.property('metadata.labels', {
      a: 'yes',
      b: '0o',
      c: '1:20',
    });
  });
});

describe('datastore/snapshot: kinds', () => {
  const write = temporaryFolders();

  it('tells an empty typed list from a kind that is not there, and lists without type say nothing', async () => {
    const text = `${nodeYaml('n')}---\napiVersion: v1\nkind: PodList\nitems: []\n---\napiVersion: v1\nkind: List\nitems: []\n`;
    const datastore = await open(`${await write({ dump: text })}/dump`);
    expect(await namesOf(datastore, 'Pod')).to.deep.equal([]);
    expect(await namesOf(datastore, 'Service')).to.equal(undefined);
  });

  it('reads the null items of a typed list as none', async () => {
    const text = '{"kind":"IPPoolList","apiVersion":"projectcalico.org/v3","items":null}';
    const datastore = await open(`${await write({ dump: text })}/dump`);
    expect(await namesOf(datastore, 'IPPool')).to.deep.equal([]);
  });

  it('takes items that say what they are out of a list of any name', async () => {
    const list = `apiVersion: v1\nkind: VirtualMachineList\nitems:\n- apiVersion: kubevirt.io/v1\n  kind: VirtualMachine\n  metadata: {name: db, namespace: vms}\n- {metadata: {name: x}}\n`;
    const datastore = await open(`${await write({ dump: list })}/dump`);
    expect(await namesOf(datastore, 'VirtualMachine')).to.deep.equal(['vms/db']);
  });

  it('warns of YAML that does not end with a line break, since it may have been cut', async () => {
    const text = nodeYaml('n').trimEnd();
    const json = '{"apiVersion":"v1","kind":"Node","metadata":{"name":"m"}}';
    const folder = await write({ 'cut.yaml': text, 'whole.json': json, 'foreign.yaml': 'a: 1' });
    const warnings: string[] = [];
    await open(folder, warnings);
    expect(warnings).to.deep.equal([
      `${folder}/cut.yaml ends without a line break; if it was cut, what is missing counts as absent`,
    ]);
  });

  it('passes over foreign kinds, lists of them, and documents that are no objects', async () => {
    const foreign = [
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\n',
      'apiVersion: v1\nkind: SecretList\nitems: [{metadata: {name: x}}]\n',
      'just a sentence\n',
      '- a\n- b\n',
      'apiVersion: v2\nname: a-chart\n',
      'replicas: 3\n',
    ];
    const datastore = await open(
      `${await write({ dump: [nodeYaml('n'), ...foreign].join('---\n') })}/dump`,
    );
    expect(await namesOf(datastore, 'Node')).to.deep.equal(['n']);
  });

  it('keeps every object without a name, as damage to report', async () => {
    const nameless = 'apiVersion: v1\nkind: Node\nmetadata: {}\n';
    const datastore = await open(`${await write({ dump: `${nameless}---\n${nameless}` })}/dump`);
    expect(await namesOf(datastore, 'Node')).to.have.length(2);
  });
});

import { expect } from 'chai';
import { chmod } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { textOf } from '../../../../src/datastore/snapshot/read-text.ts';
import { failureOf, temporaryFolders } from '../../../support/temp-folder.ts';
import { nodeYaml, open, podYaml } from './snapshot-support.ts';

describe('datastore/snapshot: input that cannot be read', () => {
  const write = temporaryFolders();

  /** Message of the error for a file with this content, without the folder. */
  async function messageOf(content: string | Uint8Array): Promise<string> {
    const folder = await write({ dump: content });
    const error = await failureOf(open(`${folder}/dump`));
    expect(error).to.include({ code: 'DATA', status: 9 });
    return error.message.replaceAll(`${folder}/`, '');
  }

  const LIST = `apiVersion: v1\nitems:\n- ${podYaml('a').trimEnd().replaceAll('\n', '\n  ')}\n`;
  const JSON_TEXT = JSON.stringify(
    { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } },
    undefined,
    2,
  );

  const CASES: readonly (readonly [string, string | Uint8Array, string])[] = [
    ['an empty file', '', 'dump holds no Kubernetes objects'],
    ['text that is none of it', 'hello\nworld\n', 'dump holds no Kubernetes objects'],
    [
      'a list without items',
      'apiVersion: v1\nkind: List\nitems: []\n',
      'dump holds no Kubernetes objects',
    ],
    [
      'foreign objects',
      'apiVersion: v1\nkind: Secret\nmetadata: {name: x}\n---\napiVersion: apps/v1\nkind: DaemonSet\n',
      'dump holds no Kubernetes objects that have to do with addresses, only other kinds (DaemonSet, Secret)',
    ],
    ['bytes', Uint8Array.from([0x80, 0x81, 0xff, 0x00]), 'dump is neither text nor gzip'],
    ['NUL bytes behind text', `${nodeYaml('n')}\0\0`, 'dump is neither text nor gzip'],
    ['a zip archive', 'PK\x03\x04abc', 'dump is a zip archive'],
    ['a tar archive', `${'x'.repeat(257)}ustar\0`, 'dump is a tar archive'],
    ['a compressed tar archive', gzipSync(`${'x'.repeat(257)}ustar\0`), 'dump is a tar archive'],
    [
      'cut gzip',
      gzipSync(nodeYaml('n')).subarray(0, 30),
      'dump ends in the middle of its gzip data',
    ],
    ['damaged gzip', gzipSync(nodeYaml('n')).fill(0xff, 12, 20), 'dump is damaged gzip data'],
    [
      'a value that is larger than any object',
      `${nodeYaml('n')}---\nkind: ${'x'.repeat(9 * 1024 * 1024)}\n`,
      'dump holds a value of more than 4 MiB, which no Kubernetes object has',
    ],
    ['a YAML list that was cut', LIST, 'dump:1: the list that begins here has no kind'],
    [
      'JSON that was cut',
      JSON_TEXT.slice(0, -5),
      'dump:1: the JSON document that begins here is not complete',
    ],
    [
      'JSON lines that were cut',
      `${JSON.stringify(JSON.parse(JSON_TEXT))}\n{"apiVersion":"v`,
      'dump:2: the JSON document that begins here is not complete',
    ],
    [
      'JSON with an error',
      JSON_TEXT.replace('"Node",', '"Node"'),
      'dump:4: this is not valid JSON',
    ],
    ['JSON with something behind it', `${JSON_TEXT}\nend`, 'dump:8: this is not valid JSON'],
    ['a tab in YAML', `${nodeYaml('n')}---\na:\n\tb: c\n`, 'dump:7: this is not valid YAML'],
    [
      'a repeated key',
      `${nodeYaml('n')}kind: Pod\n`,
      'dump:5: this is not valid YAML (duplicated mapping key)',
    ],
    ['a quote that does not end', `${nodeYaml('n')}---\na: "b\n`, 'this is not valid YAML'],
    [
      'an object without apiVersion',
      'kind: IPAMBlock\nmetadata: {name: x}\n',
      'dump:1: this IPAMBlock has no apiVersion',
    ],
    [
      'an item that is none',
      'apiVersion: v1\nkind: List\nitems: [1]\n',
      'dump:1, item 1: this item is no Kubernetes object',
    ],
    [
      'items that are no list',
      'apiVersion: v1\nkind: PodList\nitems: 1\n',
      'dump:1: the items of this PodList are no list',
    ],
    [
      'a newer snapshot',
      '{"kind":"IPAMSnapshot","schemaVersion":2,"items":[]}',
      'dump:1: this snapshot has schemaVersion 2, and this ipamctl reads 1',
    ],
    [
      'a snapshot without items',
      '{"kind":"IPAMSnapshot","schemaVersion":1}',
      'dump:1: this snapshot has no items',
    ],
    ['a cut migration file', '{}\n===\n{}\n', 'dump: '],
  ];

  for (const [title, content, message] of CASES) {
    it(`refuses ${title}`, async () => {
      expect(await messageOf(content)).to.include(message);
    });
  }

  it('refuses a path that does not exist', async () => {
    const folder = await write({});
    expect((await failureOf(open(`${folder}/none`))).message).to.equal(
      `${folder}/none does not exist`,
    );
  });

  it('refuses a file that may not be read', async function () {
    if (process.getuid?.() === 0) return this.skip();
    const folder = await write({ 'a.yaml': nodeYaml('n') });
    await chmod(`${folder}/a.yaml`, 0);
    expect((await failureOf(open(folder))).message).to.equal(
      `${folder}/a.yaml cannot be read (permission denied)`,
    );
  });

  it('names the line of an item in a long list', async () => {
    const item = (name: string) => `- ${nodeYaml(name).trimEnd().replaceAll('\n', '\n  ')}\n`;
    const items = Array.from({ length: 2000 }, (_, index) => item(`n-${index}`)).join('');
    const list = `apiVersion: v1\nitems:\n${items}- kind: Pod\n  metadata: {name: x}\nkind: List\n`;
    expect(await messageOf(list)).to.equal('dump:8003: this Pod has no apiVersion');
    expect(await messageOf(list.replace('{name: x}', '{name: x'))).to.include(
      'dump:8005: this is not valid YAML',
    );
  });
});

describe('datastore/snapshot: input made to break it', () => {
  const write = temporaryFolders();

  async function messageOf(text: string): Promise<string> {
    const folder = await write({ dump: text });
    const error = await failureOf(open(`${folder}/dump`));
    expect(error).to.include({ code: 'DATA' });
    return error.message;
  }

  it('refuses aliases that multiply', async () => {
    const lines = Array.from(
      { length: 30 },
      (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}, *a${i}, *a${i}]\n`,
    );
    expect(await messageOf(`a0: &a0 [x]\n${lines.join('')}`)).to.include(
      ': aliases repeat more than 1000000 values',
    );
  });

  it('refuses an alias of what it is part of', async () => {
    expect(await messageOf('a: &a\n  b: [*a]\n')).to.include(
      ':2: an alias stands for the value it is part of',
    );
  });

  it('follows aliases and merge keys as people write them', async () => {
    const text = `${nodeYaml('n')}  labels: &labels {a: b}\n  annotations: {<<: *labels, c: d}\n`;
    const row = await (
      await open(`${await write({ dump: text })}/dump`)
    ).get('Node', { name: 'n' });
    expect(row?.object).to.have.deep.nested.property('metadata.annotations', { a: 'b', c: 'd' });
  });

  it('refuses deep nesting of YAML and JSON', async () => {
    const depth = 100_000;
    expect(await messageOf(`a: ${'['.repeat(depth)}${']'.repeat(depth)}\n`)).to.include(
      'nesting exceeded',
    );
    const list = '{"kind":"List","apiVersion":"v1","items":[';
    expect(await messageOf(`${list.repeat(depth)}${']}'.repeat(depth)}`)).to.include(
      'is nested too deeply',
    );
  });

  it('refuses more values than can be parsed', async () => {
    expect(await messageOf(`a: [${'1,'.repeat(10_000_001)}1]\n`)).to.include(
      ':1: this YAML holds more than 10000000 values',
    );
  });

  it('refuses a small file that inflates to more than a text may be', async () => {
    const megabyte = 1024 * 1024;
    const bomb = gzipSync(Buffer.alloc(3 * megabyte, 'a'));
    const error = await failureOf(textOf(bomb, 'dump', 2 * megabyte));
    expect(error).to.include({ code: 'DATA', message: 'dump holds more than 2 MiB of text' });
  });

  it('keeps names that mean something to JavaScript as they are', async () => {
    const text = `${nodeYaml('n')}  labels: {__proto__: polluted, constructor: x}\n`;
    await open(`${await write({ dump: text })}/dump`);
    expect(({} as Record<string, unknown>).polluted).to.equal(undefined);
  });
});

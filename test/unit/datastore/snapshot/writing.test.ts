import { expect } from 'chai';
import { chmod, readFile, stat, symlink, writeFile, readdir, lstat } from 'node:fs/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { WritableDatastore } from '../../../../src/datastore/datastore.ts';
import { openSnapshot } from '../../../../src/datastore/snapshot/snapshot-datastore.ts';
import { ConflictError } from '../../../../src/errors/conflict-error.ts';
import { UnsupportedError } from '../../../../src/errors/unsupported-error.ts';
import type { HandleRow } from '../../../../src/ipam/model/handle.ts';
import type { Revision } from '../../../../src/ipam/model/resource.ts';
import { failureOf, temporaryFolders } from '../../../support/temp-folder.ts';
import { handleOf, input, namesOf, nodeYaml, setCount } from './snapshot-support.ts';

/** YAML of a handle as kubectl prints it. */
const handleYaml = (name: string, count = 1): string => `apiVersion: crd.projectcalico.org/v1
kind: IPAMHandle
metadata:
  annotations:
    projectcalico.org/metadata: "{}"
  name: ${name}
spec:
  block:
    192.0.2.0/26: ${count}
  deleted: false
  handleID: ${name}
`;

const handleObject = (name: string) => ({
  apiVersion: 'crd.projectcalico.org/v1',
  kind: 'IPAMHandle',
  metadata: { annotations: { 'projectcalico.org/metadata': '{}' }, name },
  spec: { handleID: name, block: { '192.0.2.0/26': 1 }, deleted: false },
});

const open = (path: string): Promise<WritableDatastore> =>
  openSnapshot(path, { stdin: input(''), now: () => 0 });

async function remove(datastore: WritableDatastore, name: string): Promise<void> {
  const { kind, key, revision } = await handleOf(datastore, name);
  await datastore.remove({ kind, key, revision: revision as Revision });
}

function create(datastore: WritableDatastore, id: string): Promise<HandleRow> {
  const key = datastore.keys.handle(id);
  return datastore.create({ kind: 'IPAMHandle', key, id, counts: [], deleted: false });
}

describe('datastore/snapshot: writing', () => {
  const write = temporaryFolders();

  /** Opens a file with this text, writes, and gives the text that it has then. */
  async function rewritten(
    text: string | Uint8Array,
    change: (datastore: WritableDatastore) => Promise<unknown>,
  ): Promise<Buffer> {
    const file = `${await write({ dump: text })}/dump`;
    const datastore = await open(file);
    await change(datastore);
    await datastore.flush?.();
    return readFile(file);
  }

  const textOf = async (...args: Parameters<typeof rewritten>) =>
    (await rewritten(...args)).toString();

  describe('of YAML', () => {
    const header = '# a dump\n---\n';

    it('changes the object alone, and keeps comments, order and the rest', async () => {
      const others = `${nodeYaml('n')}# about h\n---\n`;
      const after = `---\n# the last\n${nodeYaml('m')}`;
      const text = await textOf(`${header}${others}${handleYaml('h')}${after}`, (datastore) =>
        setCount(datastore, 'h', 2),
      );
      expect(text).to.equal(`${header}${others}${handleYaml('h', 2)}${after}`);
    });

    it('takes a document away with its marker', async () => {
      const text = await textOf(`${header}${handleYaml('g')}---\n${handleYaml('h')}`, (datastore) =>
        remove(datastore, 'h'),
      );
      expect(text).to.equal(`${header}${handleYaml('g')}`);
    });

    it('adds a document at the end', async () => {
      const before = `${header}${handleYaml('g')}`;
      const text = await textOf(before, (datastore) => create(datastore, 'New.Handle'));
      expect(text.startsWith(`${before}---\napiVersion: crd.projectcalico.org/v1\n`)).to.equal(
        true,
      );
      expect(text).to.include('handleID: New.Handle\n');
    });

    it('changes, removes and adds items of a list', async () => {
      const item = (name: string, count?: number) =>
        `- ${handleYaml(name, count).trimEnd().replaceAll('\n', '\n  ')}\n`;
      const head = 'apiVersion: v1\nitems:\n';
      const tail = 'kind: List\nmetadata:\n  resourceVersion: ""\n';
      const items = [item('a'), '# about b\n', item('b'), item('c')].join('');
      const text = await textOf(head + items + tail, async (datastore) => {
        await remove(datastore, 'a');
        await setCount(datastore, 'c', 5);
        await create(datastore, 'd');
      });
      const [kept, added = ''] = text.split(
        /(?=- apiVersion: \S+\n {2}kind: \S+\n {2}metadata:\n {4}name: d\n)/,
      );
      expect(kept).to.equal(`${head}${item('b')}${item('c', 5)}`);
      expect(added.endsWith(tail)).to.equal(true);
    });

    it('keeps line ends of Windows', async () => {
      const text = await textOf(handleYaml('h').replaceAll('\n', '\r\n'), (datastore) =>
        setCount(datastore, 'h', 2),
      );
      expect(text).to.equal(handleYaml('h', 2).replaceAll('\n', '\r\n'));
    });

    it('changes lists in braces, and documents behind their marker', async () => {
      const flow = `{apiVersion: v1, kind: List, items: [${JSON.stringify(handleObject('h'))}]}\n`;
      for (const before of [flow, `--- ${flow}`, `%YAML 1.2\n---\n${handleYaml('h')}...\n`]) {
        const file = `${await write({ dump: before })}/dump`;
        const datastore = await open(file);
        await setCount(datastore, 'h', 3);
        await datastore.flush?.();
        expect((await handleOf(await open(file), 'h')).counts[0]?.count, before).to.equal(3);
      }
    });
  });

  describe('of JSON', () => {
    const list = (...names: string[]) => ({
      kind: 'List',
      apiVersion: 'v1',
      items: names.map(handleObject),
    });

    for (const indent of [undefined, 2, 4]) {
      it(`keeps the layout with ${indent ?? 'no'} blanks a level`, async () => {
        const text = await textOf(
          JSON.stringify(list('a', 'b', 'c'), undefined, indent),
          (datastore) => Promise.all([remove(datastore, 'b'), setCount(datastore, 'c', 1)]),
        );
        expect(text).to.equal(JSON.stringify(list('a', 'c'), undefined, indent));
      });

      it(`empties and fills a list with ${indent ?? 'no'} blanks a level`, async () => {
        const typed = {
          ...list('a'),
          kind: 'IPAMHandleList',
          apiVersion: 'crd.projectcalico.org/v1',
        };
        const file = `${await write({ dump: JSON.stringify(typed, undefined, indent) })}/dump`;
        const datastore = await open(file);
        await remove(datastore, 'a');
        await datastore.flush?.();
        const empty = (await readFile(file)).toString();
        expect(empty).to.equal(JSON.stringify({ ...typed, items: [] }, undefined, indent));
        await create(datastore, 'b');
        await datastore.flush?.();
        const filled = (await readFile(file)).toString();
        expect(filled).to.equal(JSON.stringify(JSON.parse(filled), undefined, indent));
        expect(await namesOf(await open(file), 'IPAMHandle')).to.deep.equal(['b']);
      });
    }

    it('changes one of several lines', async () => {
      const lines = ['a', 'b', 'c'].map((name) => `${JSON.stringify(handleObject(name))}\n`);
      const text = await textOf(lines.join(''), (datastore) => remove(datastore, 'b'));
      expect(text).to.equal(`${lines[0]}${lines[2]}`);
    });
  });

  it('leaves every byte as it is when nothing changed in the end', async () => {
    const text = `# odd   layout\n${handleYaml('h')}\n\n`;
    const bytes = await rewritten(text, async (datastore) => {
      await create(datastore, 'x');
      await remove(datastore, 'x');
      await setCount(datastore, 'h', 2);
      await setCount(datastore, 'h', 1);
    });
    expect(bytes.toString()).to.equal(text);
  });

  it('keeps a kind known as empty when its last row goes', async () => {
    const folder = await write({ dump: `${nodeYaml('n')}---\n${handleYaml('h')}` });
    const datastore = await open(`${folder}/dump`);
    await remove(datastore, 'h');
    await datastore.flush?.();
    const reopened = await open(`${folder}/dump`);
    expect(await namesOf(reopened, 'IPAMHandle')).to.deep.equal([]);
    await create(reopened, 'again');
    await reopened.flush?.();
    expect(await namesOf(await open(`${folder}/dump`), 'IPAMHandle')).to.deep.equal(['again']);
  });

  it('keeps compression and character encoding', async () => {
    const yaml = handleYaml('h');
    const change = (datastore: WritableDatastore) => setCount(datastore, 'h', 2);
    expect(gunzipSync(await rewritten(gzipSync(yaml), change)).toString()).to.equal(
      handleYaml('h', 2),
    );
    const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le');
    expect(await rewritten(utf16(yaml), change)).to.deep.equal(utf16(handleYaml('h', 2)));
    expect(await textOf(`\uFEFF${yaml}`, change)).to.equal(`\uFEFF${handleYaml('h', 2)}`);
  });

  it('rewrites of a folder only the files that change, and every copy of a row', async () => {
    const folder = await write({
      'a.yaml': handleYaml('h'),
      'b.yaml': handleYaml('h'),
      'nodes.yaml': nodeYaml('n'),
    });
    const { mtimeMs } = await stat(`${folder}/nodes.yaml`);
    const datastore = await open(folder);
    await setCount(datastore, 'h', 2);
    await datastore.flush?.();
    for (const name of ['a.yaml', 'b.yaml'])
      expect((await readFile(`${folder}/${name}`)).toString()).to.equal(handleYaml('h', 2));
    expect((await stat(`${folder}/nodes.yaml`)).mtimeMs).to.equal(mtimeMs);
  });

  it('puts the first rows of a kind into a new file of the folder', async () => {
    const folder = await write({ 'nodes.yaml': nodeYaml('n') });
    const datastore = await open(folder);
    await create(datastore, 'h');
    await datastore.flush?.();
    expect(await readdir(folder)).to.have.members(['nodes.yaml', 'ipamctl-ipamhandle.yaml']);
    expect(await namesOf(await open(folder), 'IPAMHandle')).to.deep.equal(['h']);
    await remove(datastore, 'h');
    await datastore.flush?.();
    expect(await namesOf(await open(folder), 'IPAMHandle')).to.deep.equal([]);
  });

  it('keeps the permissions of a file, and replaces what a link leads to', async () => {
    const folder = await write({ dump: handleYaml('h') });
    await chmod(`${folder}/dump`, 0o640);
    await symlink('dump', `${folder}/link`);
    const datastore = await open(`${folder}/link`);
    await setCount(datastore, 'h', 2);
    await datastore.flush?.();
    expect((await stat(`${folder}/dump`)).mode & 0o777).to.equal(0o640);
    expect((await lstat(`${folder}/link`)).isSymbolicLink()).to.equal(true);
    expect((await readFile(`${folder}/dump`)).toString()).to.equal(handleYaml('h', 2));
  });

  it('writes nothing when somebody else changed one of the files', async () => {
    const folder = await write({ 'a.yaml': handleYaml('a'), 'b.yaml': handleYaml('b') });
    const datastore = await open(folder);
    await setCount(datastore, 'a', 2);
    await setCount(datastore, 'b', 2);
    await writeFile(`${folder}/b.yaml`, handleYaml('b', 7));
    const error = await failureOf(datastore.flush?.() ?? Promise.resolve());
    expect(error)
      .to.be.instanceOf(ConflictError)
      .and.have.property('message')
      .that.includes('b.yaml');
    expect((await readFile(`${folder}/a.yaml`)).toString()).to.equal(handleYaml('a'));
    expect((await readFile(`${folder}/b.yaml`)).toString()).to.equal(handleYaml('b', 7));
  });

  it('does not write what was not flushed', async () => {
    const file = `${await write({ dump: handleYaml('h') })}/dump`;
    const datastore = await open(file);
    await remove(datastore, 'h');
    await datastore.close();
    expect((await readFile(file)).toString()).to.equal(handleYaml('h'));
  });

  it('refuses to change standard input', async () => {
    const datastore = await openSnapshot('-', { stdin: input(handleYaml('h')) });
    expect(datastore.capabilities.writable).to.equal(false);
    const error = await failureOf(remove(datastore, 'h'));
    expect(error)
      .to.be.instanceOf(UnsupportedError)
      .and.have.property('hint')
      .that.includes('--snapshot');
  });
});

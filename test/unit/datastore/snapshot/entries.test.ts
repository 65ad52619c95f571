import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WritableDatastore } from '../../../../src/datastore/datastore.ts';
import { openSnapshot } from '../../../../src/datastore/snapshot/snapshot-datastore.ts';
import type { HandleRow } from '../../../../src/ipam/model/handle.ts';
import type { PoolRow } from '../../../../src/ipam/model/pool.ts';
import { stringifyJson } from '../../../../src/support/json.ts';
import { failureOf, temporaryFolders } from '../../../support/temp-folder.ts';
import { input, namesOf } from './snapshot-support.ts';

const POOL = '/calico/resources/v3/projectcalico.org/ippools/main';
const POOL_VALUE = {
  apiVersion: 'projectcalico.org/v3',
  kind: 'IPPool',
  metadata: { name: 'main' },
  spec: { cidr: '198.18.0.0/24', blockSize: 28 },
};

const handle = (id: string): object => ({
  Key: `/calico/ipam/v2/handle/${id}`,
  Value: { block: { '198.18.0.0/28': 1 }, deleted: false },
});

const SNAPSHOT = {
  kind: 'IPAMSnapshot',
  schemaVersion: 1,
  kinds: ['IPPool', 'IPAMHandle', 'IPAMBlock', 'IPAMConfig', 'Node'],
  notInstalled: ['VirtualMachine', 'VirtualMachineInstance'],
  entries: [
    { Key: POOL, Value: POOL_VALUE },
    handle('a'),
    handle('b'),
    { Key: '/calico/ipam/v2/handle/c', Value: 'no JSON' },
  ],
  items: [{ apiVersion: 'v1', kind: 'Node', metadata: { name: 'alder' } }],
};

/** The layout of the command: one element a line. */
function textOf({ entries, items, ...head }: typeof SNAPSHOT): string {
  const lines = (list: readonly object[]): string =>
    list.map((one) => `\n${stringifyJson(one)}`).join(',');
  const start = stringifyJson(head).slice(0, -1);
  return `${start},\n"entries":[${lines(entries)}\n],\n"items":[${lines(items)}\n]}\n`;
}

describe('datastore/snapshot, keys of etcd', () => {
  const writeFolder = temporaryFolders();

  const open = (path: string): Promise<WritableDatastore> =>
    openSnapshot(path, { stdin: input('') });

  async function opened(): Promise<{ file: string; datastore: WritableDatastore }> {
    const file = join(await writeFolder({ 'dump.json': textOf(SNAPSHOT) }), 'dump.json');
    return { file, datastore: await open(file) };
  }

  it('opens keys beside objects, with the names that etcd gives them', async () => {
    const { datastore } = await opened();
    expect(datastore.keys.form).to.equal('entry');
    expect(await namesOf(datastore, 'IPAMHandle')).to.deep.equal(['a', 'b', 'c']);
    expect(await namesOf(datastore, 'Node')).to.deep.equal(['alder']);
    expect(await namesOf(datastore, 'IPPool')).to.deep.equal(['main']);
    const broken = await datastore.get('IPAMHandle', { name: 'c' });
    expect(broken).to.have.property('unreadable');
  });

  it('tells apart what was empty, what was not installed and what was not read', async () => {
    const { datastore } = await opened();
    expect((await datastore.list('IPAMBlock')).absent).to.equal(undefined);
    expect((await datastore.list('VirtualMachine')).absent).to.equal('not-installed');
    expect((await datastore.list('Pod')).absent).to.equal('not-loaded');
  });

  it('changes, removes and adds keys, and keeps the text of all others', async () => {
    const { file, datastore } = await opened();
    const before = (await readFile(file, 'utf8')).split('\n');
    const row = (await datastore.get('IPAMHandle', { name: 'a' })) as HandleRow;
    await datastore.update({ ...row, counts: row.counts.map((count) => ({ ...count, count: 7 })) });
    const gone = (await datastore.get('IPAMHandle', { name: 'b' })) as HandleRow;
    await datastore.remove({ kind: 'IPAMHandle', key: gone.key, revision: gone.revision! });
    const key = datastore.keys.handle('d');
    await datastore.create({ kind: 'IPAMHandle', key, id: 'd', counts: [], deleted: false });
    const pool = (await datastore.get('IPPool', { name: 'main' })) as PoolRow;
    await datastore.update({ ...pool, disabled: true });
    await datastore.flush?.();
    const again = await open(file);
    expect(await namesOf(again, 'IPAMHandle')).to.deep.equal(['a', 'c', 'd']);
    expect(await again.get('IPAMHandle', { name: 'a' })).to.have.nested.property(
      'counts[0].count',
      7,
    );
    expect(await again.get('IPPool', { name: 'main' })).to.include({ disabled: true });
    const after = (await readFile(file, 'utf8')).split('\n');
    const kept = before.filter((line) => /"c"|no JSON|"Node"/.test(line));
    for (const line of kept)
      expect(after.map((one) => one.replace(/,$/, ''))).to.include(line.replace(/,$/, ''));
  });

  it('takes the first key of a list that was empty', async () => {
    const text = textOf({ ...SNAPSHOT, entries: [] });
    const file = join(await writeFolder({ 'dump.json': text }), 'dump.json');
    const datastore = await open(file);
    const key = datastore.keys.handle('d');
    await datastore.create({ kind: 'IPAMHandle', key, id: 'd', counts: [], deleted: false });
    await datastore.flush?.();
    expect(await namesOf(await open(file), 'IPAMHandle')).to.deep.equal(['d']);
  });

  it('refuses rows of a second cluster beside the keys', async () => {
    const other =
      'apiVersion: crd.projectcalico.org/v1\nkind: IPAMHandle\nmetadata: {name: x}\nspec: {handleID: x}\n';
    const folder = await writeFolder({ 'a.json': textOf(SNAPSHOT), 'b.yaml': other });
    expect((await failureOf(open(folder))).message).to.match(
      /a\.json is a snapshot of an etcd cluster, and .*b\.yaml/,
    );
  });

  it('refuses two files that say different things of one key', async () => {
    const { entries, ...rest } = SNAPSHOT;
    const changed = [...entries.slice(0, 1), { ...handle('a'), Value: {} }];
    const folder = await writeFolder({
      'a.json': textOf(SNAPSHOT),
      'b.json': textOf({ ...rest, entries: changed }),
    });
    expect((await failureOf(open(folder))).message).to.match(/handle\/a stands in .*differently/);
  });

  for (const [what, entries] of Object.entries({
    'that are no list': { a: 1 },
    'without a key': [{ Value: {} }],
  })) {
    it(`refuses entries ${what}`, async () => {
      const text = stringifyJson({ ...SNAPSHOT, entries });
      const folder = await writeFolder({ 'dump.json': text });
      expect((await failureOf(open(join(folder, 'dump.json')))).message).to.match(/no list|no key/);
    });
  }
});

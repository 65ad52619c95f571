import { readdir, readFile, symlink } from 'node:fs/promises';
import { expect } from 'chai';
import type { WritableDatastore } from '../../../../src/datastore/datastore.ts';
import { openSnapshot } from '../../../../src/datastore/snapshot/snapshot-datastore.ts';
import { ConflictError } from '../../../../src/errors/conflict-error.ts';
import { temporaryFolders } from '../../../support/temp-folder.ts';
import { handleOf, setCount } from './snapshot-support.ts';

/** A handle that counts addresses of one block. */
const handleYaml = (name: string, count = 1): string => `apiVersion: crd.projectcalico.org/v1
kind: IPAMHandle
metadata:
  name: ${name}
spec:
  block:
    192.0.2.0/26: ${count}
  deleted: false
  handleID: ${name}
`;

const open = (path: string): Promise<WritableDatastore> => openSnapshot(path, { now: () => 0 });

describe('datastore/snapshot: several writers', () => {
  const write = temporaryFolders();

  it('loses nothing when two write at the same time', async () => {
    const folder = await write({ 'a.yaml': handleYaml('a'), 'b.yaml': handleYaml('b') });
    const opened = await Promise.all([open(folder), open(`${folder}/a.yaml`), open(folder)]);
    const ends = await Promise.allSettled(
      opened.map(async (datastore, i) => {
        await setCount(datastore, 'a', i + 2);
        await datastore.flush?.();
      }),
    );
    const count = (await handleOf(await open(folder), 'a')).counts[0]?.count ?? 0;
    const statuses = ends.map(({ status }) => status);
    expect(statuses.filter((status) => status === 'fulfilled')).to.have.length(1);
    expect(statuses[count - 2]).to.equal('fulfilled');
    for (const end of ends)
      if (end.status === 'rejected') expect(end.reason).to.be.instanceOf(ConflictError);
    expect(await readdir(folder)).to.have.members(['a.yaml', 'b.yaml']);
  });

  it('locks a file once, however many names it has', async () => {
    const folder = await write({ 'a.yaml': handleYaml('a') });
    await symlink('a.yaml', `${folder}/b.yaml`);
    const datastore = await open(folder);
    await setCount(datastore, 'a', 2);
    await datastore.flush?.();
    expect((await readFile(`${folder}/a.yaml`)).toString()).to.include('192.0.2.0/26: 2');
  });
});

import { expect } from 'chai';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ObjectKind } from '../../../../src/datastore/object-store.ts';
import { openSnapshot } from '../../../../src/datastore/snapshot/snapshot-datastore.ts';
import type { SnapshotDatastore } from '../../../../src/datastore/snapshot/writable-snapshot.ts';
import { ConflictError } from '../../../../src/errors/conflict-error.ts';
import { DataError } from '../../../../src/errors/data-error.ts';
import { UnsupportedError } from '../../../../src/errors/unsupported-error.ts';
import type { JsonObject } from '../../../../src/ipam/model/resource.ts';
import { failureOf, temporaryFolders } from '../../../support/temp-folder.ts';
import { input } from './snapshot-support.ts';

const POOL = `apiVersion: crd.projectcalico.org/v1
kind: IPPool
metadata:
  name: main
spec:
  cidr: 198.18.0.0/24
`;

const peer = (name: string, asNumber: number, revision?: number): string =>
  `apiVersion: crd.projectcalico.org/v1
kind: BGPPeer
metadata:
  name: ${name}
${revision === undefined ? '' : `  resourceVersion: "${revision}"\n`}spec:
  asNumber: ${asNumber} # of the rack
`;

const aPeer = (name: string): JsonObject => ({
  apiVersion: 'projectcalico.org/v3',
  kind: 'BGPPeer',
  metadata: { name },
  spec: { asNumber: 1 },
});

describe('datastore/snapshot: whole objects', () => {
  const write = temporaryFolders();

  const open = (path: string, warnings: string[] = []): Promise<SnapshotDatastore> =>
    openSnapshot(path, { stdin: input(''), now: () => 0, warn: (text) => warnings.push(text) });

  const openText = async (text: string) => {
    const file = `${await write({ dump: text })}/dump`;
    return { file, datastore: await open(file) };
  };

  const namesOf = async ({ objects }: SnapshotDatastore, kind: ObjectKind): Promise<string[]> => {
    const names: string[] = [];
    for await (const batch of (await objects.list(kind)).objects)
      names.push(...batch.map(({ metadata }) => (metadata as { name: string }).name));
    return names;
  };

  const demand = async ({ objects }: SnapshotDatastore, name: string): Promise<JsonObject> => {
    const found = await objects.get('BGPPeer', { name });
    if (found === undefined) throw new Error(`no peer ${name}`);
    return found;
  };

  it('tell a kind that the files do not know from one that they list as empty', async () => {
    const tiers = 'apiVersion: projectcalico.org/v3\nkind: TierList\nitems: []\n';
    const { datastore } = await openText(`${POOL}---\n${tiers}`);
    expect((await datastore.objects.list('Tier')).absent).to.equal(undefined);
    expect((await datastore.objects.list('BGPPeer')).absent).to.equal('not-loaded');
  });

  it('alone are no dump that has to do with addresses', async () => {
    const file = `${await write({ dump: peer('a', 1) })}/dump`;
    const failure = await failureOf(open(file));
    expect(failure).to.be.instanceOf(DataError);
    expect(failure.message).to.include('only other kinds (BGPPeer)');
  });

  it('that contradict each other are an error for those who look at them only', async () => {
    const { datastore } = await openText(`${POOL}---\n${peer('a', 1)}---\n${peer('a', 2)}`);
    expect(await datastore.get('IPPool', { name: 'main' })).not.to.equal(undefined);
    for (const promise of [
      datastore.objects.list('BGPPeer'),
      datastore.objects.get('BGPPeer', { name: 'a' }),
      datastore.objects.create('BGPPeer', aPeer('b')),
    ]) {
      const failure = await failureOf(promise);
      expect(failure).to.be.instanceOf(DataError);
      expect(failure.message).to.include('BGPPeer a stands at');
    }
    expect(await namesOf(datastore, 'IPPool')).to.deep.equal(['main']);
  });

  it('of which the files hold two copies count in the newer one, and both are changed', async () => {
    const folder = await write({
      'a.yaml': `${POOL}---\n${peer('a', 1, 7)}`,
      'b.yaml': peer('a', 2, 8),
    });
    const datastore = await open(folder);
    const before = await demand(datastore, 'a');
    expect(before).to.have.nested.property('spec.asNumber', 2);
    await datastore.objects.update('BGPPeer', { ...before, spec: { asNumber: 3 } });
    await datastore.flush();
    for (const name of ['a.yaml', 'b.yaml'])
      expect(await readFile(join(folder, name), 'utf8'), name).to.include('asNumber: 3');
  });

  it('are written into their file, which keeps everything else', async () => {
    const { file, datastore } = await openText(`${POOL}---\n${peer('a', 1)}---\n${peer('b', 2)}`);
    await datastore.objects.create('BGPPeer', aPeer('c'));
    await datastore.objects.remove('BGPPeer', await demand(datastore, 'a'));
    await datastore.flush();
    const text = await readFile(file, 'utf8');
    expect(text).to.include(POOL).and.include(peer('b', 2)).and.not.include('name: a');
    const { objects } = await open(file);
    expect(await objects.get('BGPPeer', { name: 'c' })).to.deep.include({
      spec: { asNumber: 1 },
    });
    expect(text).to.include('projectcalico.org/metadata');
  });

  it('leave a kind known as empty when the last one goes', async () => {
    const { file, datastore } = await openText(`${POOL}---\n${peer('a', 1)}`);
    await datastore.objects.remove('BGPPeer', await demand(datastore, 'a'));
    await datastore.flush();
    const again = await open(file);
    expect((await again.objects.list('BGPPeer')).absent).to.equal(undefined);
    expect(await namesOf(again, 'BGPPeer')).to.deep.equal([]);
  });

  it('of a kind that no file of a folder has get a file of their own', async () => {
    const folder = await write({ 'a.yaml': POOL });
    const datastore = await open(folder);
    await datastore.objects.create('BGPPeer', aPeer('a'));
    await datastore.flush();
    expect(await namesOf(await open(folder), 'BGPPeer')).to.deep.equal(['a']);
    expect(await readFile(join(folder, 'a.yaml'), 'utf8')).to.equal(POOL);
  });

  it('are not written over a change of the file by somebody else', async () => {
    const { file, datastore } = await openText(`${POOL}---\n${peer('a', 1)}`);
    await datastore.objects.create('BGPPeer', aPeer('b'));
    await writeFile(file, `${POOL}---\n${peer('a', 9)}`);
    expect(await failureOf(datastore.flush())).to.be.instanceOf(ConflictError);
    expect(await readFile(file, 'utf8')).to.equal(`${POOL}---\n${peer('a', 9)}`);
  });

  it('of standard input cannot be changed', async () => {
    const datastore = await openSnapshot('-', { stdin: input(`${POOL}---\n${peer('a', 1)}`) });
    const failure = await failureOf(datastore.objects.create('BGPPeer', aPeer('b')));
    expect(failure).to.be.instanceOf(UnsupportedError);
  });

  it('of a type that a migration file has no list of get one', async () => {
    const pools = 'apiVersion: projectcalico.org/v3\nkind: IPPoolList\nitems: []\n';
    const information = '{"kind":"ClusterInformation","apiVersion":"projectcalico.org/v3"}\n';
    const part = '{"block_affinities":[],"blocks":[],"handles":[],"config":null}\n';
    const { file, datastore } = await openText([pools, information, part].join('===\n'));
    await datastore.objects.create('BGPPeer', aPeer('a'));
    await datastore.objects.create('BGPPeer', aPeer('b'));
    await datastore.flush();
    const again = await open(file);
    expect(await namesOf(again, 'BGPPeer')).to.deep.equal(['a', 'b']);
    await again.objects.create('BGPPeer', aPeer('c'));
    await again.flush();
    const text = await readFile(file, 'utf8');
    expect(text.match(/BGPPeerList/g)).to.have.length(1);
    expect(text.endsWith(`===\n${information}===\n${part}`)).to.equal(true);
    expect(await namesOf(await open(file), 'BGPPeer')).to.deep.equal(['a', 'b', 'c']);
  });
});

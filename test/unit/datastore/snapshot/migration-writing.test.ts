import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import type { WritableDatastore } from '../../../../src/datastore/datastore.ts';
import { openSnapshot } from '../../../../src/datastore/snapshot/snapshot-datastore.ts';
import type { HandleRow } from '../../../../src/ipam/model/handle.ts';
import type { Revision } from '../../../../src/ipam/model/resource.ts';
import { temporaryFolders } from '../../../support/temp-folder.ts';
import { input } from './snapshot-support.ts';

const RESOURCES = `apiVersion: projectcalico.org/v3
items:
- apiVersion: projectcalico.org/v3
  kind: IPPool
  metadata:
    name: main
  spec:
    blockSize: 28
    cidr: 198.18.0.0/24
kind: IPPoolList
metadata:
  resourceVersion: "84"
---
apiVersion: projectcalico.org/v3
items: []
kind: NodeList
metadata:
  resourceVersion: "84"
`;

const INFORMATION = `{
  "kind": "ClusterInformation",
  "apiVersion": "projectcalico.org/v3",
  "metadata": {
    "name": "default"
  },
  "spec": {
    "datastoreReady": true
  }
}`;

const entry = (id: string, count: number): string => `    {
      "Key": "/calico/ipam/v2/handle/${id}",
      "Value": {
        "block": {
          "198.18.0.0/28": ${count}
        },
        "deleted": false
      },
      "TTL": 0
    }`;

const ipam = (handles: readonly string[], config = 'null'): string =>
  `{
  "block_affinities": [],
  "blocks": null,
  "handles": [
${handles.join(',\n')}
  ],
  "config": ${config}
}
`;

const aFile = (resources: string, information: string, part: string): string =>
  `${resources}===\n${information}\n===\n${part}`;

async function handleOf(datastore: WritableDatastore, name: string): Promise<HandleRow> {
  const row = await datastore.get('IPAMHandle', { name });
  if (row?.kind !== 'IPAMHandle' || 'unreadable' in row) throw new Error(`no handle ${name}`);
  return row;
}

describe('datastore/snapshot: writing a migration file', () => {
  const write = temporaryFolders();

  async function rewritten(
    text: string,
    change: (datastore: WritableDatastore) => Promise<unknown>,
  ): Promise<string> {
    const file = `${await write({ dump: text })}/dump`;
    const datastore = await openSnapshot(file, { stdin: input(''), now: () => 0 });
    await change(datastore);
    await datastore.flush();
    return (await readFile(file)).toString();
  }

  it('changes, removes and adds entries, and keeps the rest to the byte', async () => {
    const before = aFile(
      RESOURCES,
      INFORMATION,
      ipam([entry('A', 1), entry('B', 1), entry('C', 1)]),
    );
    const text = await rewritten(before, async (datastore) => {
      const a = await handleOf(datastore, 'A');
      await datastore.update({ ...a, counts: a.counts.map((one) => ({ ...one, count: 2 })) });
      const { kind, key, revision } = await handleOf(datastore, 'B');
      await datastore.remove({ kind, key, revision: revision as Revision });
      await datastore.create({ ...a, key: datastore.keys.handle('D'), id: 'D', object: undefined });
    });
    expect(text).to.equal(
      aFile(RESOURCES, INFORMATION, ipam([entry('A', 2), entry('C', 1), entry('D', 1)])),
    );
  });

  it('changes resources of the first part and the cluster information', async () => {
    const before = aFile(RESOURCES, INFORMATION, ipam([entry('A', 1)]));
    const text = await rewritten(before, async (datastore) => {
      const pool = await datastore.get('IPPool', { name: 'main' });
      if (pool?.kind !== 'IPPool' || 'unreadable' in pool) throw new Error('no pool');
      await datastore.update({ ...pool, disabled: true });
      const information = await datastore.get('ClusterInformation', { name: 'default' });
      if (information?.kind !== 'ClusterInformation' || 'unreadable' in information)
        throw new Error('no cluster information');
      await datastore.update({ ...information, datastoreReady: false });
    });
    expect(text).to.equal(
      aFile(
        RESOURCES.replace('cidr: 198.18.0.0/24\n', 'cidr: 198.18.0.0/24\n    disabled: true\n'),
        INFORMATION.replace('true', 'false'),
        ipam([entry('A', 1)]),
      ),
    );
  });

  it('fills lists that are null, and the configuration', async () => {
    const text = await rewritten(aFile(RESOURCES, INFORMATION, ipam([])), async (datastore) => {
      await datastore.create({
        kind: 'IPAMConfig',
        key: { name: 'default' },
        strictAffinity: true,
        autoAllocateBlocks: true,
        maxBlocksPerHost: 0,
        kubeVirtVMAddressPersistence: 'Enabled',
        persistenceUnset: true,
        ipCooldownSeconds: 0,
      });
      await datastore.create({
        kind: 'IPAMHandle',
        key: datastore.keys.handle('Z'),
        id: 'Z',
        counts: [],
        deleted: false,
      });
    });
    expect(text)
      .to.include('"Key": "/calico/ipam/v2/config"')
      .and.include('"strict_affinity": true');
    expect(text).to.include('"Key": "/calico/ipam/v2/handle/Z"');
  });
});

import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { WritableDatastore } from '../../../src/datastore/datastore.ts';
import { openDatastore } from '../../../src/datastore/open-datastore.ts';
import { parseCidr } from '../../../src/net/cidr.ts';
import { temporaryFolders } from '../../support/temp-folder.ts';

const NOW = '2020-02-29T12:00:00Z';

const pool = (apiVersion: string, name: string): string => `apiVersion: ${apiVersion}
kind: IPPool
metadata:
  name: ${name}
spec:
  cidr: 198.18.0.0/24
  blockSize: 28
`;

const MIGRATION = `apiVersion: projectcalico.org/v3
items: []
kind: IPPoolList
metadata:
  resourceVersion: "84"
===
{
  "kind": "ClusterInformation",
  "apiVersion": "projectcalico.org/v3",
  "metadata": {
    "name": "default"
  },
  "spec": {
    "datastoreReady": true
  }
}
===
{
  "block_affinities": [],
  "blocks": null,
  "handles": [],
  "config": null
}
`;

/** Files of every form that can be written, and how a new object in it is made. */
const FORMS = [
  {
    form: 'objects of the older group',
    dump: pool('crd.projectcalico.org/v1', 'main'),
    isMigration: false,
  },
  {
    form: 'objects of the newer group',
    dump: pool('projectcalico.org/v3', 'main'),
    isMigration: false,
  },
  { form: 'a migration file', dump: MIGRATION, isMigration: true },
] as const;

async function createPool(datastore: WritableDatastore): Promise<void> {
  await datastore.objects?.create('IPPool', {
    apiVersion: 'projectcalico.org/v3',
    kind: 'IPPool',
    metadata: { name: 'new' },
    spec: { cidr: '203.0.113.0/24', blockSize: 28 },
  });
}

async function createAffinity(datastore: WritableDatastore): Promise<void> {
  const cidr = parseCidr('198.18.0.0/28') ?? expect.fail();
  await datastore.create({
    kind: 'BlockAffinity',
    key: datastore.keys.affinity({ type: 'host', host: 'worker' }, cidr),
    type: 'host',
    host: 'worker',
    cidr,
    state: 'confirmed',
    deleted: false,
  });
}

describe('datastore: creation times in files', () => {
  const write = temporaryFolders();

  for (const { form, dump, isMigration } of FORMS) {
    it(`are those of the clock that opens ${form}`, async () => {
      const snapshot = `${await write({ dump })}/dump`;
      const options = { snapshot, env: {}, now: () => Date.parse(NOW) + 999 };
      const datastore = await openDatastore(options);
      await createPool(datastore);
      if (!isMigration) await createAffinity(datastore);
      await datastore.flush?.();
      const text = await readFile(snapshot, 'utf8');
      const times = [...text.matchAll(/creationTimestamp"?: "?([^",\n]*)/g)].map(
        ([, time]) => time,
      );
      // Rows of a migration file have no creation time.
      expect(times).to.deep.equal(isMigration ? [NOW] : [NOW, NOW]);
    });
  }
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { stringify } from 'yaml';
import type { WritableDatastore } from '../../src/datastore/datastore.ts';
import { openDatastore } from '../../src/datastore/open-datastore.ts';
import type { JsonObject } from '../../src/ipam/model/resource.ts';
import { stringifyJson } from '../../src/support/json.ts';
import type { ContractSeed } from './contract-seed.ts';
import { describeDatastoreContract } from './datastore-contract.ts';
import { describeWritingContract } from './writing-contract.ts';

/** Documents that say the same as a seed: its objects, and an empty typed list for each kind that has none. */
function documentsOf({ objects, emptyKinds }: ContractSeed): JsonObject[] {
  const empty = emptyKinds.map((kind) => ({
    apiVersion: 'kubevirt.io/v1',
    kind: `${kind}List`,
    items: [],
  }));
  return [...objects, ...empty];
}

const FORMS: Readonly<Record<string, (seed: ContractSeed) => string | Buffer>> = {
  'YAML documents': (seed) =>
    documentsOf(seed)
      .map((document) => stringify(document, { version: '1.1' }))
      .join('---\n'),
  'one JSON list': (seed) =>
    stringifyJson({ apiVersion: 'v1', kind: 'List', items: documentsOf(seed) }, 4),
  'compressed JSON lines': (seed) =>
    gzipSync(
      documentsOf(seed)
        .map((document) => stringifyJson(document))
        .join('\n'),
    ),
};

/** The same datastore, but each write is flushed, and the rows are those of the files opened again. */
function reopening(datastore: WritableDatastore): WritableDatastore {
  const { file = '' } = datastore.describe();
  const flushed = async <T>(write: Promise<T>): Promise<T> => {
    const result = await write;
    await datastore.flush?.();
    return result;
  };
  return Object.assign(Object.create(datastore) as WritableDatastore, {
    keys: datastore.keys,
    create: (...args: Parameters<WritableDatastore['create']>) =>
      flushed(datastore.create(...args)),
    update: (...args: Parameters<WritableDatastore['update']>) =>
      flushed(datastore.update(...args)),
    remove: (...args: Parameters<WritableDatastore['remove']>) =>
      flushed(datastore.remove(...args)),
    get: async (...args: Parameters<WritableDatastore['get']>) =>
      (await openDatastore({ snapshot: file, env: {} })).get(...args),
    close: () => datastore.close(),
  });
}

for (const [form, print] of Object.entries(FORMS)) {
  const folders: string[] = [];

  const open = async (seed: ContractSeed): Promise<WritableDatastore> => {
    const folder = await mkdtemp(join(tmpdir(), 'ipamctl-contract-'));
    folders.push(folder);
    const file = join(folder, 'dump');
    await writeFile(file, print(seed));
    return openDatastore({ snapshot: file, env: {} });
  };

  describeDatastoreContract(`snapshot of ${form}`, {
    unseeded: 'not-loaded',
    knowsEmptyKinds: true,
    open,
  });
  describeWritingContract(`snapshot of ${form}`, {
    open: async (seed) => reopening(await open(seed)),
  });

  after(async () => {
    for (const folder of folders) await rm(folder, { recursive: true });
  });
}

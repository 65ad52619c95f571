import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { stringify } from 'yaml';
import { entryText } from '../../src/datastore/codec/entry-text.ts';
import type { MigrationFile } from '../../src/datastore/migration-file.ts';
import type { JsonObject, JsonValue } from '../../src/ipam/model/resource.ts';
import { readMigration } from '../support/export-world.ts';
import { MigrationBench } from '../support/round-trip/bench.ts';

const RESOURCES = '/calico/resources/v3/projectcalico.org/';

describe('e2e/rename-node before an export', function () {
  this.timeout(300_000);

  let bench: MigrationBench;

  before(async function () {
    // What old releases wrote is healed by an export alone, wherever a rename writes it anew.
    const size = { nodes: 40, podsPerNode: 4, hasOldForms: false };
    bench = await MigrationBench.open(this, {
      group: 'crd.projectcalico.org',
      size,
      patienceMs: 300_000,
    });
  });
  after(() => bench.close());

  it('gives the file that mapping the names in the export gives', async () => {
    await bench.exportLocked();
    const mapped = readMigration(readFileSync(bench.file, 'utf8'));
    const map = join(bench.folder, 'names.yaml');
    writeFileSync(map, stringify(Object.fromEntries(renamed())));
    const rename = ['rename-node', '--map', map, '--yes'];
    const { status, stderr } = await bench.migrate(bench.etcd, ...rename);
    expect(status, stderr).to.equal(0);
    await renameObjects();
    await bench.exportLocked();
    const before = readMigration(readFileSync(bench.file, 'utf8'));
    expect(rowsOf(before)).to.deep.equal(rowsOf(mapped));
    expect(objectsOf(before)).to.deep.equal(objectsOf(mapped));
  });

  /** Nodes that have another name in Kubernetes. */
  function renamed(): ReadonlyMap<string, string> {
    return new Map([...bench.cluster.names].filter(([from, to]) => from !== to));
  }

  /** What an administrator does about objects that are not IPAM's: each is made anew with the new name. */
  async function renameObjects(): Promise<void> {
    const entries = await bench.store.entries(RESOURCES);
    const changed = new Map<string, string>();
    const gone: string[] = [];
    for (const [key, text] of entries) {
      const value = JSON.parse(text) as JsonObject;
      const { name, ...metadata } = value['metadata'] as JsonObject;
      const { node, ...spec } = value['spec'] as JsonObject;
      const named = nameOf(name as string);
      const next = {
        ...value,
        metadata: { ...metadata, name: named },
        spec: { ...spec, ...(typeof node === 'string' ? { node: nameOf(node) } : {}) },
      };
      if (named !== name) gone.push(key);
      changed.set(key.slice(0, -(name as string).length) + named, entryText(next));
    }
    for (const key of gone) await bench.store.remove(key);
    await bench.store.put(changed);
  }

  function nameOf(name: string): string {
    const [, prefix = '', node = ''] = /^(node\.)?(.*)$/.exec(name) ?? [];
    return prefix + (bench.cluster.names.get(node) ?? node);
  }
});

/** Rows of IPAM by key; each rename of a block is one more write of it. */
function rowsOf({ entries }: MigrationFile): Record<string, JsonValue> {
  return Object.fromEntries(
    entries.map(({ path, value }) => {
      const { sequenceNumber: _number, ...rest } = value as JsonObject;
      return [path, rest];
    }),
  );
}

function objectsOf({ objects }: MigrationFile): Record<string, JsonValue> {
  return Object.fromEntries(
    objects.map((object) => {
      const { kind, metadata, spec = {} } = object as unknown as CarriedObject;
      const { namespace = '', name, labels = {} } = metadata;
      return [`${kind} ${namespace}/${name}`, { labels, spec }];
    }),
  );
}

interface CarriedObject {
  readonly kind: string;
  readonly metadata: {
    readonly namespace?: string;
    readonly name: string;
    readonly labels?: JsonObject;
  };
  readonly spec?: JsonObject;
}

import { expect } from 'chai';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { calicoGroupOf, readDefinitions } from '../../../src/datastore/definitions.ts';
import { openDefinitions } from '../../../src/datastore/open-datastore.ts';
import { DataError } from '../../../src/errors/data-error.ts';
import type { JsonObject, JsonValue } from '../../../src/ipam/model/resource.ts';
import { allDefinitions } from '../../support/crds.ts';
import { failureOf, temporaryFolders } from '../../support/temp-folder.ts';

const aDefinition = (spec: JsonObject = {}): JsonObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.example.com' },
  spec: {
    group: 'example.com',
    names: { kind: 'Thing', plural: 'things' },
    versions: [
      { name: 'v0', served: false },
      { name: 'v1', served: true },
    ],
    ...spec,
  },
});

const problemOf = (documents: readonly JsonValue[]): string => {
  try {
    readDefinitions(documents);
  } catch (error) {
    expect(error).to.be.instanceOf(DataError);
    return (error as DataError).message;
  }
  throw new Error('it did not fail');
};

describe('datastore/definitions', () => {
  it('reads name, group, plural and a served version', () => {
    expect(readDefinitions([aDefinition()])).to.deep.equal([
      {
        name: 'things.example.com',
        group: 'example.com',
        resource: 'things',
        version: 'v1',
        object: aDefinition(),
      },
    ]);
  });

  it('takes lists apart and leaves empty documents out', () => {
    const list = { apiVersion: 'v1', kind: 'List', items: [aDefinition()] };
    expect(readDefinitions([null, list, [aDefinition()]])).to.have.length(2);
  });

  it('refuses other documents by their position, and none at all', () => {
    expect(problemOf([aDefinition(), { apiVersion: 'v1', kind: 'Pod' }])).to.include(
      'document 2 is a Pod',
    );
    expect(problemOf(['text'])).to.include('document 1 is no object');
    expect(problemOf([aDefinition({ versions: [] })])).to.include('a version that is served');
    expect(problemOf([aDefinition({ names: {} })])).to.include('plural');
    expect(problemOf([null])).to.include('no CustomResourceDefinition');
  });

  it('knows for which group of Calico definitions are', () => {
    for (const [group, version] of [
      ['crd.projectcalico.org', 'crd.projectcalico.org/v1'],
      ['projectcalico.org', 'projectcalico.org/v3'],
    ] as const) {
      expect(calicoGroupOf(readDefinitions(allDefinitions(group)))).to.equal(version);
    }
    expect(calicoGroupOf(readDefinitions([aDefinition()]))).to.equal(undefined);
  });

  describe('in files', () => {
    const write = temporaryFolders();

    it('come from a file of documents or a folder of files', async () => {
      const text = allDefinitions('crd.projectcalico.org').map((one) => stringify(one));
      const folder = await write({ 'all.yaml': text.join('---\n') });
      const parts = join(folder, 'parts');
      await mkdir(parts);
      for (const [i, one] of text.entries()) await writeFile(join(parts, `${i}.yaml`), one);
      const names = (await openDefinitions(join(folder, 'all.yaml'))).map(({ name }) => name);
      expect(names).to.have.length(text.length);
      expect((await openDefinitions(parts)).map(({ name }) => name)).to.have.members(names);
    });

    it('are refused by the name of the file', async () => {
      const folder = await write({ 'pod.yaml': 'apiVersion: v1\nkind: Pod\n' });
      const failure = await failureOf(openDefinitions(join(folder, 'pod.yaml')));
      expect(failure).to.be.instanceOf(DataError);
      expect(failure.message).to.include('pod.yaml: document 1 is a Pod');
      expect(await failureOf(openDefinitions(join(folder, 'none.yaml')))).to.be.instanceOf(
        DataError,
      );
    });
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { JsonObject, JsonValue } from '../../src/ipam/model/resource.ts';
import { parseJson } from '../../src/support/json.ts';
import { importText, importWorld } from '../support/import-world.ts';
import { GROUPS } from '../support/split-world.ts';

const FOLDER = new URL('../migrations/', import.meta.url);
const CASES = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** Annotations in which only ours, or only theirs, say something. */
const COPY = 'projectcalico.org/metadata';
const LABELS = 'projectcalico.org/labels';

/**
 * What we do otherwise than the original, by the fault that it heals:
 * - IM10: the cluster keeps the tags of the file beside that of Kubernetes.
 * - LK1: who locked the cluster, and why, is noted on it.
 * - IM11: nothing on a node is erased or written that Kubernetes says itself, such as its labels.
 * The copy of the metadata holds the time of creation in the original; the server says that, too.
 */
function healed(object: JsonObject): JsonObject {
  const { kind } = object;
  if (kind === 'ClusterInformation') {
    const spec = { ...(object['spec'] as JsonObject), clusterType: 'k8s,bgp,kdd' };
    return { ...object, spec };
  }
  return object;
}

/** What is compared of an object: name, labels, Calico's annotations, and the spec of its own kinds. */
function essence(object: JsonObject): JsonValue {
  const { kind, apiVersion, metadata, spec } = object;
  const { name, labels = {}, annotations = {} } = metadata as JsonObject;
  const kept = Object.entries(annotations as JsonObject).filter(
    ([key]) => key !== COPY && key !== LABELS && !key.startsWith('ipamctl.'),
  );
  const isNode = kind === 'Node';
  return {
    kind: kind ?? null,
    apiVersion: apiVersion ?? null,
    name: name ?? null,
    labels,
    annotations: Object.fromEntries(kept),
    spec: isNode ? {} : (spec ?? {}),
  };
}

function keyOf(object: JsonObject): string {
  const { kind, metadata } = object as { kind: string; metadata: { name: string } };
  return `${kind} ${metadata.name}`;
}

describe('golden/imported migrations', () => {
  it('has all recorded ones', () => {
    expect(CASES).to.have.length(4);
  });

  for (const name of CASES) {
    it(`leaves of ${name} what the original's import left, but for what is healed`, async () => {
      const text = readFileSync(new URL(`${name}/export.calico`, FOLDER), 'utf8');
      const recorded = parseJson(
        readFileSync(new URL(`${name}/imported.json`, FOLDER), 'utf8'),
      ) as JsonObject;
      const expected = recorded['items'] as JsonObject[];
      const nodes = expected
        .filter(({ kind }) => kind === 'Node')
        .map((node) => withoutCalico(node));
      const world = importWorld(GROUPS[0], nodes);

      const { verdict, error } = await importText(world, { text });

      expect(verdict, error?.message ?? '').to.equal('ok');
      const kinds = new Set(expected.map(({ kind }) => kind));
      const stored = world
        .storedObjects()
        .map(({ value }) => value as JsonObject)
        .filter(({ kind }) => kinds.has(kind ?? ''));
      const found = Object.fromEntries(stored.map((object) => [keyOf(object), essence(object)]));
      const wanted = Object.fromEntries(
        expected.map((object) => [keyOf(object), essence(healed(object))]),
      );
      expect(found).to.deep.equal(wanted);
      const again = await importText(world, { text });
      expect(again.document.totals.applied).to.equal(0);
    });
  }
});

/** The node as it was before the import. */
function withoutCalico(node: JsonObject): JsonObject {
  const { annotations: _annotations, ...metadata } = node['metadata'] as JsonObject;
  return { ...node, metadata };
}

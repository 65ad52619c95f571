/**
 * Judges a cluster in memory by all rules, and parses its blocks and handles with `JSON.parse`, in one process; prints CPU
 * milliseconds of each step as JSON. Usage: node bench/work/judge.ts NODES (each of 60 addresses)
 */
import { RULES } from '../../src/check/registry.ts';
import { runRules } from '../../src/check/run-rules.ts';
import { decodeObject, resourceKindOf } from '../../src/datastore/codec/decode.ts';
import { RESOURCE_KINDS } from '../../src/ipam/model/resource.ts';
import type { Row } from '../../src/ipam/model/row.ts';
import { ClusterStateBuilder } from '../../src/ipam/state/builder.ts';
import { parseJson, stringifyJson, type JsonObject } from '../../src/support/json.ts';
import { seededCluster } from '../src/seeded-cluster.ts';

/** Objects of a text, as in a page of a server. */
const CHUNK = 500;
const NOW = Date.parse('2026-11-01T00:00:00Z');

const size = {
  nodes: Number(process.argv[2]),
  podsPerNode: 59,
  blocksPerNode: 1,
  leakRate: 0.02,
  podSettings: 0,
  seed: 1,
};
const spent: Record<'parse' | 'take' | 'index' | 'rules', number> = {
  parse: 0,
  take: 0,
  index: 0,
  rules: 0,
};

function timed<T>(step: keyof typeof spent, work: () => T): T {
  const before = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(before);
  spent[step] += (user + system) / 1000;
  return result;
}

const builder = new ClusterStateBuilder();
for (const kind of RESOURCE_KINDS) builder.markLoaded(kind);
const cluster = seededCluster(size);
for (const chunk of chunksOf(asListed(cluster.objects))) {
  const claims = chunk.filter(({ kind }) => kind === 'IPAMBlock' || kind === 'IPAMHandle');
  const text = stringifyJson(claims);
  timed('parse', () => JSON.parse(text) as unknown);
  // As they come from a parser: values made in one go, that nobody else holds.
  const rows = (parseJson(stringifyJson(chunk)) as JsonObject[]).flatMap(rowOf);
  timed('take', () => {
    for (const row of rows) builder.add(row);
  });
}
const state = timed('index', () => builder.build());
const { results } = timed('rules', () => runRules(RULES, state, { now: NOW, minAgeMs: 300_000 }));
const findings = results.reduce((count, { findings: found }) => count + found.length, 0);
if (findings !== cluster.leaks) throw new Error(`${findings} findings for ${cluster.leaks} leaks`);
const allocations = size.nodes * (size.podsPerNode + 1);
console.log(JSON.stringify({ allocations, spent }));

/** Handles last and by name, as servers list them; elsewhere they would be sorted once more. They wait as texts, which is lean. */
function* asListed(objects: Iterable<JsonObject>): Generator<JsonObject> {
  const handles: string[] = [];
  for (const object of objects) {
    if (object['kind'] === 'IPAMHandle')
      handles.push(
        `${(object['metadata'] as JsonObject)['name'] as string}\t${stringifyJson(object)}`,
      );
    else yield object;
  }
  for (const line of handles.sort()) yield JSON.parse(line.slice(line.indexOf('\t'))) as JsonObject;
}

function* chunksOf(objects: Iterable<JsonObject>): Generator<JsonObject[]> {
  let chunk: JsonObject[] = [];
  let number = 0;
  for (const object of objects) {
    number += 1;
    const metadata = { ...(object['metadata'] as JsonObject), resourceVersion: String(number) };
    chunk.push({ ...object, metadata });
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

function rowOf(object: JsonObject): Row[] {
  const kind = resourceKindOf(object['apiVersion'] as string, object['kind'] as string);
  const row = kind === undefined ? undefined : decodeObject(kind, object);
  return row === undefined ? [] : [row];
}

/** What calicoctl exported and imported of some fixtures; see test/migrations/README.md. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MigrationFile } from '../../src/datastore/migration-file.ts';
import {
  type JsonObject,
  type JsonValue,
  parseJson,
  stringifyJson,
} from '../../src/support/json.ts';
import { type Entry, readMigration } from './export-world.ts';
import { FIXTURES } from './fixture.ts';

const MIGRATIONS = join(import.meta.dirname, '..', 'migrations');

/** Names of the fixtures of which there are recordings. */
export const RECORDED: readonly string[] = readdirSync(MIGRATIONS, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** The etcd of a fixture, locked as it was when it was recorded. */
export function lockedEntries(fixture: string): readonly Entry[] {
  const text = readFileSync(join(FIXTURES, fixture, 'etcd.json'), 'utf8');
  return (parseJson(text) as unknown as readonly Entry[]).map(({ key, value }) => {
    if (!key.includes('/clusterinformations/')) return { key, value };
    const object = value as JsonObject;
    const spec = { ...(object['spec'] as JsonObject), datastoreReady: false };
    return { key, value: { ...object, spec } };
  });
}

/** What our export should hold of a fixture: the recorded file, apart from what we heal. */
export function expectedContent(fixture: string): readonly string[] {
  const text = readFileSync(join(MIGRATIONS, fixture, 'export.calico'), 'utf8');
  const heal = HEALED[fixture] ?? ((line: string) => line);
  return contentOf(readMigration(text)).map((line) => heal(withAttributes(line)));
}

/**
 * What our export has otherwise than the recorded one, by what is wrong there: lines that only the recorded one has, and
 * what stands for them in ours.
 */
const HEALED: Readonly<Record<string, (line: string) => string>> = {
  // The handle of an IPv6 tunnel keeps the old name of its node there (EX4).
  'export-with-other-kubernetes-names': (line) =>
    line.replaceAll(/vxlan-v6-tunnel-addr-alder(?!\.)/g, 'vxlan-v6-tunnel-addr-alder.example'),
};

/** A block without attributes has an empty list; there it has null. */
function withAttributes(line: string): string {
  return line.replace('"attributes":null', '"attributes":[]');
}

/** Everything in a migration file, a text each, in an order of its own. */
export function contentOf(file: MigrationFile): readonly string[] {
  const cluster = withoutRevision(file.clusterInformation);
  return [
    ...file.lists.map((list) => `list ${stringifyJson(list)}`),
    ...file.objects
      .filter((object) => !isMadeByLock(object))
      .map((object) => `object ${textOf(object)}`),
    `cluster ${textOf(cluster)}`,
    ...file.entries.map(({ path, value }) => `${path} ${textOf(value)}`),
  ].toSorted();
}

/** Tiers that Calico makes by itself: the recorded cluster got them when it was locked, after the fixture was put there. */
function isMadeByLock({ kind }: JsonObject): boolean {
  return kind === 'Tier';
}

function withoutRevision(object: JsonObject): JsonObject {
  const { resourceVersion: _revision, ...metadata } = object['metadata'] as JsonObject;
  return { ...object, metadata };
}

/** Members in order; Calico prints an empty status for kinds that could have one. */
function textOf(value: JsonValue): string {
  return stringifyJson(sorted(value));
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(
    ([name, member]) => !(name === 'status' && stringifyJson(member) === '{}'),
  );
  return Object.fromEntries(
    members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, sorted(member)]),
  );
}

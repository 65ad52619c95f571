import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson, type JsonObject, type JsonValue } from '../../src/support/json.ts';

/** Folder of the fixtures. */
export const FIXTURES = join(import.meta.dirname, '..', 'fixtures');

const INPUTS = ['cluster.yaml', 'cluster.json', 'cluster.yaml.gz', 'cluster.calico', 'cluster'];

/** What the check of a fixture has to find; see test/fixtures/README.md. */
export interface CheckExpectation {
  readonly byCode?: Readonly<Record<string, number>>;
  readonly exit?: number | readonly number[];
  readonly findings?: readonly JsonValue[];
  readonly inUse?: JsonObject;
  readonly handles?: JsonObject;
  readonly notEvaluated?: readonly JsonValue[];
  readonly neverReleasable?: readonly string[];
  readonly datastoreLocked?: boolean;
}

/** The answers to reading commands. */
export interface Expectation {
  readonly title: string;
  /** RFC 3339. */
  readonly clock: string;
  readonly check?: CheckExpectation;
  readonly show?: { readonly pools?: JsonObject; readonly outsidePools?: JsonObject };
  readonly showIp?: Readonly<Record<string, JsonObject>>;
  readonly borrowed?: readonly JsonValue[];
  readonly configuration?: JsonObject;
}

/** One fixture. */
export interface Fixture {
  readonly name: string;
  readonly folder: string;
  /** What `--snapshot` opens; undefined for a cluster in etcd. */
  readonly input: string | undefined;
  readonly expect: Expectation;
}

/** All fixtures by name, in order. */
export function readFixtures(): Fixture[] {
  const folders = readdirSync(FIXTURES, { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  return folders.map((entry) => readFixture(entry.name)).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function readFixture(name: string): Fixture {
  const folder = join(FIXTURES, name);
  const text = readFileSync(join(folder, 'expect.json'), 'utf8');
  return {
    name,
    folder,
    input: inputOf(folder),
    expect: parseJson(text) as unknown as Expectation,
  };
}

/** The cluster of a fixture's folder, or of a copy of it. */
export function inputOf(folder: string): string | undefined {
  const name = INPUTS.find((candidate) => existsSync(join(folder, candidate)));
  return name === undefined ? undefined : join(folder, name);
}

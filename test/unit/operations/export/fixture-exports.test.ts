import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { EXIT_STATUSES } from '../../../../src/errors/exit-status.ts';
import { type JsonObject, type JsonValue, parseJson } from '../../../../src/support/json.ts';
import {
  type Entry,
  entriesOf,
  etcdSource,
  type Exported,
  exported,
  fileOf,
} from '../../../support/export-world.ts';
import { FIXTURES, readFixtures } from '../../../support/fixture.ts';

/** What expect.json says of an exported file; see test/fixtures/README.md. */
interface FileExpectation {
  readonly nodes?: readonly string[];
  readonly owners?: Readonly<Record<string, string>>;
  readonly affinities?: readonly string[];
  readonly handles?: readonly string[];
  readonly handleCount?: number;
  readonly nodeAttributes?: Readonly<Record<string, number>>;
  readonly absent?: readonly string[];
}

interface ExportRun {
  readonly args: readonly string[];
  readonly exit: number | readonly number[];
  readonly names?: readonly string[];
  readonly file?: FileExpectation;
}

const IPAM = '/calico/ipam/v2/';

function runsOf(expectation: unknown): readonly ExportRun[] {
  return [(expectation as { export?: ExportRun | ExportRun[] }).export ?? []].flat();
}

function source(fixture: string): readonly Entry[] {
  const text = readFileSync(join(FIXTURES, fixture, 'etcd.json'), 'utf8');
  return parseJson(text) as unknown as readonly Entry[];
}

function skippedIn(args: readonly string[]): readonly string[] {
  return args.filter((_word, at) => args[at - 1] === '--skip-node');
}

function judge(run: Exported, wanted: FileExpectation): void {
  const entries = entriesOf(run);
  const below = [...entries.keys()].map((path) => path.slice(IPAM.length));
  const blocks = [...entries]
    .filter(([path]) => path.startsWith(`${IPAM}assignment/`))
    .map(([, value]) => value);
  const handles = below.filter((name) => name.startsWith('handle/')).map((name) => name.slice(7));
  const nodes = fileOf(run).objects.filter(({ kind }) => kind === 'Node');
  const names = nodes.map(({ metadata }) => (metadata as JsonObject)['name']);
  if (wanted.nodes) expect(names).to.have.members([...wanted.nodes]);
  for (const [cidr, owner] of Object.entries(wanted.owners ?? {})) {
    expect(blocks.find((block) => block['cidr'] === cidr)?.['affinity']).to.equal(owner);
  }
  if (wanted.affinities) expect(below).to.include.members([...wanted.affinities]);
  if (wanted.handles) expect(handles).to.include.members([...wanted.handles]);
  if (wanted.handleCount !== undefined) expect(handles).to.have.lengthOf(wanted.handleCount);
  const attributes = blocks.flatMap((block) => block['attributes'] as readonly JsonObject[]);
  for (const [node, count] of Object.entries(wanted.nodeAttributes ?? {})) {
    expect(
      attributes.filter(({ secondary }) => (secondary as JsonObject)['node'] === node),
    ).to.have.lengthOf(count);
  }
  const texts = new Set([
    ...[...entries.values()].flatMap(textsIn),
    ...handles,
    ...below.flatMap((name) => name.split('/')),
  ]);
  for (const text of wanted.absent ?? []) expect([...texts]).not.to.include(text);
}

function textsIn(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

describe('operations/export of fixtures', () => {
  const cases = readFixtures()
    .filter(({ folder }) => existsSync(join(folder, 'etcd.json')))
    .flatMap(({ name, expect: wanted }) => runsOf(wanted).map((run) => ({ name, run })));

  it('has runs to judge', () => {
    expect(cases).to.have.lengthOf(4);
  });

  for (const { name, run } of cases) {
    it(`${name}: ${run.args.slice(2).join(' ')}`, async () => {
      const done = await exported(etcdSource(source(name)), { skipNodes: skippedIn(run.args) });
      const status = EXIT_STATUSES[done.verdict].status;
      expect([run.exit].flat()).to.include(status);
      expect(done.text === undefined).to.equal(status !== 0);
      for (const text of run.names ?? []) expect(done.error?.message).to.include(text);
      if (run.file) judge(done, run.file);
    });
  }
});

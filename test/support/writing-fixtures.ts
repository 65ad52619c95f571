import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Datastore } from '../../src/datastore/datastore.ts';
import { parseAddress } from '../../src/net/address.ts';
import type { OperationContext } from '../../src/operations/context.ts';
import { runCheck } from '../../src/operations/run-check.ts';
import { showAddress } from '../../src/operations/show-address.ts';
import { type JsonObject, parseJson, stringifyJson } from '../../src/support/json.ts';
import { differences } from './document-comparison.ts';
import type { Fixture } from './fixture.ts';
import { contentOf } from './open-fixture.ts';
import { CHECK_OPTIONS, type RunEnd, portsAt, reportText, runWriting } from './writing-runs.ts';

/** A run of a command that writes, as expect.json has it. */
export interface ExpectedRun {
  readonly args: readonly string[];
  readonly exit?: number | readonly number[];
  readonly unchanged?: boolean;
  readonly applied?: readonly string[];
  readonly refused?: readonly string[];
  readonly names?: readonly string[];
  readonly after?: {
    readonly byCode?: Readonly<Record<string, number>>;
    readonly showIp?: Readonly<Record<string, JsonObject>>;
  };
}

/** Argument lists that only the command line judges. */
function isForCommandLine({ args }: ExpectedRun): boolean {
  const ip = args[args.indexOf('--ip') + 1];
  return (
    !['release', 'repair'].includes(args[1] ?? '') ||
    (args.includes('--ip') && parseAddress(ip ?? '') === undefined) ||
    args[2]?.startsWith('--') === false
  );
}

/** The release and repair runs of a fixture that operations can judge. */
export function runsOf(fixture: Fixture): readonly ExpectedRun[] {
  const { release = [], repair = [] } = fixture.expect as unknown as Record<
    string,
    ExpectedRun | readonly ExpectedRun[]
  >;
  return [release, repair].flat().filter((run) => !isForCommandLine(run));
}

function assertItems({ document }: RunEnd, { applied = [], refused = [] }: ExpectedRun): void {
  const done = new Set(
    document?.items.flatMap(({ result, subject }) =>
      result === 'applied' ? [subject.address, subject.handle, subject.name] : [],
    ),
  );
  expect(
    applied.filter((name) => !done.has(name)),
    'not applied',
  ).to.deep.equal([]);
  expect(
    refused.filter((name) => done.has(name)),
    'applied although refused',
  ).to.deep.equal([]);
}

/** Runs one command on a datastore that holds the fixture, and compares all that is expected of it. */
export async function verify(
  fixture: Fixture,
  run: ExpectedRun,
  open: () => Promise<Datastore>,
  clock: string = fixture.expect.clock,
): Promise<void> {
  const context = portsAt(await open(), clock);
  const report = run.args.includes('@report') ? await reportText(context) : '';
  const { datastore } = context;
  const before = await contentOf(datastore);
  const end = await runWriting(context, run.args, (path) =>
    path === '@report' ? report : readFileSync(path.replace('@folder', fixture.folder), 'utf8'),
  );
  if (run.exit !== undefined) expect([run.exit].flat(), end.text).to.include(end.status);
  assertItems(end, run);
  for (const name of run.names ?? []) expect(end.text).to.contain(name);
  if (run.unchanged) expect(await contentOf(datastore)).to.equal(before);
  await assertAfter(run, portsAt(await open(), clock));
}

async function assertAfter({ after }: ExpectedRun, context: OperationContext): Promise<void> {
  if (after?.byCode) {
    const { document } = await runCheck(context, CHECK_OPTIONS);
    expect(document.summary.byCode).to.deep.equal(after.byCode);
  }
  for (const [ip, part] of Object.entries(after?.showIp ?? {})) {
    const { document } = await showAddress(context, { address: parseAddress(ip)! });
    expect(differences(parseJson(stringifyJson(document)), part)).to.deep.equal([]);
  }
}

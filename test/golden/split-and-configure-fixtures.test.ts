import { parseArgs } from 'node:util';
import { expect } from 'chai';
import type { Datastore } from '../../src/datastore/datastore.ts';
import { EXIT_STATUSES } from '../../src/errors/exit-status.ts';
import { ToolError } from '../../src/errors/tool-error.ts';
import type { ResourceKind } from '../../src/ipam/model/resource.ts';
import { settingChangesFrom } from '../../src/operations/configure/configure-options.ts';
import { planConfigure } from '../../src/operations/configure-ipam.ts';
import type { OperationContext } from '../../src/operations/context.ts';
import type { Mutation } from '../../src/operations/mutation.ts';
import { runCheck } from '../../src/operations/run-check.ts';
import { showConfiguration } from '../../src/operations/show-configuration.ts';
import { showUtilization } from '../../src/operations/show-utilization.ts';
import { planSplit } from '../../src/operations/split-pool.ts';
import { splitRequestFrom } from '../../src/operations/split/split-options.ts';
import { type JsonObject, parseJson, stringifyJson } from '../../src/support/json.ts';
import { differences } from '../support/document-comparison.ts';
import { type Fixture, readFixtures } from '../support/fixture.ts';
import { contentOf, inMemory, withSnapshot } from '../support/open-fixture.ts';
import { CHECK_OPTIONS, portsAt } from '../support/writing-runs.ts';

/** A run of `ipam split` or `ipam configure`, as expect.json has it. */
interface ExpectedRun {
  readonly args: readonly string[];
  readonly exit: number | readonly number[];
  readonly unchanged?: boolean;
  readonly after?: {
    readonly byCode?: Readonly<Record<string, number>>;
    readonly show?: { readonly pools: Readonly<Record<string, JsonObject>> };
    readonly absentPools?: readonly string[];
    readonly configuration?: JsonObject;
    readonly same?: readonly ResourceKind[];
  };
}

const TEXT = { type: 'string' } as const;
const OPTIONS = {
  name: TEXT,
  cidr: TEXT,
  'dry-run': { type: 'boolean' },
  strictaffinity: TEXT,
  'max-blocks-per-host': TEXT,
} as const;

function runsOf({ expect: expected }: Fixture): readonly ExpectedRun[] {
  const { split = [], configure = [] } = expected as unknown as Record<
    string,
    ExpectedRun | readonly ExpectedRun[]
  >;
  return [split, configure].flat();
}

async function statusOf(context: OperationContext, args: readonly string[]): Promise<number> {
  try {
    const { mutation, isDryRun } = await planOf(context, args);
    const outcome = isDryRun ? mutation.plan : await mutation.apply();
    return EXIT_STATUSES[outcome.verdict].status;
  } catch (error) {
    if (error instanceof ToolError) return error.status;
    throw error;
  }
}

async function planOf(
  context: OperationContext,
  [, command, ...args]: readonly string[],
): Promise<{ readonly mutation: Mutation; readonly isDryRun: boolean }> {
  const parsed = parseArgs({ args, options: OPTIONS, allowPositionals: true });
  const { values, positionals } = parsed;
  const isDryRun = values['dry-run'] ?? false;
  if (command === 'configure') {
    const changes = settingChangesFrom({ reset: false, ...values });
    return {
      mutation: await planConfigure(context, { changes, isMismatchAllowed: true }),
      isDryRun,
    };
  }
  const options = { isUndo: false, isForced: false, isMismatchAllowed: true };
  const request = splitRequestFrom(positionals[0] ?? '', values);
  return { mutation: await planSplit(context, { ...request, ...options }), isDryRun };
}

async function verify(
  fixture: Fixture,
  run: ExpectedRun,
  open: () => Promise<Datastore>,
): Promise<void> {
  const context = portsAt(await open(), fixture.expect.clock);
  const before = await contentOf(context.datastore);
  expect([run.exit].flat()).to.include(await statusOf(context, run.args));
  const after = portsAt(await open(), fixture.expect.clock);
  const now = await contentOf(after.datastore);
  if (run.unchanged) expect(now).to.equal(before);
  for (const kind of run.after?.same ?? [])
    expect(linesOf(now, kind)).to.equal(linesOf(before, kind));
  await assertAfter(run, after);
}

async function assertAfter({ after }: ExpectedRun, context: OperationContext): Promise<void> {
  if (after?.byCode) {
    const { document } = await runCheck(context, CHECK_OPTIONS);
    expect(document.summary.byCode).to.deep.equal(after.byCode);
  }
  if (after?.show) {
    const { document } = await showUtilization(context, {});
    const pools = Object.fromEntries(document.pools.map((pool) => [pool.name, pool]));
    expect(differences(parseJson(stringifyJson(pools)), after.show.pools)).to.deep.equal([]);
    for (const name of after.absentPools ?? []) expect(pools).to.not.have.property(name);
  }
  if (after?.configuration) {
    const { document } = await showConfiguration(context);
    expect(document.configuration).to.deep.include(after.configuration);
  }
}

function linesOf(content: string, kind: ResourceKind): string {
  const lines = content.split('\n');
  return lines.filter((line) => line.startsWith(`["${kind}"`)).join('\n');
}

describe('golden/split and configure fixtures', () => {
  for (const fixture of readFixtures()) {
    for (const run of runsOf(fixture)) {
      const title = `${fixture.name}: ${run.args.slice(1).join(' ')}`;
      it(`${title} (memory)`, async () => {
        const datastore = await inMemory(fixture);
        await verify(fixture, run, () => Promise.resolve(datastore));
      });
      it(`${title} (snapshot)`, () => withSnapshot(fixture, (open) => verify(fixture, run, open)));
    }
  }
});

import { expect } from 'chai';
import { openSnapshot } from '../../src/datastore/snapshot/snapshot-datastore.ts';
import { EXIT_STATUSES } from '../../src/errors/exit-status.ts';
import { ToolError } from '../../src/errors/tool-error.ts';
import { parseAddress } from '../../src/net/address.ts';
import type { OperationContext } from '../../src/operations/context.ts';
import type { Outcome } from '../../src/operations/outcome.ts';
import { runCheck, type CheckOptions } from '../../src/operations/run-check.ts';
import { showAddress } from '../../src/operations/show-address.ts';
import { showBorrowed } from '../../src/operations/show-borrowed.ts';
import { showConfiguration } from '../../src/operations/show-configuration.ts';
import { showUtilization } from '../../src/operations/show-utilization.ts';
import {
  parseJson,
  stringifyJson,
  type JsonObject,
  type JsonValue,
} from '../../src/support/json.ts';
import { parseTime } from '../../src/support/time.ts';
import { contains, differences, unmatched } from '../support/document-comparison.ts';
import { readFixtures, type CheckExpectation, type Fixture } from '../support/fixture.ts';

/** The defaults of `ipam check`. */
const CHECK_OPTIONS: CheckOptions = {
  failOn: 'error',
  only: [],
  skip: [],
  minAgeMs: 300_000,
  allowPartial: false,
  showAllIps: false,
  report: false,
};

/** A document as a reader of the JSON output gets it, and the exit status. */
interface Answer {
  readonly status: number;
  readonly document: JsonObject;
}

type Operation = (context: OperationContext) => Promise<Outcome<unknown>>;

/** Opens a fixture at its moment and asks one question. */
async function ask(fixture: Fixture, operation: Operation): Promise<Answer> {
  const now = parseTime(fixture.expect.clock)!;
  const datastore = await openSnapshot(fixture.input!, { stdin: (async function* () {})() });
  const context: OperationContext = {
    datastore,
    clock: { now: () => now, sleep: async () => undefined },
    progress: { step: () => undefined, warn: () => undefined },
    signal: new AbortController().signal,
    toolVersion: '0.0.0',
  };
  const { document, verdict } = await operation(context);
  await datastore.close();
  return {
    status: EXIT_STATUSES[verdict].status,
    document: parseJson(stringifyJson(document)) as JsonObject,
  };
}

/** The status of a check, which may be one of an error. */
async function check(fixture: Fixture): Promise<Answer> {
  try {
    return await ask(fixture, (context) => runCheck(context, CHECK_OPTIONS));
  } catch (error) {
    if (error instanceof ToolError && fixture.expect.check?.byCode === undefined) {
      return { status: error.status, document: {} };
    }
    throw error;
  }
}

const list = (value: JsonValue | undefined): readonly JsonValue[] =>
  Array.isArray(value) ? value : [];
const summaryOf = (document: JsonObject): JsonObject => (document['summary'] ?? {}) as JsonObject;

/** Everything that a check document says otherwise than expected. */
function checkDifferences({ status, document }: Answer, wanted: CheckExpectation): string[] {
  const findings = list(document['findings']);
  const summary = summaryOf(document);
  const statuses: unknown[] = [wanted.exit ?? status].flat();
  return [
    ...(statuses.includes(status)
      ? []
      : [`exit: expected ${statuses.join(' or ')}, got ${status}`]),
    ...unmatched(findings, wanted.findings ?? []).map(
      (finding) => `finding is missing: ${stringifyJson(finding)}`,
    ),
    ...differences(summary['inUse'], wanted.inUse ?? {}, 'inUse'),
    ...differences(summary['handles'], wanted.handles ?? {}, 'handles'),
    ...differences(document['notEvaluated'], [...(wanted.notEvaluated ?? [])], 'notEvaluated'),
    ...(wanted.datastoreLocked === undefined
      ? []
      : differences(document['datastoreLocked'], wanted.datastoreLocked, 'datastoreLocked')),
    ...(wanted.neverReleasable ?? [])
      .filter((address) =>
        findings.some((one) => contains(one, { subject: { address }, releasable: true })),
      )
      .map((address) => `${address} is called releasable`),
  ];
}

describe('golden/fixtures', () => {
  for (const fixture of readFixtures()) {
    const { expect: wanted, input } = fixture;
    describe(fixture.name, () => {
      if (input === undefined) {
        it.skip(`${wanted.title} (needs the etcd backend)`);
        return;
      }
      if (wanted.check) testCheck(fixture, wanted.check);
      if (wanted.show) testShow(fixture, wanted.show);
      testOtherViews(fixture);
    });
  }
});

function testCheck(fixture: Fixture, wanted: CheckExpectation): void {
  it('is checked', async () => {
    const answer = await check(fixture);
    if (wanted.byCode) {
      expect(summaryOf(answer.document)['byCode'], 'codes').to.deep.equal(wanted.byCode);
      if (!wanted.notEvaluated)
        expect(answer.document['notEvaluated'], 'notEvaluated').to.deep.equal([]);
    }
    expect(checkDifferences(answer, wanted)).to.deep.equal([]);
  });
}

function testShow(fixture: Fixture, wanted: NonNullable<Fixture['expect']['show']>): void {
  it('is counted', async () => {
    const { document } = await ask(fixture, (context) => showUtilization(context, {}));
    const pools = Object.fromEntries(
      list(document['pools']).map((pool) => [(pool as { name: string }).name, pool]),
    );
    expect(differences(pools, wanted.pools ?? {}, 'pools')).to.deep.equal([]);
    expect(
      differences(document['outsidePools'], wanted.outsidePools ?? {}, 'outsidePools'),
    ).to.deep.equal([]);
  });
}

function testOtherViews(fixture: Fixture): void {
  const { showIp = {}, borrowed, configuration } = fixture.expect;
  for (const [ip, part] of Object.entries(showIp)) {
    it(`explains ${ip}`, async () => {
      const address = parseAddress(ip)!;
      const { document } = await ask(fixture, (context) => showAddress(context, { address }));
      expect(differences(document, part)).to.deep.equal([]);
    });
  }
  if (borrowed) {
    it('lists what is borrowed', async () => {
      const { document } = await ask(fixture, showBorrowed);
      const rows = list(document['borrowed']);
      expect(unmatched(rows, borrowed), 'rows without counterpart').to.deep.equal([]);
      expect(rows, 'rows').to.have.length(borrowed.length);
    });
  }
  if (configuration) {
    it('tells the configuration', async () => {
      const { document } = await ask(fixture, showConfiguration);
      expect(differences(document['configuration'], configuration, 'configuration')).to.deep.equal(
        [],
      );
    });
  }
}

/** What fixtures expect of commands that read, against any datastore. */
import { expect } from 'chai';
import type { Datastore } from '../../src/datastore/datastore.ts';
import { EXIT_STATUSES } from '../../src/errors/exit-status.ts';
import { ToolError } from '../../src/errors/tool-error.ts';
import { parseAddress } from '../../src/net/address.ts';
import type { OperationContext } from '../../src/operations/context.ts';
import type { Outcome } from '../../src/operations/outcome.ts';
import { runCheck } from '../../src/operations/run-check.ts';
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
import { contains, differences, unmatched } from './document-comparison.ts';
import type { CheckExpectation, Fixture } from './fixture.ts';
import { CHECK_OPTIONS, portsAt } from './writing-runs.ts';

/** A fixture and how to open a datastore that holds it; it is opened anew for each question. */
export interface OpenedFixture {
  readonly fixture: Fixture;
  readonly open: () => Promise<Datastore>;
}

/** A document as a reader of the JSON output gets it, and the exit status. */
interface Answer {
  readonly status: number;
  readonly document: JsonObject;
}

type Operation = (context: OperationContext) => Promise<Outcome<unknown>>;

/** Opens a fixture at its moment and asks one question. */
async function ask({ fixture, open }: OpenedFixture, operation: Operation): Promise<Answer> {
  const datastore = await open();
  const { document, verdict } = await operation(portsAt(datastore, fixture.expect.clock));
  await datastore.close();
  return {
    status: EXIT_STATUSES[verdict].status,
    document: parseJson(stringifyJson(document)) as JsonObject,
  };
}

/** The status of a check, which may be one of an error. */
async function check(opened: OpenedFixture): Promise<Answer> {
  try {
    return await ask(opened, (context) => runCheck(context, CHECK_OPTIONS));
  } catch (error) {
    if (error instanceof ToolError && opened.fixture.expect.check?.byCode === undefined) {
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

/** Registers everything that the fixture expects of commands that read. */
export function testReading(opened: OpenedFixture): void {
  const { check: checked, show } = opened.fixture.expect;
  if (checked) testCheck(opened, checked);
  if (show) testShow(opened, show);
  testOtherViews(opened);
}

function testCheck(opened: OpenedFixture, wanted: CheckExpectation): void {
  it('is checked', async () => {
    const answer = await check(opened);
    if (wanted.byCode) {
      expect(summaryOf(answer.document)['byCode'], 'codes').to.deep.equal(wanted.byCode);
      if (!wanted.notEvaluated)
        expect(answer.document['notEvaluated'], 'notEvaluated').to.deep.equal([]);
    }
    expect(checkDifferences(answer, wanted)).to.deep.equal([]);
  });
}

function testShow(opened: OpenedFixture, wanted: NonNullable<Fixture['expect']['show']>): void {
  it('is counted', async () => {
    const { document } = await ask(opened, (context) => showUtilization(context, {}));
    const pools = Object.fromEntries(
      list(document['pools']).map((pool) => [(pool as { name: string }).name, pool]),
    );
    expect(differences(pools, wanted.pools ?? {}, 'pools')).to.deep.equal([]);
    expect(
      differences(document['outsidePools'], wanted.outsidePools ?? {}, 'outsidePools'),
    ).to.deep.equal([]);
  });
}

function testOtherViews(opened: OpenedFixture): void {
  const { showIp = {}, borrowed, configuration } = opened.fixture.expect;
  for (const [ip, part] of Object.entries(showIp)) {
    it(`explains ${ip}`, async () => {
      const address = parseAddress(ip)!;
      const { document } = await ask(opened, (context) => showAddress(context, { address }));
      expect(differences(document, part)).to.deep.equal([]);
    });
  }
  if (borrowed) {
    it('lists what is borrowed', async () => {
      const { document } = await ask(opened, showBorrowed);
      const rows = list(document['borrowed']);
      expect(unmatched(rows, borrowed), 'rows without counterpart').to.deep.equal([]);
      expect(rows, 'rows').to.have.length(borrowed.length);
    });
  }
  if (configuration) {
    it('tells the configuration', async () => {
      const { document } = await ask(opened, showConfiguration);
      expect(differences(document['configuration'], configuration, 'configuration')).to.deep.equal(
        [],
      );
    });
  }
}

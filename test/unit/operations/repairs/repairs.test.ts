import { expect } from 'chai';
import type { Row } from '../../../../src/ipam/model/row.ts';
import type { HandleRow } from '../../../../src/ipam/model/handle.ts';
import type { AffinityRow } from '../../../../src/ipam/model/affinity.ts';
import { readReport } from '../../../../src/check/read-report.ts';
import { planRepair } from '../../../../src/operations/repair-findings.ts';
import { REPAIRS } from '../../../../src/operations/repairs/registry.ts';
import { runCheck } from '../../../../src/operations/run-check.ts';
import { stringifyJson } from '../../../../src/support/json.ts';
import { aBlock, aHandle, aNode, aPool, anAffinity, withRows } from '../../../support/builders.ts';
import { aClusterInformation } from '../../../support/settings-builders.ts';
import { EMPTY, POD, REPAIR_CASES, USED } from '../../../support/repair-cases.ts';
import { RowDatastore, type RowDatastoreOptions } from '../../../support/row-datastore.ts';
import { contextOf } from '../../../support/scripted-datastore.ts';
import { failureOf } from '../../../support/temp-folder.ts';
import { CHECK_OPTIONS } from '../../../support/writing-runs.ts';

const BASE: readonly Row[] = [
  aClusterInformation(),
  aPool('main', '10.0.0.0/16'),
  aNode('node-a'),
  aNode('node-b'),
];
function datastoreOf(rows: readonly Row[], more: RowDatastoreOptions = {}): RowDatastore {
  return new RowDatastore([...BASE, ...rows], more);
}

async function repair(
  datastore: RowDatastore,
  only: readonly string[],
  more: { reports?: readonly string[] } = {},
) {
  const reports = (more.reports ?? []).map((text) => readReport(text, 'report.json'));
  const mutation = await planRepair(contextOf(datastore), {
    only,
    reports,
    minAgeMs: 300_000,
    isMismatchAllowed: false,
  });
  return mutation.apply();
}

describe('operations/repairs', () => {
  for (const { code, title, rows, writes, verdict = 'ok' } of REPAIR_CASES) {
    for (const live of [false, true]) {
      it(`${code}: ${title}${live ? ' on a live cluster' : ''}`, async () => {
        const datastore = datastoreOf(rows, { live });
        const outcome = await repair(datastore, [code]);
        expect(datastore.writes).to.deep.equal(writes);
        expect(outcome.verdict, outcome.error?.message ?? '').to.equal(verdict);
        expect(outcome.document.items.map((item) => item.code)).to.deep.equal(
          outcome.document.items.map(() => code),
        );
        const { document } = await runCheck(contextOf(datastore), {
          ...CHECK_OPTIONS,
          only: [code],
        });
        expect(document.summary.byCode[code] ?? 0).to.equal(writes.length > 0 ? 0 : 1);
      });
    }
  }

  it('has a case for each repair', () => {
    expect([...new Set(REPAIR_CASES.map(({ code }) => code))].sort()).to.deep.equal(
      REPAIRS.map(({ code }) => code).sort(),
    );
  });

  it('writes nothing but right counts and keeps the rest of the row', async () => {
    const datastore = datastoreOf(REPAIR_CASES[0]?.rows ?? []);
    await repair(datastore, ['handle-count-mismatch']);
    expect(
      (datastore.all('IPAMHandle')[0] as HandleRow).counts.map(({ text, count }) => [text, count]),
    ).to.deep.equal([['10.0.0.0/26', 1]]);
  });

  it('confirms the row of a block without affinity', async () => {
    const datastore = datastoreOf([USED, POD]);
    await repair(datastore, ['block-without-affinity']);
    expect((datastore.all('BlockAffinity')[0] as AffinityRow).state).to.equal('confirmed');
  });

  it('lists findings that it does not remedy with the command that helps', async () => {
    const { document, verdict } = await repair(datastoreOf(withRows(USED)), []);
    expect(verdict).to.equal('ok');
    expect(document.items[0]).to.include({ code: 'leaked-address', result: 'skipped' });
    expect(document.items[0]?.reason).to.contain('ipam release');
  });

  it('refuses a code that it does not remedy, with the way out', async () => {
    const error = await failureOf(repair(datastoreOf([]), ['leaked-address']));
    expect(error).to.include({ status: 2 });
    expect((error as { hint?: string }).hint).to.contain('ipam release');
    expect(await failureOf(repair(datastoreOf([]), ['nonsense']))).to.include({ status: 2 });
  });

  it('remedies what its report lists and nothing else', async () => {
    const rows = [
      EMPTY,
      anAffinity('node-a', '10.0.0.0/26'),
      aHandle('first', { '10.0.0.0/26': 1 }),
    ];
    const datastore = datastoreOf(rows);
    const { report } = await runCheck(contextOf(datastore), { ...CHECK_OPTIONS, report: true });
    datastore.put(aHandle('second', { '10.0.0.0/26': 1 }));
    await repair(datastore, [], { reports: [stringifyJson(report)] });
    expect(datastore.writes).to.deep.equal(['remove IPAMHandle first']);
    const again = await repair(datastore, [], { reports: [stringifyJson(report)] });
    expect(again.document.items.map(({ result }) => result)).to.deep.equal(['already']);
    const other = stringifyJson(report).replace(/"clusterGUID":"[^"]*"/, '"clusterGUID":"other"');
    expect(await failureOf(repair(datastore, [], { reports: [other] }))).to.include({ status: 6 });
  });

  it('leaves a handle alone whose block changes between the two looks', async () => {
    const datastore = datastoreOf(
      [EMPTY, anAffinity('node-a', '10.0.0.0/26'), aHandle('lonely', { '10.0.0.0/26': 1 })],
      {
        live: true,
        onRequest: ({ verb, kind, nth }, self) => {
          if (verb === 'list' && kind === 'IPAMBlock' && nth === 2) self.put(EMPTY);
        },
      },
    );
    const { verdict } = await repair(datastore, ['orphan-handle']);
    expect(verdict).to.equal('refused');
    expect(datastore.writes).to.deep.equal([]);
  });

  it('remedies several faults of one block one after another', async () => {
    const rows = [
      aBlock('10.0.0.0/26', {}, { affinity: 'host:gone' }),
      anAffinity('gone', '10.0.0.0/26', { labelled: false, state: 'pendingDeletion' }),
    ];
    const datastore = datastoreOf(rows);
    const { document } = await repair(datastore, []);
    expect(datastore.all('IPAMBlock')).to.deep.equal([]);
    expect(datastore.all('BlockAffinity')).to.deep.equal([]);
    expect(document.totals.failed).to.equal(0);
  });
});

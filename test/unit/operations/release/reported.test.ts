import { expect } from 'chai';
import { readReport } from '../../../../src/check/read-report.ts';
import type { Row } from '../../../../src/ipam/model/row.ts';
import { planRelease } from '../../../../src/operations/release-addresses.ts';
import { runCheck } from '../../../../src/operations/run-check.ts';
import { stringifyJson } from '../../../../src/support/json.ts';
import {
  NOW,
  aBlock,
  aHandle,
  aNode,
  aPod,
  aPool,
  podSlot,
  withRows,
} from '../../../support/builders.ts';
import { aClusterInformation } from '../../../support/settings-builders.ts';
import { RowDatastore, type RowDatastoreOptions } from '../../../support/row-datastore.ts';
import { contextOf } from '../../../support/scripted-datastore.ts';
import { failureOf } from '../../../support/temp-folder.ts';
import { CHECK_OPTIONS } from '../../../support/writing-runs.ts';

const ROWS: readonly Row[] = [
  aClusterInformation(),
  aPool('main', '10.0.0.0/16'),
  aNode('node-a'),
  ...withRows(
    aBlock('10.0.0.0/28', { 1: podSlot('shop/a', 'node-a'), 2: podSlot('shop/b', 'node-a') }),
  ),
  aHandle('lonely', { '10.0.0.0/28': 1 }),
];

async function reportOf(datastore: RowDatastore): Promise<string> {
  const { report } = await runCheck(contextOf(datastore), { ...CHECK_OPTIONS, report: true });
  return stringifyJson(report);
}

async function release(datastore: RowDatastore, texts: readonly string[], waits: number[] = []) {
  const reports = texts.map((text, at) => readReport(text, `report-${at}.json`));
  const clock = {
    now: () => NOW,
    sleep: (milliseconds: number) => Promise.resolve(void waits.push(milliseconds)),
  };
  const mutation = await planRelease(contextOf(datastore, { clock }), {
    selector: { by: 'reports', reports },
    minAgeMs: 300_000,
    isForced: true,
    isMismatchAllowed: false,
  });
  return mutation.apply();
}

function datastoreOf(more: RowDatastoreOptions = {}): RowDatastore {
  return new RowDatastore(ROWS, more);
}

/** The report without what calicoctl does not write. */
function asCalicoctls(text: string): string {
  return text.replace(/,"tool":.*$/s, '}').replace(/,"block":"[^"]*"/g, '');
}

describe('operations/release --from-report', () => {
  it('releases addresses and handles of our report', async () => {
    const datastore = datastoreOf();
    const { document, verdict } = await release(datastore, [await reportOf(datastore)]);
    expect(verdict).to.equal('ok');
    expect(document.totals).to.include({ applied: 3 });
    expect(document.reports?.[0]).to.include({ file: 'report-0.json', ageSeconds: 0 });
    expect(datastore.all('IPAMHandle')).to.deep.equal([]);
    expect(document.notes).to.include(
      '--force counts with --ip, --handle and --pod only: here it lifts nothing.',
    );
  });

  it('reads a report of calicoctl, which names neither block nor time', async () => {
    const datastore = datastoreOf();
    const { document, verdict } = await release(datastore, [
      asCalicoctls(await reportOf(datastore)),
    ]);
    expect(verdict).to.equal('ok');
    expect(document.totals).to.include({ applied: 3 });
    expect(document.notes[0]).to.contain('does not say when');
  });

  it('finds nothing left to do the second time', async () => {
    const datastore = datastoreOf();
    const report = await reportOf(datastore);
    await release(datastore, [report]);
    const { document, verdict } = await release(datastore, [report]);
    expect(verdict).to.equal('ok');
    expect(document.totals).to.include({ applied: 0, already: 3 });
  });

  it('refuses an address that has changed hands, releases the rest, and force changes nothing', async () => {
    const datastore = datastoreOf();
    const report = await reportOf(datastore);
    const slots = { 1: podSlot('shop/a', 'node-a'), 2: podSlot('shop/new', 'node-a') };
    datastore.put(
      aBlock('10.0.0.0/28', slots, {
        sequenceNumbers: new Map([
          [1, 1764426000123456001n],
          [2, 7n],
        ]),
      }),
    );
    datastore.put(aPod('shop/new', 'node-a', '10.0.0.2'));
    const { document, verdict } = await release(datastore, [report]);
    expect(verdict).to.equal('partial');
    const results: Record<string, string> = Object.fromEntries(
      document.items.map(({ subject, result }) => [
        subject.address ?? subject.handle ?? '',
        result,
      ]),
    );
    expect(results).to.deep.equal({
      '10.0.0.1': 'applied',
      '10.0.0.2': 'skipped',
      lonely: 'applied',
    });
  });

  it('refuses an address that something alive carries now', async () => {
    const datastore = datastoreOf();
    const report = await reportOf(datastore);
    datastore.put(aPod('shop/a', 'node-a', '10.0.0.1'));
    datastore.put(aPod('shop/b', 'node-a', '10.0.0.2'));
    datastore.drop('IPAMHandle', 'lonely');
    const { verdict } = await release(datastore, [report]);
    expect(verdict).to.equal('refused');
    expect(datastore.writes).to.deep.equal([]);
  });

  it('refuses a handle that has changed since the report', async () => {
    const datastore = datastoreOf();
    const report = await reportOf(datastore);
    datastore.put(aHandle('lonely', { '10.0.0.0/28': 2 }));
    const { document } = await release(datastore, [report]);
    expect(document.items.find(({ subject }) => subject.handle === 'lonely')).to.include({
      result: 'skipped',
    });
    expect(datastore.all('IPAMHandle')).to.have.length(1);
  });

  it('keeps what all reports agree on', async () => {
    const datastore = datastoreOf();
    const first = await reportOf(datastore);
    const second = first.replace(/1764426000123456001/g, '1764426000123456009');
    const { document } = await release(datastore, [first, second]);
    expect(document.items.map(({ subject }) => subject.address ?? subject.handle)).to.deep.equal([
      '10.0.0.2',
      'lonely',
    ]);
  });

  it('refuses a report of another cluster, or of none, and nothing overrides that', async () => {
    const datastore = datastoreOf();
    const report = await reportOf(datastore);
    for (const guid of ['other', '']) {
      const text = report.replace(/"clusterGUID":"[^"]*"/, `"clusterGUID":"${guid}"`);
      expect(await failureOf(release(datastore, [text]))).to.include({ status: 6 });
    }
    expect(datastore.writes).to.deep.equal([]);
  });

  it('looks twice, some seconds apart, at handles of a report that is new or of unknown age', async () => {
    const datastore = datastoreOf({ live: true });
    const report = await reportOf(datastore);
    const waits: number[] = [];
    await release(datastore, [asCalicoctls(report)], waits);
    expect(waits).to.deep.equal([10_000]);
    const old = datastoreOf({ live: true });
    const early = (await reportOf(old)).replace(
      /"checkedAt":"[^"]*"/,
      '"checkedAt":"2026-11-29T11:00:00Z"',
    );
    await release(old, [early], waits);
    expect(waits).to.deep.equal([10_000]);
  });

  it('tells what is no report from a damaged one and from one of a newer form', () => {
    for (const text of [
      '',
      '[]',
      '{}',
      '{"clusterGUID":"x","allocations":{},"schemaVersion":2}',
      '{"clusterGUID":"x","allocations":{"a":[{"ip":"a","inUse":false}]}}',
    ]) {
      expect(() => readReport(text, 'r.json'), text)
        .to.throw()
        .with.property('status', 9);
    }
    expect(readReport('{"clusterGUID":"x","allocations":{}}', 'r.json').addresses).to.deep.equal(
      [],
    );
  });
});

import { expect } from 'chai';
import { SeededRandom } from '../hammer/random.ts';
import { importedObjects, importedRevisions } from '../support/import-ground.ts';
import { MigrationBench } from '../support/round-trip/bench.ts';
import { comparedCheck, type ComparedCheck } from '../support/round-trip/compare.ts';
import { isHealed } from '../support/round-trip/faults.ts';
import { emptyTarget } from '../support/round-trip/ground.ts';

/** Points at which an import is killed; CRASH_POINTS=50 for more, CRASH_NODES=200 for a larger cluster. */
const POINTS = Math.max(2, Number(process.env['CRASH_POINTS'] ?? 4));
const SIZE = { nodes: Number(process.env['CRASH_NODES'] ?? 40), podsPerNode: 10 };
const SEED = Number(process.env['CRASH_SEED'] ?? 1);

const GROUP = 'crd.projectcalico.org';

describe('e2e/migration killed by SIGKILL', function () {
  this.timeout(180_000 + POINTS * (30_000 + SIZE.nodes * 500));

  const random = new SeededRandom(SEED);
  let bench: MigrationBench;
  let atSource: ComparedCheck;
  let whole: Awaited<ReturnType<typeof importedObjects>>;
  let lines: number;

  before(async function () {
    const patienceMs = 300_000;
    bench = await MigrationBench.open(this, { group: GROUP, size: SIZE, patienceMs });
    const { names } = bench.cluster;
    atSource = comparedCheck(await bench.check(bench.etcd), names, isHealed);
    await bench.exportLocked();
  });
  after(() => bench.close());

  it('is the uninterrupted run to which the others are compared', async () => {
    await bench.import();
    whole = await importedObjects(bench.datastore);
    lines = bench.journalLines();
    expect(lines).to.be.greaterThan(bench.cluster.addresses);
  });

  it('ends as the uninterrupted run when it is resumed', async () => {
    let killed = 0;
    for (let nth = 0; nth < POINTS; nth++) {
      await emptyTarget(bench.api, GROUP);
      bench.forgetJournal();
      // One point in each part of the run, the last ones about its end.
      const point = Math.floor(((nth + random.next()) / (POINTS - 0.5)) * lines);
      const later = random.below(20);
      if (await bench.importKilled(point, later)) {
        killed++;
        if (nth > 0 && point < lines / 2) await expectLocked();
      }
      // Who was killed once may be killed once more.
      if (nth % 3 === 2)
        await bench.importKilled(bench.journalLines() + random.below(lines), later, '--resume');
      await bench.import(...(nth % 2 === 0 ? ['--resume'] : []));
      const told = `killed at line ${point} of ${lines}`;
      expect(await importedObjects(bench.datastore), told).to.deep.equal(whole);
      const atTarget = comparedCheck(await bench.check(bench.kubernetes));
      expect(atTarget, told).to.deep.equal(atSource);
    }
    expect(killed, 'runs that were killed before their end').to.be.at.least(Math.ceil(POINTS / 2));
    if (process.env['CRASH_POINTS'] !== undefined) {
      console.log(
        `      ${killed} of ${POINTS} runs were killed before their end; ${lines} lines a journal`,
      );
    }
  });

  /** What is half there must not be given out from. */
  async function expectLocked(): Promise<void> {
    const { status, stderr } = await bench.migrate(bench.kubernetes, 'unlock');
    expect(status, stderr).to.equal(6);
  }

  it('has nothing to write afterwards', async () => {
    const before = await importedRevisions(bench.datastore);
    expect((await bench.import('--resume')).totals.applied).to.equal(0);
    expect(await importedRevisions(bench.datastore)).to.deep.equal(before);
  });
});

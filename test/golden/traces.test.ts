import { expect } from 'chai';
import { join } from 'node:path';
import { DEPARTURES } from '../replay/departures.ts';
import { openMemoryStage } from '../replay/memory-stage.ts';
import { describe as describeDifference, tracesToReplay } from '../replay/replay-folder.ts';
import { type Difference, replayTrace } from '../replay/replay-trace.ts';
import { readTraces, type Trace, type TraceStep } from '../replay/trace.ts';

const FOLDER = join(import.meta.dirname, '..', 'traces');

async function differencesOf(trace: Trace): Promise<readonly Difference[]> {
  const stage = await openMemoryStage(trace.form);
  try {
    return await replayTrace(trace, stage);
  } finally {
    await stage.close();
  }
}

describe('golden/traces', () => {
  for (const trace of tracesToReplay(FOLDER)) {
    it(`gives the answers and rows of ${trace.name}`, async () => {
      expect((await differencesOf(trace)).map(describeDifference)).to.deep.equal([]);
    });
  }

  it('departs from the recordings in places that exist only', () => {
    const traces = readTraces(FOLDER);
    for (const { trace, step, reason } of DEPARTURES) {
      expect(traces.find(({ name }) => name === trace)?.steps.length, trace).to.be.above(step);
      expect(reason).to.match(/\S/);
    }
  });

  describe('the comparison', () => {
    const traces = readTraces(FOLDER);
    const original = traces.find(({ name }) => name === 'free-queue-order') as Trace;

    const withStep = (position: number, change: (step: TraceStep) => TraceStep): Trace => ({
      ...original,
      steps: original.steps.map((step, i) => (i === position ? change(step) : step)),
    });

    const firstAssignment = original.steps.findIndex(({ op }) => op === 'autoAssign');

    it('sees an answer that is not the recorded one', async () => {
      const trace = withStep(firstAssignment, (step) => ({
        ...step,
        result: { v4: null, v6: null },
      }));
      expect((await differencesOf(trace)).map(({ what }) => what)).to.deep.equal(['answer']);
    });

    it('sees a row that was not recorded, and one that is missing', async () => {
      const trace = withStep(firstAssignment, (step) => ({
        ...step,
        changes: step.changes.map((change, i) =>
          i === 0 ? { ...change, at: 'blockaffinities/other' } : change,
        ),
      }));
      const { at } = original.steps[firstAssignment]?.changes[0] ?? { at: '' };
      expect((await differencesOf(trace)).map(({ what }) => what).sort()).to.deep.equal(
        [at, 'blockaffinities/other'].sort(),
      );
    });

    it('sees one field of a row that is not the recorded one', async () => {
      const trace = withStep(firstAssignment, (step) => {
        const changes = JSON.parse(
          JSON.stringify(step.changes).replace('"S1+1"', '"S1+2"'),
        ) as TraceStep['changes'];
        return { ...step, changes };
      });
      const [difference, ...others] = await differencesOf(trace);
      expect(others).to.deep.equal([]);
      expect(difference?.what).to.match(/^ipamblocks\//);
    });
  });
});

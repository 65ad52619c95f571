import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { mapLimit } from '../../../src/support/map-limit.ts';

async function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('the promise was fulfilled');
}

describe('support/map-limit', () => {
  it('returns results in the order of the items, whichever ends first', async () => {
    const results = await mapLimit([3, 1, 2], { limit: 3 }, async (turns, position) => {
      for (let i = 0; i < turns; i++) await turn();
      return `${position}:${turns}`;
    });
    expect(results).to.deep.equal(['0:3', '1:1', '2:2']);
  });

  it('runs as many calls at a time as allowed and no more', async () => {
    let running = 0;
    let most = 0;
    await mapLimit(Array(20).keys(), { limit: 4 }, async () => {
      most = Math.max(most, ++running);
      await turn();
      running--;
    });
    expect(most).to.equal(4);
  });

  it('takes an empty list and a limit beyond the items', async () => {
    expect(await mapLimit([], { limit: 4 }, async () => 1)).to.deep.equal([]);
    expect(await mapLimit([1, 2], { limit: Infinity }, async (item) => item * 2)).to.deep.equal([
      2, 4,
    ]);
  });

  it('starts nothing new after a failure and waits for what runs', async () => {
    const ended: number[] = [];
    const error = await rejectionOf(
      mapLimit(Array(10).keys(), { limit: 2 }, async (item) => {
        if (item === 1) throw new Error('second');
        for (let i = 0; i < 3; i++) await turn();
        ended.push(item);
      }),
    );
    expect(error).to.have.property('message', 'second');
    expect(ended).to.deep.equal([0]);
  });

  it('reports a failure of the first call, and of a call that throws at once', async () => {
    expect(
      await rejectionOf(mapLimit([1], { limit: 1 }, () => Promise.reject(new Error('no')))),
    ).to.have.property('message', 'no');
    const thrown = rejectionOf(
      mapLimit([1, 2], { limit: 1 }, () => {
        throw new Error('at once');
      }),
    );
    expect(await thrown).to.have.property('message', 'at once');
  });

  it('stops with the reason of the signal', async () => {
    const controller = new AbortController();
    const started: number[] = [];
    const error = await rejectionOf(
      mapLimit(Array(10).keys(), { limit: 2, signal: controller.signal }, async (item) => {
        started.push(item);
        await turn();
        if (item === 1) controller.abort(new Error('interrupted'));
      }),
    );
    expect(error).to.have.property('message', 'interrupted');
    expect(started.length).to.be.lessThan(5);
  });

  it('starts nothing under a signal that is aborted already', async () => {
    const error = await rejectionOf(
      mapLimit([1], { limit: 1, signal: AbortSignal.abort(new Error('before')) }, async () => {
        throw new Error('started');
      }),
    );
    expect(error).to.have.property('message', 'before');
  });

  it('closes the source of the items after a failure', async () => {
    let closed = false;
    function* items() {
      try {
        yield 1;
        yield 2;
      } finally {
        closed = true;
      }
    }
    await rejectionOf(mapLimit(items(), { limit: 1 }, () => Promise.reject(new Error('no'))));
    expect(closed).to.equal(true);
  });

  it('refuses a limit below one', async () => {
    expect(await rejectionOf(mapLimit([1], { limit: 0 }, async () => 1))).to.be.instanceOf(
      RangeError,
    );
    expect(await rejectionOf(mapLimit([1], { limit: NaN }, async () => 1))).to.be.instanceOf(
      RangeError,
    );
  });
});

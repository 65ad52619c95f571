import { expect } from 'chai';
import { openCancellation } from '../../../src/cli/signals.ts';
import { CancelledError } from '../../../src/errors/cancelled-error.ts';
import { UnavailableError } from '../../../src/errors/unavailable-error.ts';

function reasonOf(signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) =>
    signal.addEventListener('abort', () => resolve(signal.reason), { once: true }),
  );
}

describe('cli/signals', () => {
  for (const [name, status] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    it(`aborts with status ${status} on ${name}, and listens no more`, () => {
      const listeners = process.listenerCount(name);
      const { signal } = openCancellation(undefined);
      // Only ours: the test runner listens as well.
      process.listeners(name).at(-1)?.(name);
      expect(signal.reason).to.be.instanceOf(CancelledError);
      expect((signal.reason as CancelledError).status).to.equal(status);
      expect(process.listenerCount(name)).to.equal(listeners);
    });
  }

  it('aborts as unavailable when the time is over', async () => {
    const { signal, release } = openCancellation(5);
    const reason = await reasonOf(signal);
    release();
    expect(reason).to.be.instanceOf(UnavailableError);
    expect((reason as UnavailableError).message).to.equal('not done within 0.005 seconds');
  });

  it('has no limit when the time is 0, as kubectl', async () => {
    const { signal, release } = openCancellation(0);
    await new Promise((resolve) => setTimeout(resolve, 5));
    release();
    expect(signal.aborted).to.equal(false);
  });

  it('takes every listener back', () => {
    const before = process.listenerCount('SIGINT');
    openCancellation(60_000).release();
    expect(process.listenerCount('SIGINT')).to.equal(before);
  });
});

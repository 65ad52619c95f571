import { expect } from 'chai';
import { CallSignals } from '../../../src/datastore/call-signals.ts';
import { InternalError } from '../../../src/errors/internal-error.ts';

describe('datastore/call-signals', () => {
  it('is the one signal that there is, and none where there is none', () => {
    const { signal } = new AbortController();
    expect(new CallSignals(undefined).of(undefined)).to.equal(undefined);
    expect(new CallSignals(signal).of(undefined)).to.equal(signal);
    expect(new CallSignals(undefined).of(signal)).to.equal(signal);
  });

  it('ends a call with either signal, for its reason', () => {
    for (const aborted of ['connection', 'call'] as const) {
      const sides = { connection: new AbortController(), call: new AbortController() };
      const signals = new CallSignals(sides.connection.signal);
      const joined = signals.of(sides.call.signal);
      expect(joined?.aborted).to.equal(false);
      const reason = new Error(aborted);
      sides[aborted].abort(reason);
      expect(joined?.reason).to.equal(reason);
      expect(() => signals.of(sides.call.signal)).to.throw(reason);
    }
  });

  it('joins the signal of many calls once', () => {
    const signals = new CallSignals(new AbortController().signal);
    const [one, other] = [new AbortController().signal, new AbortController().signal];
    expect(signals.of(one)).to.equal(signals.of(one));
    expect(signals.of(one)).not.to.equal(signals.of(other));
  });

  it('refuses calls once it is closed', () => {
    const signals = new CallSignals(undefined);
    signals.close();
    expect(() => signals.of(undefined)).to.throw(InternalError, 'after it had been closed');
  });
});

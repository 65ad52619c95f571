import { expect } from 'chai';
import { openClock } from '../../../src/cli/clock.ts';
import { UsageError } from '../../../src/errors/usage-error.ts';

describe('cli/clock', () => {
  it('stands at IPAMCTL_NOW', () => {
    expect(openClock({ IPAMCTL_NOW: '2026-11-29T13:00:00+01:00' }).now()).to.equal(
      Date.UTC(2026, 10, 29, 12),
    );
  });

  it('goes with the system otherwise', () => {
    const before = Date.now();
    expect(openClock({}).now()).to.be.at.least(before);
    expect(openClock({ IPAMCTL_NOW: '' }).now()).to.be.at.least(before);
  });

  it('refuses what is no time, and names the variable', () => {
    expect(() => openClock({ IPAMCTL_NOW: 'yesterday' })).to.throw(UsageError, 'IPAMCTL_NOW');
  });

  it('ends a sleep with the reason of the abort', async () => {
    const controller = new AbortController();
    const sleep = openClock({}).sleep(60_000, controller.signal);
    const reason = new Error('enough');
    controller.abort(reason);
    expect(await sleep.catch((error: unknown) => error)).to.equal(reason);
  });

  it('sleeps', async () => {
    const before = Date.now();
    await openClock({}).sleep(5);
    expect(Date.now()).to.be.at.least(before + 4);
  });
});

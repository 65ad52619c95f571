import { expect } from 'chai';
import { parseDuration } from '../../../src/cli/duration.ts';
import { UsageError } from '../../../src/errors/usage-error.ts';

describe('cli/duration', () => {
  const good: readonly (readonly [string, number])[] = [
    ['0', 0],
    ['0s', 0],
    ['250ms', 250],
    ['60s', 60_000],
    ['5m', 300_000],
    ['1h30m', 5_400_000],
    ['1.5h', 5_400_000],
    ['2d', 172_800_000],
  ];
  for (const [text, milliseconds] of good) {
    it(`reads ${text} as ${milliseconds} milliseconds`, () => {
      expect(parseDuration(text, 'min-age')).to.equal(milliseconds);
    });
  }

  for (const text of ['', '5', '-5s', '5 m', '5x', 's', '1h5', '1e3s', '5M']) {
    it(`refuses ${JSON.stringify(text)} and names the flag`, () => {
      expect(() => parseDuration(text, 'min-age')).to.throw(UsageError, '--min-age');
    });
  }
});

describe('cli/duration limits', () => {
  it('takes no more than a timer can wait', () => {
    expect(parseDuration('24d', 'timeout')).to.equal(24 * 86_400_000);
    expect(() => parseDuration('30d', 'timeout')).to.throw(UsageError, /30d is too long/);
  });
});

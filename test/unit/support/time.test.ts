import { expect } from 'chai';
import { formatTime, parseGoTime, parseTime, formatGoTime } from '../../../src/support/time.ts';

const noon = Date.UTC(2026, 10, 29, 12);

describe('support/time', () => {
  it('reads RFC 3339 with and without fraction and zone', () => {
    expect(parseTime('2026-11-29T12:00:00Z')).to.equal(noon);
    expect(parseTime('2026-11-29T12:00:00.123456789Z')).to.equal(noon + 123);
    expect(parseTime('2026-11-29T14:30:00+02:30')).to.equal(noon);
    expect(parseTime('2026-11-29T07:00:00-05:00')).to.equal(noon);
    expect(parseTime('2016-12-31T23:59:60Z')).to.equal(Date.UTC(2017, 0, 1));
    expect(parseTime('2024-02-29T00:00:00Z')).to.equal(Date.UTC(2024, 1, 29));
    expect(parseTime('2026-10-31T23:59:59Z')).to.equal(Date.UTC(2026, 9, 31, 23, 59, 59));
  });

  it('reads the times that Go prints', () => {
    expect(parseGoTime('2026-11-29 12:00:00.5 +0000 UTC')).to.equal(noon + 500);
    expect(parseGoTime('2026-11-29 12:00:00 +0000 UTC m=+0.5')).to.equal(noon);
    expect(parseGoTime('2026-11-29 13:00:00 +0100 CET')).to.equal(noon);
    expect(parseGoTime('2026-11-29T12:00:00Z')).to.equal(noon);
  });

  for (const text of [
    '',
    'yesterday',
    '2026-02-31T00:00:00Z',
    '2026-02-29T00:00:00Z',
    '2026-11-31T00:00:00Z',
    '2026-11-32T00:00:00Z',
    '2026-11-00T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-11-29',
    '2026-11-29T24:00:00Z',
    '2026-11-29 12:00:00',
  ]) {
    it(`takes "${text}" for no time`, () => {
      expect(parseTime(text)).to.equal(undefined);
      expect(parseGoTime(text)).to.equal(undefined);
    });
  }

  it('prints RFC 3339 in UTC', () => {
    expect(formatTime(noon)).to.equal('2026-11-29T12:00:00Z');
    expect(formatTime(noon + 5)).to.equal('2026-11-29T12:00:00.005Z');
  });

  it('prints times as Go does, and reads them again', () => {
    const texts = [
      [Date.UTC(2026, 10, 29, 12), '2026-11-29 12:00:00 +0000 UTC'],
      [Date.UTC(2026, 10, 29, 12, 0, 10, 500), '2026-11-29 12:00:10.5 +0000 UTC'],
      [Date.UTC(2026, 10, 29, 12, 0, 0, 7), '2026-11-29 12:00:00.007 +0000 UTC'],
    ] as const;
    for (const [time, text] of texts) {
      expect(formatGoTime(time)).to.equal(text);
      expect(parseGoTime(text)).to.equal(time);
    }
  });
});

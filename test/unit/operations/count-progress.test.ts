import { expect } from 'chai';
import { countProgress } from '../../../src/operations/count-progress.ts';

function recorder() {
  const texts: string[] = [];
  const ports = {
    time: 1000,
    clock: { now: () => ports.time, sleep: () => Promise.resolve() },
    progress: {
      step: () => undefined,
      warn: () => undefined,
      count: (text: string) => void texts.push(text),
    },
  };
  return { texts, ports };
}

describe('operations/count-progress', () => {
  it('tells counts and rate a few times a second, and the end', () => {
    const { texts, ports } = recorder();
    const tell = countProgress({ what: 'importing', total: 500 }, ports);
    for (let i = 0; i < 500; i++) {
      ports.time += 2;
      tell();
    }
    expect(texts.length).to.be.within(5, 7);
    expect(texts[0]).to.equal('importing: 1 of 500, 500 a second');
    expect(texts.at(-1)).to.equal('importing: 500 of 500, 500 a second');
  });

  it('knows no rate at first, and no total where there is none', () => {
    const { texts, ports } = recorder();
    countProgress({ what: 'reading rows' }, ports)(70);
    expect(texts).to.deep.equal(['reading rows: 70']);
  });

  it('tells nobody where nobody counts along', () => {
    const { ports } = recorder();
    const { step, warn } = ports.progress;
    expect(() =>
      countProgress({ what: 'x' }, { ...ports, progress: { step, warn } })(),
    ).not.to.throw();
  });
});

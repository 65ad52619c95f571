import { expect } from 'chai';
import { terminalOf } from '../../../src/cli/terminal.ts';

describe('cli/terminal', () => {
  const terminal = { isTTY: true, columns: 120 };
  const pipe = { isTTY: undefined, columns: undefined };

  it('takes width and colour from a terminal', () => {
    expect(terminalOf(terminal, { COLUMNS: '60' }, false)).to.deep.equal({
      width: 120,
      hasColor: true,
    });
  });

  it('falls back on 80 columns where a terminal does not know its width', () => {
    expect(terminalOf({ isTTY: true, columns: 0 }, {}, false).width).to.equal(80);
  });

  it('limits nothing and paints nothing in a pipe', () => {
    expect(terminalOf(pipe, {}, false)).to.deep.equal({
      width: Number.POSITIVE_INFINITY,
      hasColor: false,
    });
    expect(terminalOf(pipe, { COLUMNS: 'wide' }, false).width).to.equal(Number.POSITIVE_INFINITY);
  });

  it('takes the width of a pipe from COLUMNS', () => {
    expect(terminalOf(pipe, { COLUMNS: '60' }, false).width).to.equal(60);
  });

  it('paints nothing when asked not to', () => {
    expect(terminalOf(terminal, {}, true).hasColor).to.equal(false);
    expect(terminalOf(terminal, { NO_COLOR: '1' }, false).hasColor).to.equal(false);
    expect(terminalOf(terminal, { TERM: 'dumb' }, false).hasColor).to.equal(false);
  });

  it('does not take an empty NO_COLOR for a wish', () => {
    expect(terminalOf(terminal, { NO_COLOR: '' }, false).hasColor).to.equal(true);
  });
});

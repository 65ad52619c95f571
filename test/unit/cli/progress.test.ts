import { expect } from 'chai';
import { TerminalProgress } from '../../../src/cli/progress.ts';

/** A stream that records what is written. */
function recorder(isTTY: boolean): { stream: NodeJS.WriteStream; text: () => string } {
  let written = '';
  const write = (text: string): boolean => {
    written += text;
    return true;
  };
  return { stream: { isTTY, write } as unknown as NodeJS.WriteStream, text: () => written };
}

describe('cli/progress', () => {
  it('says nothing about steps when no terminal watches', () => {
    const { stream, text } = recorder(false);
    new TerminalProgress({ stream, quiet: false, verbose: false }).step('reading pods');
    expect(text()).to.equal('');
  });

  it('writes a line a step when verbose', () => {
    const { stream, text } = recorder(false);
    new TerminalProgress({ stream, quiet: false, verbose: true }).step('reading \u001b[2Jpods');
    expect(text()).to.equal('reading \\x1b[2Jpods\n');
  });

  it('writes warnings', () => {
    const { stream, text } = recorder(false);
    new TerminalProgress({ stream, quiet: false, verbose: false }).warn('odd');
    expect(text()).to.equal('Warning: odd\n');
  });

  it('keeps quiet when told', () => {
    const { stream, text } = recorder(false);
    const progress = new TerminalProgress({ stream, quiet: true, verbose: false });
    progress.step('reading pods');
    progress.warn('odd');
    expect(text()).to.equal('');
  });

  it('shows nothing on a terminal for a step that is over at once, and nothing after the end', () => {
    const { stream, text } = recorder(true);
    const progress = new TerminalProgress({ stream, quiet: false, verbose: false });
    progress.step('reading pods');
    progress.stop();
    progress.step('late');
    expect(text()).to.equal('');
  });
});

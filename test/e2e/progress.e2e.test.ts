import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect } from 'chai';

const BIN = join(import.meta.dirname, '..', '..', 'bin', 'run.js');
const SNAPSHOT = 'examples/troubled-cluster.yaml.gz';

describe('progress on a terminal', function () {
  this.timeout(60_000);

  before(function () {
    // `script` gives the program a terminal of its own.
    if (spawnSync('script', ['--version']).status === 0) return;
    if (process.env['CI']) throw new Error('there is no `script` to make a terminal');
    console.warn('    There is no `script` here to make a terminal.');
    this.skip();
  });

  function onTerminal(columns: number, ...args: string[]): { status: number | null; text: string } {
    const words = [process.execPath, BIN, ...args].map((word) => `'${word}'`).join(' ');
    // Input that comes late, so that there is time to turn.
    const command = `stty cols ${columns}; (sleep 1; gunzip -c ${SNAPSHOT}) | ${words}`;
    const { status, stdout } = spawnSync('script', ['-qec', command, '/dev/null'], {
      encoding: 'utf8',
      timeout: 30_000,
      env: { ...process.env, TERM: 'xterm', NO_COLOR: undefined, CI: undefined },
    });
    return { status, text: stripVTControlCharacters(stdout) };
  }

  it('turns a spinner that tells what goes on, and takes it away before the result', () => {
    const { status, text } = onTerminal(100, 'ipam', 'check', '--snapshot', '-');
    expect(text).to.match(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] (?:reading|judging|opening)/);
    expect(text.lastIndexOf('reading')).to.be.below(text.indexOf('Check of the snapshot'));
    expect(text).to.contain('problems');
    expect(status).to.equal(1);
  });

  it('shows the result alone on a terminal without a size', () => {
    const { status, text } = onTerminal(0, 'ipam', 'check', '--snapshot', '-');
    expect(text).not.to.match(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/);
    expect(text).to.contain('Check of the snapshot');
    expect(status).to.equal(1);
  });

  it('shows nothing of it when quiet', () => {
    const { text } = onTerminal(100, 'ipam', 'check', '--snapshot', '-', '--quiet');
    expect(text).not.to.match(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/);
  });
});

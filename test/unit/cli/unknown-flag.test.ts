import { Errors, Flags, Parser } from '@oclif/core';
import { expect } from 'chai';
import { toToolError } from '../../../src/cli/report-error.ts';

const FLAGS = { leaked: Flags.boolean(), 'show-blocks': Flags.boolean(), ip: Flags.string() };

/** What is told of a command line that oclif refuses. */
async function errorOf(...argv: readonly string[]) {
  const refusal: unknown = await Parser.parse([...argv], { flags: FLAGS }).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(refusal).to.be.instanceOf(Errors.CLIError);
  return toToolError(refusal);
}

describe('cli/unknown-flag', () => {
  it('names the flags that are near', async () => {
    const error = await errorOf('--leked');
    expect(error).to.include({ message: 'nonexistent flag: --leked', status: 2 });
    expect(error.hint).to.equal('did you mean --leaked?');
    expect((await errorOf('--blocks')).hint).to.equal('did you mean --show-blocks?');
  });

  it('points at the help where none is near, and for other errors', async () => {
    for (const argv of [['--frobnicate'], ['-x'], ['--ip']])
      expect((await errorOf(...argv)).hint, argv.join()).to.contain('--help');
  });
});

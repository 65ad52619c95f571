import { type Interfaces, Parser } from '@oclif/core';
import { expect } from 'chai';
import { checkFlags } from '../../../src/cli/check-flags.ts';
import { commonFlags } from '../../../src/cli/flags.ts';
import { repairFlags } from '../../../src/cli/repair-flags.ts';
import { toToolError } from '../../../src/cli/report-error.ts';

const COMMANDS: Readonly<Record<'check' | 'repair', Interfaces.FlagInput>> = {
  check: checkFlags,
  repair: repairFlags,
};

/** What is told of a command line of `ipam check` or `ipam repair`; undefined when it parses. */
async function refusalOf(command: keyof typeof COMMANDS, argv: readonly string[]) {
  const flags = { ...commonFlags, ...COMMANDS[command] };
  return Parser.parse([...argv], { flags }).then(
    () => undefined,
    (error: unknown) => toToolError(error),
  );
}

describe('cli/flags', () => {
  for (const [command, argv, flag] of [
    ['check', ['--snapshot', ''], 'snapshot'],
    ['check', ['--only', ''], 'only'],
    ['check', ['--skip='], 'skip'],
    ['repair', ['--only', ''], 'only'],
  ] as const) {
    it(`names the empty value of ${command} ${argv.join(' ')}`, async () => {
      const error = await refusalOf(command, argv);
      expect(error).to.include({ message: `--${flag} is empty`, status: 2 });
      expect(error?.hint).to.equal('give it a value, or leave it out');
    });
  }

  it('takes values that say something, several codes as one', async () => {
    const argv = ['--only', 'leaked-address,orphan-handle', '--snapshot', '-'];
    expect(await refusalOf('check', argv)).to.equal(undefined);
  });
});

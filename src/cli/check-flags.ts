import { Flags } from '@oclif/core';
import { UsageError } from '../errors/usage-error.ts';
import type { CheckOptions } from '../operations/run-check.ts';
import { FORMATS, type Format } from '../render/format.ts';
import { durationFlag, formatFlag, nonEmpty } from './flags.ts';

const RULES = 'RULES';
/** Younger than this, an allocation or row may belong to something that is not visible yet. */
const DEFAULT_MIN_AGE_MS = 300_000;

/** Flags of `ipam check`. */
export const checkFlags = {
  'show-all-ips': Flags.boolean({ summary: 'List every allocated address, and every finding.' }),
  'show-problem-ips': Flags.boolean({
    summary: 'List every finding, not only the first ten of a code.',
  }),
  output: Flags.string({
    char: 'o',
    helpValue: 'FILE',
    summary: 'Write the report that ipam release reads.',
  }),
  format: formatFlag(FORMATS),
  'fail-on': Flags.option({
    options: ['error', 'warning', 'info', 'never'] as const,
    default: 'error' as const,
    summary: 'Severity of a finding from which the exit status is 1.',
  })(),
  'allow-partial': Flags.boolean({
    summary: 'Exit 0 even when some rules could not be evaluated.',
  }),
  only: codeFlag('Evaluate these rules only.'),
  skip: codeFlag('Leave these rules out.'),
  'min-age': durationFlag({
    default: DEFAULT_MIN_AGE_MS,
    defaultHelp: () => Promise.resolve('5m'),
    helpGroup: RULES,
    summary: 'What is younger is not called stuck or releasable.',
  }),
  recheck: durationFlag({
    helpGroup: RULES,
    summary: 'Look again after this long and keep what both looks find.',
  }),
  explain: Flags.string({
    helpGroup: RULES,
    helpValue: 'CODE',
    summary: 'Say what a rule means; opens no datastore.',
    exclusive: ['output', 'only', 'skip', 'recheck', 'show-all-ips', 'show-problem-ips'],
  }),
};

/** Values of {@link checkFlags} that decide what is checked. */
export interface CheckFlags {
  readonly 'show-all-ips': boolean;
  readonly output?: string | undefined;
  readonly 'fail-on': CheckOptions['failOn'];
  readonly 'allow-partial': boolean;
  readonly only?: readonly string[] | undefined;
  readonly skip?: readonly string[] | undefined;
  readonly 'min-age': number;
  readonly recheck?: number | undefined;
  readonly format: Format;
}

/** Options of the operation. @throws {@link UsageError} when a rule is both asked for and left out. */
export function checkOptionsFrom(flags: CheckFlags): CheckOptions {
  const both = flags.only?.find((code) => flags.skip?.includes(code));
  if (both !== undefined) throw new UsageError(`${both} is named by --only and by --skip`);
  return {
    failOn: flags['fail-on'],
    only: flags.only ?? [],
    skip: flags.skip ?? [],
    minAgeMs: flags['min-age'],
    recheckMs: flags.recheck,
    allowPartial: flags['allow-partial'],
    showAllIps: flags['show-all-ips'],
    // A page has room for the maps; the exit status is the same in every format.
    utilization: flags.format === 'html',
    report: flags.output !== undefined,
  };
}

function codeFlag(summary: string) {
  return Flags.string({
    multiple: true,
    delimiter: ',',
    helpGroup: RULES,
    helpValue: 'CODE',
    summary,
    parse: nonEmpty,
  });
}

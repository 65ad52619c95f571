import { Flags } from '@oclif/core';
import { undoFlag, writeFlags, yesFlag } from './write-flags.ts';

const SETTINGS = 'SETTINGS';

/** Flags of `ipam configure`; values are texts, so that each is judged with its name. */
export const configureFlags = {
  strictaffinity: Flags.string({
    helpGroup: SETTINGS,
    helpValue: 'true|false',
    summary: 'Whether nodes take addresses from their own blocks only.',
  }),
  'auto-allocate-blocks': Flags.string({
    helpGroup: SETTINGS,
    helpValue: 'true|false',
    summary: 'Whether nodes claim blocks by themselves.',
  }),
  'max-blocks-per-host': Flags.string({
    helpGroup: SETTINGS,
    helpValue: 'N',
    summary: 'Most blocks of a node and IP version; 0 for the limit that is built in.',
  }),
  'kubevirt-ip-persistence': Flags.string({
    helpGroup: SETTINGS,
    helpValue: 'Enabled|Disabled',
    summary: 'Whether a virtual machine keeps its addresses when its pod changes.',
  }),
  'ip-cooldown-seconds': Flags.string({
    helpGroup: SETTINGS,
    helpValue: 'N',
    summary: 'How long a released address is kept back, 0 to 1200.',
  }),
  reset: Flags.boolean({
    summary: 'Take the stored configuration away, so that the built-in values hold.',
  }),
  ...writeFlags,
  yes: yesFlag('With --reset: do not ask before writing; without it nothing is asked.'),
  ...undoFlag,
};

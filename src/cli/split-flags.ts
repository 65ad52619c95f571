import { Flags } from '@oclif/core';
import { undoFlag, writeFlags, yesFlag } from './write-flags.ts';

const WHAT = 'WHICH POOL';

/** Flags of `ipam split`. */
export const splitFlags = {
  cidr: Flags.string({
    helpGroup: WHAT,
    helpValue: 'CIDR',
    summary: 'The pool of this CIDR; host bits do not matter.',
  }),
  name: Flags.string({
    helpGroup: WHAT,
    helpValue: 'NAME',
    summary: 'The pool of this name; beside --cidr both must agree.',
  }),
  undo: Flags.boolean({ summary: 'Make the pool whole again.' }),
  force: Flags.boolean({ summary: 'Do not demand that the datastore is locked.' }),
  ...writeFlags,
  yes: yesFlag('With --undo: do not ask before writing; without it nothing is asked.'),
  ...undoFlag,
};

import { Flags } from '@oclif/core';
import { durationFlag, formatFlag } from './flags.ts';

const WRITING = 'WRITING';

/** Younger than this, an allocation or row may belong to something that is not visible yet. */
const DEFAULT_MIN_AGE_MS = 300_000;

/** Flags of every command that writes, and asks before. */
export const writeFlags = {
  'dry-run': Flags.boolean({ helpGroup: WRITING, summary: 'Print the plan and write nothing.' }),
  yes: yesFlag('Do not ask before writing.'),
  format: formatFlag(),
};

/** Flags of a command that writes and never asks: `--yes` is taken, so that scripts need not tell, and not offered. */
export const unaskedWriteFlags = {
  ...writeFlags,
  yes: Flags.boolean({ helpGroup: WRITING, hidden: true, summary: 'Nothing is asked anyway.' }),
};

/** The flag that answers the question beforehand, of a command that does not always ask. */
export function yesFlag(summary: string) {
  return Flags.boolean({ helpGroup: WRITING, summary });
}

/** The flag of commands that write an undo file. */
export const undoFlag = {
  'undo-file': Flags.string({
    helpGroup: WRITING,
    helpValue: 'FILE',
    summary:
      'Where to record the changes for ipam restore, if not in the state folder; an interrupted run goes on with it.',
  }),
};

/** The flag that says what is left alone for its youth. */
export const minAgeFlag = durationFlag({
  default: DEFAULT_MIN_AGE_MS,
  defaultHelp: () => Promise.resolve('5m'),
  helpGroup: WRITING,
  summary: 'What is younger is left alone.',
});

/** Values of {@link writeFlags} that decide whether anything is written. */
export interface WriteFlags {
  readonly 'dry-run': boolean;
  readonly yes: boolean;
}

import { Flags } from '@oclif/core';
import { nonEmpty } from './flags.ts';
import { minAgeFlag, undoFlag, writeFlags } from './write-flags.ts';

const WHAT = 'WHAT TO REPAIR';

/** Flags of `ipam repair`. */
export const repairFlags = {
  only: Flags.string({
    helpGroup: WHAT,
    helpValue: 'CODE',
    multiple: true,
    multipleNonGreedy: true,
    delimiter: ',',
    summary: 'Findings of these codes.',
    parse: nonEmpty,
  }),
  'from-report': Flags.string({
    helpGroup: WHAT,
    helpValue: 'FILE',
    multiple: true,
    multipleNonGreedy: true,
    summary: 'Findings of this report of ipam check; with several, those of all of them.',
  }),
  'min-age': minAgeFlag,
  ...writeFlags,
  ...undoFlag,
};

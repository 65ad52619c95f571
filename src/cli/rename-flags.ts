import { Flags } from '@oclif/core';
import { undoFlag, writeFlags } from './write-flags.ts';

/** Flags of `datastore migrate rename-node`. */
export const renameFlags = {
  map: Flags.string({
    helpValue: 'FILE',
    summary:
      'Rename all nodes of this YAML or JSON object of old and new names; - for standard input.',
  }),
  ...writeFlags,
  ...undoFlag,
};

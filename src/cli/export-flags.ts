import { Flags } from '@oclif/core';
import type { ExportOptions } from '../operations/export/export-options.ts';
import { formatFlag } from './flags.ts';

/** Flags of `datastore migrate export`. */
export const exportFlags = {
  output: Flags.string({
    char: 'o',
    helpValue: 'FILE',
    required: true,
    summary: 'Where the migration file goes; - for stdout.',
  }),
  'skip-node': Flags.string({
    helpValue: 'NAME',
    multiple: true,
    summary: 'Leave a node out, with its blocks, rows and host endpoints; by its name in etcd.',
  }),
  'dry-run': Flags.boolean({ summary: 'Print what would be exported and write nothing.' }),
  format: formatFlag(),
};

/** Values of {@link exportFlags} that decide what is exported. */
export interface ExportFlags {
  readonly 'skip-node'?: readonly string[] | undefined;
  readonly 'allow-version-mismatch': boolean;
}

/** Options of the operation. */
export function exportOptionsFrom(flags: ExportFlags): ExportOptions {
  return {
    skipNodes: flags['skip-node'] ?? [],
    isMismatchAllowed: flags['allow-version-mismatch'],
  };
}

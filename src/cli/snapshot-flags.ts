import { randomBytes } from 'node:crypto';
import { Flags } from '@oclif/core';
import type { SnapshotOptions } from '../operations/snapshot-datastore.ts';
import { formatFlag } from './flags.ts';

const LEVELS = ['names', 'all'] as const;

/** Length of a key that nobody can try out. */
const KEY_BYTES = 32;

/** Flags of `datastore snapshot`. */
export const snapshotFlags = {
  output: Flags.string({
    char: 'o',
    helpValue: 'FILE',
    required: true,
    summary: 'Where the snapshot goes; compressed if it ends in .gz; - for stdout.',
  }),
  redact: Flags.option({
    options: LEVELS,
    helpValue: 'names|all',
    summary: 'Replace names, or all names and addresses; names when no value follows.',
  })(),
  'dry-run': Flags.boolean({ summary: 'Read and count, but write nothing.' }),
  format: formatFlag(),
};

/** Values of {@link snapshotFlags} that decide what is written. */
export interface SnapshotFlags {
  readonly redact?: (typeof LEVELS)[number] | undefined;
  readonly 'dry-run': boolean;
}

/** Options of the operation. The key of the pseudonyms is made here and kept nowhere. */
export function snapshotOptionsFrom(flags: SnapshotFlags): SnapshotOptions {
  const { redact: level } = flags;
  const redaction = level && { level, key: randomBytes(KEY_BYTES) };
  return { redaction, isDryRun: flags['dry-run'] };
}

/** Gives `--redact` its value where it stands alone, which the parser of flags does not know. */
export function withRedactValue(argv: readonly string[]): string[] {
  return argv.map((argument, i) => {
    const isAlone = argument === '--redact' && !LEVELS.some((level) => level === argv[i + 1]);
    return isAlone ? '--redact=names' : argument;
  });
}

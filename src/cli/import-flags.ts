import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { Flags } from '@oclif/core';
import type { SourceDescription } from '../datastore/datastore.ts';
import { calicoGroupOf, type Definition } from '../datastore/definitions.ts';
import { openDefinitions, openMigrationFile } from '../datastore/open-datastore.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { ImportOptions } from '../operations/import/import-options.ts';
import type { CommonFlags } from './flags.ts';
import { unaskedWriteFlags, undoFlag } from './write-flags.ts';

/** Writes in flight, unless the user says otherwise. */
const CONCURRENCY = 16;

/** More writes in flight than this only wait for each other. */
const MOST_CONCURRENT = 256;

/** Where Calico keeps its data unless it is told otherwise. */
const OLDER_GROUP = 'crd.projectcalico.org/v1';

/** Characters of a digest in a file's name: enough to tell files and clusters apart. */
const NAME_LENGTH = 16;

/** Flags of `datastore migrate import`. */
export const importFlags = {
  filename: Flags.string({
    char: 'f',
    helpValue: 'FILE',
    required: true,
    summary: 'The migration file, plain or gzip; - for stdin.',
  }),
  resume: Flags.boolean({
    summary: 'Go on with an import that was interrupted; where none was, this is a plain one.',
  }),
  crds: Flags.string({
    helpValue: 'PATH',
    summary: "File or folder of Calico's definitions; those that the cluster lacks are installed.",
  }),
  concurrency: Flags.integer({
    helpValue: 'N',
    min: 1,
    max: MOST_CONCURRENT,
    default: CONCURRENCY,
    summary: 'Writes in flight.',
  }),
  ...unaskedWriteFlags,
  ...undoFlag,
};

/**
 * Opens the file to import.
 * @throws {@link UsageError} when stdin should be two files at once, {@link DataError} when it cannot be read.
 */
export async function openImportFile(
  flags: CommonFlags & { readonly filename: string },
): Promise<ImportOptions['source']> {
  if (flags.filename === '-' && flags.snapshot === '-') {
    throw new UsageError('--filename and --snapshot cannot both be standard input');
  }
  return openMigrationFile(flags.filename);
}

/** Definitions to install first, and the API group for a cluster that has neither data nor definitions of Calico. */
export interface ImportDefinitions {
  readonly definitions?: readonly Definition[] | undefined;
  readonly groupIfAbsent: string;
}

/**
 * Reads the definitions that are to be installed.
 * @throws {@link DataError} when they cannot be read.
 */
export async function openImportDefinitions({
  crds,
}: {
  readonly crds?: string | undefined;
}): Promise<ImportDefinitions> {
  if (crds === undefined) return { groupIfAbsent: OLDER_GROUP };
  const definitions = await openDefinitions(crds);
  return { definitions, groupIfAbsent: calicoGroupOf(definitions) ?? OLDER_GROUP };
}

/** Name of the journal of an import: one for each pair of file and target. */
export function journalName(digest: string, target: SourceDescription): string {
  const { datastore, server, apiGroup, file } = target;
  const place = [datastore, server, apiGroup, file === undefined ? undefined : resolve(file)];
  const hash = createHash('sha256').update(JSON.stringify(place)).digest('hex');
  return `${digest.slice(0, NAME_LENGTH)}-${hash.slice(0, NAME_LENGTH)}.jsonl`;
}

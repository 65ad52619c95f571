import { DataError } from '../../errors/data-error.ts';
import type { JsonValue } from '../../ipam/model/resource.ts';
import { isObject } from '../codec/fields.ts';
import { MemoryDatastore } from '../memory/memory-datastore.ts';
import {
  digestBeforeHash,
  digestOfMigration,
  isMigrationFile,
  type MigrationEntry,
  type MigrationFile,
  type MigrationSource,
  parseMigrationFile,
} from '../migration-file.ts';
import { readDocuments } from './documents.ts';
import { ObjectCollector } from './object-collector.ts';
import { readSource, type SourceOptions, type SourceText } from './read-source.ts';

/**
 * Opens a migration file, plain or gzip, to be imported.
 * @param path A file; `-` is standard input.
 * @throws {@link DataError} naming the file when it is absent, cut, or no migration file.
 */
export async function openMigration(
  path: string,
  options: SourceOptions,
): Promise<MigrationSource> {
  const sources: SourceText[] = [];
  for await (const source of readSource(path, options)) sources.push(source);
  const [source, ...others] = sources;
  if (source === undefined || others.length > 0) {
    throw new DataError(`${path} is a folder and no migration file`, { details: { file: path } });
  }
  const { file: name, text } = source;
  const file = healed(parsed(source));
  return {
    name,
    digest: digestOfMigration(text),
    digestBeforeHash: digestBeforeHash(text),
    file,
    rows: rowsOf(file, name),
  };
}

function parsed({ file, text }: SourceText): MigrationFile {
  if (!isMigrationFile(text)) {
    throw new DataError(`${file} is no migration file, or is cut within its first part`, {
      hint: 'such a file is written by ipamctl datastore migrate export',
      details: { file },
    });
  }
  const parseYaml = (part: string) => [...readDocuments(part, file)].map(({ value }) => value);
  try {
    return parseMigrationFile(text, parseYaml);
  } catch (error) {
    if (error instanceof RangeError) {
      throw new DataError(`${file} is nested too deeply`, { details: { file }, cause: error });
    }
    if (!(error instanceof DataError)) throw error;
    throw new DataError(`${file}: ${error.message}`, {
      hint: error.hint,
      details: { ...error.details, file },
      cause: error,
    });
  }
}

/** Blocks of old releases name their host in a field of their own. */
function healed(file: MigrationFile): MigrationFile {
  return { ...file, entries: file.entries.map(healedEntry) };
}

/** Source: Calico libcalico-go lib/backend/model block.go, the deprecated host affinity. */
function healedEntry(entry: MigrationEntry): MigrationEntry {
  const value: JsonValue = entry.value;
  if (!isObject(value)) return entry;
  const { hostAffinity, ...rest } = value;
  if (typeof hostAffinity !== 'string' || hostAffinity === '') return entry;
  return { ...entry, value: { ...rest, affinity: rest['affinity'] ?? `host:${hostAffinity}` } };
}

function rowsOf(file: MigrationFile, name: string): MemoryDatastore {
  const collector = new ObjectCollector();
  collector.addMigrationFile(file, name);
  const memory = new MemoryDatastore(
    { datastore: 'snapshot', file: name },
    { flavor: 'etcd', hasResourceObjects: true },
  );
  collector.fill(memory);
  return memory;
}

import { DataError } from '../../errors/data-error.ts';
import { MemoryDatastore } from '../memory/memory-datastore.ts';
import { isMigrationFile, type MigrationFile, parseMigrationFile } from '../migration-file.ts';
import { readDocuments } from './documents.ts';
import { ObjectCollector } from './object-collector.ts';
import { type Digest, readSource, type SourceOptions, type SourceText } from './read-source.ts';
import { SnapshotFiles } from './snapshot-files.ts';
import { SnapshotDatastore } from './writable-snapshot.ts';

/** What opening a snapshot may use beside the path. */
export interface SnapshotOptions extends SourceOptions {
  /** Takes a sentence that the user should see, such as that an older copy of an object was left aside. */
  readonly warn?: ((text: string) => void) | undefined;
  /** Told of each file that holds something of ours; may refuse it. */
  readonly onFile?: ((path: string) => Promise<void>) | undefined;
  /** Milliseconds since 1970, for creation times of new rows. */
  readonly now?: (() => number) | undefined;
}

/**
 * Opens files as a datastore that needs no cluster: a file, a folder or standard input (`-`), plain or gzip, of Kubernetes
 * YAML or JSON, lists and single documents mixed, or a migration file.
 *
 * @remarks What the input does not contain is not loaded, which differs from empty: only a typed list (`PodList`) or a
 * migration file says that there is nothing of a kind.
 * @throws {@link DataError} naming file and line when something cannot be read, when two copies of an object contradict each
 * other, or when there is no object that has to do with addresses.
 */
export async function openSnapshot(
  path: string,
  options: SnapshotOptions,
): Promise<SnapshotDatastore> {
  const collector = new ObjectCollector();
  const digests = new Map<string, Digest>();
  let isWritable = true;
  for await (const source of readSource(path, options)) {
    options.signal?.throwIfAborted();
    const { taken } = collector;
    collect(source, collector);
    if (collector.taken > taken) warnOfOpenEnd(source, options.warn);
    if (source.digest === undefined) isWritable = false;
    else {
      if (collector.taken > taken) await options.onFile?.(source.file);
      digests.set(source.file, source.digest);
    }
  }
  assertNotEmpty(path, collector);
  const places = collector.places();
  const memory = new MemoryDatastore(
    { datastore: 'snapshot', file: path },
    {
      flavor: places.flavor,
      hasResourceObjects: collector.hasResourceObjects,
      now: options.now,
    },
  );
  collector.fill(memory);
  warnOfOlderCopies(collector.replaced, options.warn);
  const folder = digests.has(path) ? undefined : path;
  const files = isWritable ? new SnapshotFiles(folder, digests) : undefined;
  const { contradictions } = collector;
  return new SnapshotDatastore({ memory, places, files, contradictions });
}

function collect({ file, text }: SourceText, collector: ObjectCollector): void {
  try {
    if (isMigrationFile(text)) collector.addMigrationFile(openMigrationFile({ file, text }), file);
    else {
      for (const { value, line, itemLines } of readDocuments(text, file)) {
        collector.add(value, { file, line, itemLines });
      }
    }
  } catch (error) {
    // Calls run out on nesting that no Kubernetes object has.
    if (error instanceof RangeError) {
      throw new DataError(`${file} is nested too deeply`, { details: { file }, cause: error });
    }
    throw error;
  }
}

function openMigrationFile({ file, text }: SourceText): MigrationFile {
  const parseYaml = (part: string) => [...readDocuments(part, file)].map(({ value }) => value);
  try {
    return parseMigrationFile(text, parseYaml);
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    throw new DataError(`${file}: ${error.message}`, {
      hint: error.hint,
      details: { ...error.details, file },
      cause: error,
    });
  }
}

function assertNotEmpty(path: string, collector: ObjectCollector): void {
  if (collector.hasRows) return;
  const name = path === '-' ? 'standard input' : path;
  const foreign = collector.foreignKinds;
  if (foreign.length === 0)
    throw new DataError(`${name} holds no Kubernetes objects`, { details: { file: path } });
  const examples = foreign.slice(0, 3).join(', ') + (foreign.length > 3 ? ', ...' : '');
  throw new DataError(
    `${name} holds no Kubernetes objects that have to do with addresses, only other kinds (${examples})`,
    { details: { file: path, kinds: foreign } },
  );
}

/** YAML that was cut half-way mostly is YAML still, and what is missing looks absent. Programs end a text with a line break. */
function warnOfOpenEnd({ file, text }: SourceText, warn: SnapshotOptions['warn']): void {
  if (/[\n}\]]/.test(text.slice(-1))) return;
  warn?.(`${file} ends without a line break; if it was cut, what is missing counts as absent`);
}

function warnOfOlderCopies(replaced: readonly string[], warn: SnapshotOptions['warn']): void {
  if (replaced.length === 0) return;
  const rest = replaced.length > 1 ? ` and ${replaced.length - 1} more` : '';
  warn?.(
    `the snapshot holds older copies of ${replaced[0]}${rest}; the newest resourceVersion counts`,
  );
}

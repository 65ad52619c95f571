import { DataError } from '../../errors/data-error.ts';
import type { JsonValue, StoredEntry } from '../../ipam/model/resource.ts';
import { isSameValue } from './same-object.ts';

/** A file whose IPAM rows stand under their etcd keys. */
export interface EntryFile {
  readonly file: string;
  /** What messages call it. */
  readonly noun: 'a migration file' | 'a snapshot of an etcd cluster';
}

/** The etcd keys of an input, each with its value and the file where it stands. */
export class EntryTable {
  readonly #entries = new Map<string, { readonly value: JsonValue; readonly file: string }>();
  #source: EntryFile | undefined;

  get entries(): ReadonlyMap<string, { readonly value: JsonValue; readonly file: string }> {
    return this.#entries;
  }

  /** The file of entries that was added last; undefined when there is none. */
  get source(): EntryFile | undefined {
    return this.#source;
  }

  /** @throws {@link DataError} when another file holds one of the keys with another value. */
  add(source: EntryFile, entries: readonly StoredEntry[]): void {
    const { file } = source;
    this.#source = source;
    for (const { path, value } of entries) {
      const known = this.#entries.get(path);
      if (known !== undefined && !isSameValue(known.value, value)) {
        throw new DataError(`${path} stands in ${known.file} and differently in ${file}`, {
          hint: `open one ${source.noun.replace(/^a /, '')} at a time`,
        });
      }
      this.#entries.set(path, { value, file });
    }
  }
}

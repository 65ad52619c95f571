import { DataError } from '../../errors/data-error.ts';
import type { JsonObject, JsonValue } from '../../ipam/model/resource.ts';
import { storedKindOf } from '../codec/object-form.ts';
import type { MemoryDatastore } from '../memory/memory-datastore.ts';
import type { MigrationFile } from '../migration-file.ts';
import type { StoredKind } from '../object-store.ts';
import { CopyTable, isRowKind } from './copy-table.ts';
import { dataErrorAt, itemPlace, type Place, placeText } from './place.ts';
import { isOurs, isTyped, type ListType, withType } from './object-identity.ts';
import { EntryTable } from './entry-table.ts';
import { RowPlaces } from './row-places.ts';
import { isObject } from './same-object.ts';
import { readSnapshotDocument } from './snapshot-document.ts';

/** Kinds of which a migration file holds every row under its etcd key. */
const MIGRATION_KINDS = ['IPAMBlock', 'IPAMHandle', 'BlockAffinity', 'IPAMConfig'] as const;

/** Kinds that etcd keeps as whole resources, under keys of their own. */
const RESOURCES = ['ClusterInformation', 'IPPool', 'IPReservation'] as const;

/**
 * Gathers the objects of all documents, one copy of each, and passes over kinds that are none of Calico's and have nothing
 * to do with addresses.
 */
export class ObjectCollector {
  readonly #copies = new CopyTable();
  readonly #entries = new EntryTable();
  readonly #notInstalled = new Set<StoredKind>();
  /** File of a typed list for each kind that has one. */
  readonly #declared = new Map<StoredKind, string>();
  /** Kinds that have nothing to do with addresses, for the message when there is nothing else. */
  readonly #foreign = new Set<string>();

  /** Whether the input contains a kind that has to do with addresses, with or without objects. */
  get hasRows(): boolean {
    return [...this.#copies.kinds.keys()].some(isRowKind);
  }

  /** Kinds of which two copies of an object contradict each other, if they have nothing to do with addresses. */
  get contradictions(): ReadonlyMap<StoredKind, DataError> {
    return this.#copies.contradictions;
  }

  /** Kubernetes kinds that have nothing to do with addresses. */
  get foreignKinds(): readonly string[] {
    return [...this.#foreign].sort();
  }

  /** How many objects of ours were seen, copies included. */
  get taken(): number {
    return this.#copies.taken;
  }

  /** Objects of which an older copy was left aside. */
  get replaced(): readonly string[] {
    return this.#copies.replaced;
  }

  /** Whether resources such as pools are objects beside the keys of etcd: in a migration file, and a snapshot of one. */
  get hasResourceObjects(): boolean {
    if (this.#entries.source?.noun === 'a migration file') return true;
    return RESOURCES.some((kind) => (this.#copies.kinds.get(kind)?.size ?? 0) > 0);
  }

  /** Makes a kind loaded even if it has no object. */
  declare(kind: StoredKind, file?: string): void {
    this.#copies.declare(kind);
    if (file !== undefined) this.#declared.set(kind, file);
  }

  /** Where the rows stand that were gathered. */
  places(): RowPlaces {
    return new RowPlaces({
      kinds: this.#copies.kinds,
      entries: this.#entries.entries,
      declared: this.#declared,
      entryFile: this.#entries.source?.file,
    });
  }

  /**
   * Takes a document: an object, a list of any type, an array of such, or something that is none of it.
   *
   * @throws {@link DataError} when it is a part of a Kubernetes document only, or contradicts another copy.
   */
  add(value: JsonValue, place: Place, type?: ListType): void {
    if (Array.isArray(value)) {
      // Arrays in arrays are no list of objects that anything writes.
      for (const [index, item] of value.entries()) {
        if (isObject(item)) this.add(item, itemPlace(place, index));
      }
      return;
    }
    if (!isObject(value)) return;
    const kind = value.kind ?? type?.kind;
    if (kind === 'IPAMSnapshot') this.#addSnapshot(value, place);
    else if (typeof kind === 'string' && kind.endsWith('List')) this.#addList(value, kind, place);
    else if (typeof kind === 'string') this.#addObject(value, kind, { place, type });
    else this.#addUntyped(value, place);
  }

  /**
   * Takes a migration file, which holds the IPAM rows of an etcd cluster under their keys, and all of them.
   *
   * @throws {@link DataError} when it contradicts another file.
   */
  addMigrationFile(migration: MigrationFile, file: string): void {
    const place = { file, line: 1 };
    for (const { apiVersion, kind } of migration.lists) {
      const known = storedKindOf(apiVersion, kind);
      if (known !== undefined) this.declare(known);
    }
    for (const object of [...migration.objects, migration.clusterInformation])
      this.add(object, place);
    for (const kind of MIGRATION_KINDS) this.declare(kind);
    this.#entries.add({ file, noun: 'a migration file' }, migration.entries);
  }

  /**
   * Fills a datastore with what was gathered.
   *
   * @throws {@link DataError} when both etcd keys and Kubernetes objects hold IPAM rows: those are two clusters.
   */
  fill(datastore: MemoryDatastore): void {
    this.#fillEntries(datastore);
    for (const kind of this.#notInstalled) datastore.declareNotInstalled(kind);
    for (const [kind, copies] of this.#copies.kinds) {
      datastore.declare(kind);
      for (const { object } of copies.values()) datastore.put(kind, object);
    }
  }

  #fillEntries(datastore: MemoryDatastore): void {
    const { source, entries } = this.#entries;
    if (source === undefined) return;
    for (const kind of MIGRATION_KINDS) {
      const [copy] = this.#copies.kinds.get(kind)?.values() ?? [];
      if (copy !== undefined) {
        throw new DataError(
          `${source.file} is ${source.noun}, and ${placeText(copy.place)} holds a ${kind} of a cluster`,
          {
            hint: 'open them one at a time',
          },
        );
      }
    }
    for (const [path, { value }] of entries) datastore.putEntry(path, value);
  }

  #addList(list: JsonObject, kind: string, place: Place): void {
    const { apiVersion, items } = list;
    if (items !== undefined && items !== null && !Array.isArray(items)) {
      throw dataErrorAt(place, `the items of this ${kind} are no list`);
    }
    if (kind === 'List') {
      this.#addItems(items ?? [], place);
      return;
    }
    const itemKind = kind.slice(0, -'List'.length);
    const known = this.#kindOf(apiVersion, itemKind, place);
    if (known === undefined) {
      // What the list is called does not matter where its items say themselves what they are.
      this.#addItems((items ?? []).filter(isTyped), place);
      return;
    }
    this.declare(known, place.file);
    this.#addItems(items ?? [], place, { apiVersion: apiVersion as string, kind: itemKind });
  }

  #addItems(items: readonly JsonValue[], place: Place, type?: ListType): void {
    for (const [index, item] of items.entries()) {
      const at = itemPlace(place, index);
      if (!isObject(item) || typeof (item.kind ?? type?.kind) !== 'string') {
        throw dataErrorAt(at, 'this item is no Kubernetes object');
      }
      this.add(item, at, type);
    }
  }

  #addObject(
    object: JsonObject,
    kind: string,
    { place, type }: { place: Place; type: ListType | undefined },
  ): void {
    const apiVersion = object.apiVersion ?? type?.apiVersion;
    const known = this.#kindOf(apiVersion, kind, place);
    if (known === undefined) return;
    const typed = withType(object, { apiVersion: apiVersion as string, kind });
    this.#copies.add(known, { object: typed, place });
  }

  /** Our kind of a type, or undefined for a foreign one. What has nothing to do with addresses is remembered. */
  #kindOf(apiVersion: JsonValue | undefined, kind: string, place: Place): StoredKind | undefined {
    if (typeof apiVersion !== 'string') {
      if (isOurs(kind)) throw dataErrorAt(place, `this ${kind} has no apiVersion`);
      return undefined;
    }
    const known = storedKindOf(apiVersion, kind);
    if (known === undefined || !isRowKind(known)) this.#foreign.add(kind);
    return known;
  }

  /** What has no kind is foreign, except for the beginning of a list: kubectl writes the kind behind the items. */
  #addUntyped(value: JsonObject, place: Place): void {
    if (!Array.isArray(value.items)) return;
    if (typeof value.apiVersion === 'string') {
      throw dataErrorAt(
        place,
        'the list that begins here has no kind',
        'the file was cut: write it again',
      );
    }
    this.add(value.items, place);
  }

  #addSnapshot(snapshot: JsonObject, place: Place): void {
    const { items, kinds, notInstalled, entries } = readSnapshotDocument(snapshot, place);
    for (const kind of kinds) this.declare(kind);
    for (const kind of notInstalled) this.#notInstalled.add(kind);
    if (entries !== undefined)
      this.#entries.add({ file: place.file, noun: 'a snapshot of an etcd cluster' }, entries);
    this.#addItems(items, place);
  }
}

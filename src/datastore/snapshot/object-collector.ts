import { DataError } from '../../errors/data-error.ts';
import { type JsonObject, type JsonValue, type ResourceKind } from '../../ipam/model/resource.ts';
import { resourceKindOf } from '../codec/decode.ts';
import type { MemoryDatastore } from '../memory/memory-datastore.ts';
import { slotOf } from '../memory/stored.ts';
import type { MigrationFile } from '../migration-file.ts';
import { chooseCopy, type Copy } from './choose-copy.ts';
import { dataErrorAt, itemPlace, type Place, placeText } from './place.ts';
import { isOurs, isTyped, type ListType, withType } from './object-identity.ts';
import { RowPlaces } from './row-places.ts';
import { isObject, isSameValue } from './same-object.ts';
import { readSnapshotDocument } from './snapshot-document.ts';

/** Kinds of which a migration file holds every row under its etcd key. */
const MIGRATION_KINDS = ['IPAMBlock', 'IPAMHandle', 'BlockAffinity', 'IPAMConfig'] as const;

/** A value of a migration file and where it was found. */
interface Entry {
  readonly value: JsonValue;
  readonly file: string;
}

/**
 * Gathers the objects of all documents, one copy of each, and passes over kinds that have nothing to do with addresses.
 */
export class ObjectCollector {
  readonly #kinds = new Map<ResourceKind, Map<string, Copy>>();
  readonly #entries = new Map<string, Entry>();
  /** File of a typed list for each kind that has one. */
  readonly #declared = new Map<ResourceKind, string>();
  /** Kinds and whatever else was seen and is none of ours, for the message when there is nothing else. */
  readonly #foreign = new Set<string>();
  #migrationFile: string | undefined;
  #replaced: string[] = [];
  #unnamed = 0;
  #taken = 0;

  /** Kinds that the input contains, with or without objects. */
  get kinds(): ReadonlySet<ResourceKind> {
    return new Set(this.#kinds.keys());
  }

  /** Kubernetes kinds that were passed over. */
  get foreignKinds(): readonly string[] {
    return [...this.#foreign].sort();
  }

  /** How many objects of ours were seen, copies included. */
  get taken(): number {
    return this.#taken;
  }

  /** Objects of which an older copy was left aside. */
  get replaced(): readonly string[] {
    return this.#replaced;
  }

  /** Makes a kind loaded even if it has no object. */
  declare(kind: ResourceKind, file?: string): void {
    this.#copiesOf(kind);
    if (file !== undefined) this.#declared.set(kind, file);
  }

  /** Where the rows stand that were gathered. */
  places(): RowPlaces {
    return new RowPlaces({
      kinds: this.#kinds,
      entries: this.#entries,
      declared: this.#declared,
      migrationFile: this.#migrationFile,
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
      const known = resourceKindOf(apiVersion, kind);
      if (known !== undefined) this.declare(known);
    }
    for (const object of [...migration.objects, migration.clusterInformation])
      this.add(object, place);
    for (const { path, value } of migration.entries) {
      const known = this.#entries.get(path);
      if (known !== undefined && !isSameValue(known.value, value)) {
        throw new DataError(`${path} stands in ${known.file} and differently in ${file}`, {
          hint: 'open one migration file at a time',
        });
      }
      this.#entries.set(path, { value, file });
    }
    this.#migrationFile = file;
  }

  /**
   * Fills a datastore with what was gathered.
   *
   * @throws {@link DataError} when both a migration file and Kubernetes objects hold IPAM rows: those are two clusters.
   */
  fill(datastore: MemoryDatastore): void {
    if (this.#migrationFile !== undefined) this.#fillEntries(datastore, this.#migrationFile);
    for (const [kind, copies] of this.#kinds) {
      datastore.declare(kind);
      for (const { object } of copies.values()) datastore.put(kind, object);
    }
  }

  #fillEntries(datastore: MemoryDatastore, file: string): void {
    for (const kind of MIGRATION_KINDS) {
      const [copy] = this.#kinds.get(kind)?.values() ?? [];
      if (copy !== undefined) {
        throw new DataError(
          `${file} is a migration file, and ${placeText(copy.place)} holds a ${kind} of a cluster`,
          {
            hint: 'open them one at a time',
          },
        );
      }
      datastore.declare(kind);
    }
    for (const [path, { value }] of this.#entries) datastore.putEntry(path, value);
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
    this.#addCopy(known, { object: typed, place });
  }

  /** Our kind of a type, or undefined for a foreign one, which is remembered if it is one of Kubernetes at all. */
  #kindOf(apiVersion: JsonValue | undefined, kind: string, place: Place): ResourceKind | undefined {
    if (typeof apiVersion !== 'string') {
      if (isOurs(kind)) throw dataErrorAt(place, `this ${kind} has no apiVersion`);
      return undefined;
    }
    const known = resourceKindOf(apiVersion, kind);
    if (known === undefined) this.#foreign.add(kind);
    return known;
  }

  #addCopy(kind: ResourceKind, copy: Copy): void {
    this.#taken++;
    const copies = this.#copiesOf(kind);
    const slot = slotOf(kind, copy.object) ?? `#${++this.#unnamed}`;
    const known = copies.get(slot);
    if (known === undefined) {
      copies.set(slot, copy);
      return;
    }
    const choice = chooseCopy(kind, known, copy);
    const files = new Set([...(known.files ?? [known.place.file]), copy.place.file]);
    copies.set(slot, { ...choice.copy, files: [...files] });
    if (choice.differs) this.#replaced.push(`${kind} ${slot}`);
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
    const { items, kinds } = readSnapshotDocument(snapshot, place);
    for (const kind of kinds) this.declare(kind);
    this.#addItems(items, place);
  }

  #copiesOf(kind: ResourceKind): Map<string, Copy> {
    let copies = this.#kinds.get(kind);
    if (copies === undefined) this.#kinds.set(kind, (copies = new Map<string, Copy>()));
    return copies;
  }
}

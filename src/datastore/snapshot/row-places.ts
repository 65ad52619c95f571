import { flavorOf, type RowFlavor } from '../codec/encode.ts';
import type { StoredKind } from '../object-store.ts';
import type { Copy } from './choose-copy.ts';

/** Kinds that tell which group a dump is of, the likeliest first. */
const FLAVOR_KINDS = [
  'IPAMBlock',
  'BlockAffinity',
  'IPAMHandle',
  'IPPool',
  'ClusterInformation',
  'IPAMConfig',
] as const;

/** What the reading of files found. */
export interface FoundRows {
  readonly kinds: ReadonlyMap<StoredKind, ReadonlyMap<string, Copy>>;
  /** Entries by etcd key. */
  readonly entries: ReadonlyMap<string, { readonly file: string }>;
  /** File of a typed list, for kinds that have one. */
  readonly declared: ReadonlyMap<StoredKind, string>;
  /** The file that holds entries, where rows are kept as in etcd. */
  readonly entryFile?: string | undefined;
}

/** Where rows stand in the files of a snapshot, as they were read. */
export class RowPlaces {
  readonly #found: FoundRows;

  constructor(found: FoundRows) {
    this.#found = found;
  }

  /** How the rows of IPAM are stored here; as in the older group where there are none. */
  get flavor(): RowFlavor {
    const { kinds, entryFile } = this.#found;
    if (entryFile !== undefined) return 'etcd';
    const others = [...kinds.keys()].filter((kind) => kind !== 'Node');
    const flavors = [...FLAVOR_KINDS, ...others].map((kind) => {
      const [copy] = kinds.get(kind)?.values() ?? [];
      return flavorOf(copy?.object);
    });
    return flavors.find((flavor) => flavor !== undefined) ?? 'crd';
  }

  /** Files that hold a copy of a row. */
  homesOf(kind: StoredKind, slot: string): readonly string[] {
    const { kinds, entries } = this.#found;
    const entry = entries.get(slot);
    if (entry !== undefined) return [entry.file];
    const copy = kinds.get(kind)?.get(slot);
    return copy === undefined ? [] : (copy.files ?? [copy.place.file]);
  }

  /** The file in which rows of a kind stand, or which says that there are none. */
  fileOf(kind: StoredKind): string | undefined {
    const { kinds, declared, entryFile } = this.#found;
    const [copy] = kinds.get(kind)?.values() ?? [];
    return copy?.place.file ?? declared.get(kind) ?? entryFile;
  }
}

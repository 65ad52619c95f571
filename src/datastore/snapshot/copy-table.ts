import { DataError } from '../../errors/data-error.ts';
import { RESOURCE_KINDS } from '../../ipam/model/resource.ts';
import { slotOf } from '../memory/stored.ts';
import type { StoredKind } from '../object-store.ts';
import { type Choice, chooseCopy, type Copy } from './choose-copy.ts';

const ROW_KINDS: ReadonlySet<StoredKind> = new Set(RESOURCE_KINDS);

/** Whether a kind has to do with addresses. */
export function isRowKind(kind: StoredKind): boolean {
  return ROW_KINDS.has(kind);
}

/** Objects of an input by kind and name, one copy of each. */
export class CopyTable {
  readonly #kinds = new Map<StoredKind, Map<string, Copy>>();
  readonly #contradictions = new Map<StoredKind, DataError>();
  readonly #replaced: string[] = [];
  #unnamed = 0;
  #taken = 0;

  /** Kinds that the input contains, with or without objects, and their copies by slot. */
  get kinds(): ReadonlyMap<StoredKind, ReadonlyMap<string, Copy>> {
    return this.#kinds;
  }

  /** Kinds of which two copies of an object contradict each other, if they have nothing to do with addresses. */
  get contradictions(): ReadonlyMap<StoredKind, DataError> {
    return this.#contradictions;
  }

  /** Objects of which an older copy was left aside. */
  get replaced(): readonly string[] {
    return this.#replaced;
  }

  /** How many objects were seen, copies included. */
  get taken(): number {
    return this.#taken;
  }

  /** Makes a kind known even if it has no object. */
  declare(kind: StoredKind): void {
    this.#copiesOf(kind);
  }

  /** @throws {@link DataError} when it contradicts another copy, and the kind has to do with addresses. */
  add(kind: StoredKind, copy: Copy): void {
    this.#taken++;
    const copies = this.#copiesOf(kind);
    // An object without a name is damage that has to be reported, so it must not displace another one.
    const slot = slotOf(kind, copy.object) ?? `#${++this.#unnamed}`;
    const known = copies.get(slot);
    const choice = known && this.#choose(kind, known, copy);
    if (known === undefined || choice === undefined) {
      copies.set(slot, known ?? copy);
      return;
    }
    const files = new Set([...(known.files ?? [known.place.file]), copy.place.file]);
    copies.set(slot, { ...choice.copy, files: [...files] });
    if (choice.differs) this.#replaced.push(`${kind} ${slot}`);
  }

  /** A contradiction between objects that only few commands look at must not keep the others from their work. */
  #choose(kind: StoredKind, known: Copy, other: Copy): Choice | undefined {
    try {
      return chooseCopy(kind, known, other);
    } catch (error) {
      if (isRowKind(kind) || !(error instanceof DataError)) throw error;
      this.#contradictions.set(kind, error);
      return undefined;
    }
  }

  #copiesOf(kind: StoredKind): Map<string, Copy> {
    let copies = this.#kinds.get(kind);
    if (copies === undefined) this.#kinds.set(kind, (copies = new Map<string, Copy>()));
    return copies;
  }
}

/** How many objects or rows there are of each kind, in the order in which the kinds were met. */
export class KindCounts {
  readonly #counts = new Map<string, number>();

  add(kind: string, count: number): void {
    this.#counts.set(kind, this.of(kind) + count);
  }

  of(kind: string): number {
    return this.#counts.get(kind) ?? 0;
  }

  /** As a part of a document. */
  toRecord(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts);
  }
}

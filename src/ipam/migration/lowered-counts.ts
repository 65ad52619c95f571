/** What handles lose with the nodes that are left out: whole blocks, and single addresses in blocks that stay. */
export class LoweredCounts {
  readonly #blocks = new Set<string>();
  readonly #freed = new Map<string, Map<string, number>>();

  /** A block goes, whoever has addresses there. */
  dropBlock(cidr: string): void {
    this.#blocks.add(cidr);
  }

  /** An address of a handle is freed; the id is one that was cut. */
  free(handle: string, cidr: string): void {
    const counts = this.#freed.get(handle) ?? new Map<string, number>();
    counts.set(cidr, (counts.get(cidr) ?? 0) + 1);
    this.#freed.set(handle, counts);
  }

  /** A count of a handle without what goes; 0 when nothing is left. */
  lower(handle: string, cidr: string, count: number): number {
    if (this.#blocks.has(cidr)) return 0;
    return Math.max(count - (this.#freed.get(handle)?.get(cidr) ?? 0), 0);
  }
}

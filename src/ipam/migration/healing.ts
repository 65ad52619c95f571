/** Old forms that are carried in the form of today, with what each healing does. */
export const HEALINGS = {
  'host-affinity': 'owners of blocks taken from the old field hostAffinity, or that field dropped',
  'empty-affinity': 'affinity rows without a state of their own written in full',
  'old-affinity-type': 'affinity rows of the old type @ written as those of a host',
  'handle-id-cut': 'handle ids cut at a carriage return',
  'null-attributes': 'blocks without attributes given an empty list',
  'missing-sequence': 'blocks without sequence numbers given the number 0 that they are read as',
  'missing-deleted': 'rows without the mark of soft deletion given a cleared one',
  'null-values': 'values of null replaced by what they are read as',
  'other-spelling': 'prefixes written in their canonical spelling',
} as const;

/** One of {@link HEALINGS}. */
export type HealingCode = keyof typeof HEALINGS;

/** Counts healings. */
export class HealingTally {
  readonly #counts = new Map<HealingCode, number>();

  add(code: HealingCode): void {
    this.#counts.set(code, (this.#counts.get(code) ?? 0) + 1);
  }

  /** What was healed, in the order of the table. */
  entries(): readonly { readonly code: HealingCode; readonly count: number }[] {
    const codes = Object.keys(HEALINGS) as HealingCode[];
    return codes.flatMap((code) => {
      const count = this.#counts.get(code);
      return count === undefined ? [] : [{ code, count }];
    });
  }
}

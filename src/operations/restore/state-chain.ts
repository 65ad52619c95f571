/** A change of a state, each state as a text that is equal for equal states; undefined for none. */
export interface StateChange {
  readonly was: string | undefined;
  readonly became: string | undefined;
}

/**
 * The recorded changes of one thing, in order. They belong together where each begins with what the one before left, or, as
 * a run that is begun again does, with what an earlier one began with. Where neither holds somebody else has changed the
 * thing in between, and what was before that counts no longer.
 */
export class StateChain {
  readonly #changes: readonly StateChange[];
  /** For each change the first one that belongs together with it. */
  readonly #starts: readonly number[];

  constructor(changes: readonly StateChange[]) {
    this.#changes = changes;
    this.#starts = startsOf(changes);
  }

  /** Place of the first change that belongs together with the one at this place. */
  startOf(at: number): number {
    return this.#starts[at] ?? at;
  }

  /**
   * Whether a state is one that stood before an earlier change than the one at this place: that one is not there to be taken
   * back then. So it is after a run that was killed before its writes lasted (those of a snapshot do at the end only), and
   * once the file of a later run has been restored.
   */
  isEarlier(state: string | undefined, at: number): boolean {
    for (let i = this.startOf(at); i < at; i++) if (this.#changes[i]?.was === state) return true;
    return false;
  }
}

function startsOf(changes: readonly StateChange[]): readonly number[] {
  const starts: number[] = [];
  let start = 0;
  const begun = new Set<string | undefined>();
  for (const [at, { was }] of changes.entries()) {
    if (at > 0 && changes[at - 1]?.became !== was && !begun.has(was)) {
      start = at;
      begun.clear();
    }
    begun.add(was);
    starts.push(start);
  }
  return starts;
}

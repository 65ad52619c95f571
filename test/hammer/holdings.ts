import type { Violations } from './violations.ts';

/** Where an address stands as far as the parent knows. */
type HoldingState =
  | 'held'
  /** A worker changes its owner. */
  | 'busy'
  /** A worker releases it: from now on somebody else may get it. */
  | 'releasing'
  /** It was to be released, and nobody knows whether it was; the store tells in the end. */
  | 'doubtful'
  | 'gone';

/** An address that was assigned by a worker. */
export interface Holding {
  readonly address: string;
  /** Prefix of its block. */
  readonly block: string;
  readonly handle: string;
  readonly host: string;
  /** Names the task that assigned it. */
  readonly tag: string;
  /** Pod that owns it; undefined when a change of owner was cut short. */
  pod: string | undefined;
  state: HoldingState;
}

/** A line of the ledger. */
export interface LedgerLine {
  readonly op: 'assign' | 'release';
  readonly address: string;
  readonly handle: string;
  readonly host: string;
}

/**
 * What all workers hold together. An address is taken down as being released before its release is sent, so that one that
 * is given out while it is held shows, whichever worker answers first.
 */
export class Holdings {
  readonly #byAddress = new Map<string, Holding>();
  readonly #violations: Violations;
  readonly #write: (line: LedgerLine) => void;

  constructor(violations: Violations, write: (line: LedgerLine) => void) {
    this.#violations = violations;
    this.#write = write;
  }

  /** All that are not known to be gone. */
  get all(): readonly Holding[] {
    return [...this.#byAddress.values()];
  }

  at(address: string): Holding | undefined {
    return this.#byAddress.get(address);
  }

  /** Takes an address down that a worker got; one that is taken down for the same task already is no news. */
  assigned(holding: Omit<Holding, 'state'>): void {
    const before = this.#byAddress.get(holding.address);
    if (before?.tag === holding.tag) return;
    if (before && (before.state === 'held' || before.state === 'busy')) {
      this.#violations.add(
        `${holding.address} was given to ${holding.handle} while ${before.handle} holds it`,
      );
    }
    // That somebody else got it proves the release, though its own answer is not there yet.
    if (before) this.released(before);
    this.#byAddress.set(holding.address, { ...holding, state: 'held' });
    this.#tell('assign', holding);
  }

  /** Takes an address down as released; the second time it is no news. */
  released(holding: Holding): void {
    if (holding.state === 'gone') return;
    holding.state = 'gone';
    this.#byAddress.delete(holding.address);
    this.#tell('release', holding);
  }

  #tell(op: LedgerLine['op'], { address, handle, host }: Omit<Holding, 'state'>): void {
    this.#write({ op, address, handle, host });
  }
}

import type { AddressUnit } from './release-plan.ts';

/** Keeps handles whole: once one of its addresses turns out to be in use, nothing more of it is released. */
export class HandleGuard {
  readonly #isForced: boolean;
  readonly #planned = new Set<string>();
  readonly #withdrawn = new Set<string>();

  constructor({
    units,
    isForced,
  }: {
    readonly units: readonly AddressUnit[];
    readonly isForced: boolean;
  }) {
    this.#isForced = isForced;
    for (const { block, ordinal } of units) this.#planned.add(`${block.name} ${ordinal}`);
  }

  /** Whether this slot is released by the plan. */
  isPlanned(blockName: string, ordinal: number): boolean {
    return this.#planned.has(`${blockName} ${ordinal}`);
  }

  /** Something of the handle is in use. */
  withdraw(handleId: string | undefined): void {
    if (handleId !== undefined && !this.#isForced) this.#withdrawn.add(handleId);
  }

  isWithdrawn(handleId: string | undefined): boolean {
    return handleId !== undefined && this.#withdrawn.has(handleId);
  }
}

import { ToolError } from '../errors/tool-error.ts';
import { InternalError } from '../errors/internal-error.ts';
import type { KeptAs, PlanItem } from '../ipam/plan.ts';
import type { OutcomeItem } from './documents/outcome-document.ts';

/** How one item ended, before it becomes a document. */
export interface ItemEnd {
  readonly item: PlanItem;
  readonly end: 'applied' | 'failed' | KeptAs;
  readonly reason: string;
  readonly error?: ToolError | undefined;
}

/** Takes down how each item of a plan ends. What the plan leaves alone has ended already. */
export class ItemLedger {
  readonly #ends = new Map<PlanItem, ItemEnd>();
  readonly #ended: () => void;

  /** @param ended Called whenever one more item has ended. */
  constructor(items: readonly PlanItem[], ended: () => void = () => undefined) {
    this.#ended = ended;
    for (const item of items) {
      if (item.kept !== undefined)
        this.#ends.set(item, { item, end: item.kept, reason: item.reason });
    }
  }

  /** @param as The item with what became known only by doing it, such as which address was assigned. */
  applied(item: PlanItem, as = item): void {
    this.#end(item, { item: as, end: 'applied', reason: as.reason });
  }

  /** The item is left alone after all. */
  kept(item: PlanItem, end: KeptAs, reason: string): void {
    this.#end(item, { item, end, reason });
  }

  failed(item: PlanItem, thrown: unknown): void {
    this.#end(item, { item, end: 'failed', reason: item.reason, error: toolErrorOf(thrown) });
  }

  #end(item: PlanItem, end: ItemEnd): void {
    const isNew = !this.#ends.has(item);
    this.#ends.set(item, end);
    if (isNew) this.#ended();
  }

  has(item: PlanItem): boolean {
    return this.#ends.has(item);
  }

  /** Whether the item ended as it was wanted: done, or so already. */
  isSettled(item: PlanItem): boolean {
    const end = this.#ends.get(item)?.end;
    return end === 'applied' || end === 'already';
  }

  /** Turns what was applied into failures: none of it has lasted. */
  void(thrown: unknown): void {
    for (const [item, { end }] of this.#ends) if (end === 'applied') this.failed(item, thrown);
  }

  /** Every item in the order given; one that was not reached was interrupted. */
  ends(items: readonly PlanItem[]): readonly ItemEnd[] {
    return items.map(
      (item) =>
        this.#ends.get(item) ?? {
          item,
          end: 'harmless',
          reason: 'not reached: the command was ended before',
        },
    );
  }
}

/** An ended item as the document shows it. */
export function outcomeItem({ item, end, reason, error }: ItemEnd): OutcomeItem {
  const { action, subject, code, precondition } = item;
  const isSkip = end === 'harmless' || end === 'refusal' || end === 'unjudged';
  return {
    action,
    subject,
    code,
    precondition,
    reason,
    result: isSkip ? 'skipped' : end,
    error: error && { code: error.code, message: error.message },
  };
}

function toolErrorOf(thrown: unknown): ToolError {
  if (thrown instanceof ToolError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new InternalError(`unexpected failure: ${message}`, { cause: thrown });
}

import { EVENT_ID, type Event } from 'js-yaml';

/** An alias that must not be followed, and where it stands in the text. */
export interface AliasProblem {
  readonly problem: string;
  readonly position: number;
}

/**
 * First alias that makes a document endless or far larger than its text. Aliases share what they name, so a bomb costs
 * nothing until somebody walks over the values: it has to be found before.
 *
 * @param maxRepeated Most values that all aliases together may repeat.
 */
export function findAliasProblem(
  events: readonly Event[],
  source: string,
  maxRepeated: number,
): AliasProblem | undefined {
  if (!events.some((event) => event.type === EVENT_ID.ALIAS)) return undefined;
  const counter = new ValueCounter(source, maxRepeated);
  for (const event of events) {
    const problem = counter.take(event);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Counts how many values each anchor stands for once its own aliases are followed. */
class ValueCounter {
  readonly #source: string;
  readonly #maxRepeated: number;
  readonly #anchors = new Map<string, number | 'open'>();
  readonly #open: { count: number; readonly anchor: string | undefined }[] = [];
  #repeated = 0;

  constructor(source: string, maxRepeated: number) {
    this.#source = source;
    this.#maxRepeated = maxRepeated;
  }

  take(event: Event): AliasProblem | undefined {
    switch (event.type) {
      case EVENT_ID.ALIAS:
        return this.#follow(event);
      case EVENT_ID.DOCUMENT:
        this.#anchors.clear();
        this.#open.push({ count: 0, anchor: undefined });
        return undefined;
      case EVENT_ID.POP:
        this.#close();
        return undefined;
      case EVENT_ID.SCALAR:
        this.#finish(this.#nameOf(event), 1);
        return undefined;
      default:
        this.#openCollection(this.#nameOf(event));
        return undefined;
    }
  }

  #follow(event: { anchorStart: number; anchorEnd: number }): AliasProblem | undefined {
    const position = event.anchorStart;
    const size = this.#anchors.get(this.#nameOf(event) ?? '');
    if (size === 'open')
      return { problem: 'an alias stands for the value it is part of', position };
    // An alias without anchor counts as nothing here; constructing the document refuses it with a better message.
    this.#repeated += size ?? 0;
    if (this.#repeated > this.#maxRepeated) {
      return { problem: `aliases repeat more than ${this.#maxRepeated} values`, position };
    }
    this.#finish(undefined, size ?? 0);
    return undefined;
  }

  #openCollection(anchor: string | undefined): void {
    if (anchor !== undefined) this.#anchors.set(anchor, 'open');
    this.#open.push({ count: 1, anchor });
  }

  #close(): void {
    const closed = this.#open.pop();
    if (closed !== undefined) this.#finish(closed.anchor, closed.count);
  }

  #finish(anchor: string | undefined, count: number): void {
    if (anchor !== undefined) this.#anchors.set(anchor, count);
    const parent = this.#open.at(-1);
    if (parent !== undefined) parent.count += count;
  }

  #nameOf(event: { anchorStart: number; anchorEnd: number }): string | undefined {
    return event.anchorStart < 0
      ? undefined
      : this.#source.slice(event.anchorStart, event.anchorEnd);
  }
}

import { comparableHandleId } from '../../src/ipam/handle-id.ts';
import {
  type JsonObject,
  type JsonValue,
  parseJson,
  stringifyJson,
} from '../../src/support/json.ts';
import { memberOf, textOf } from './json-values.ts';
import { sortedText } from './normal-rows.ts';
import type { RowChange, TraceForm } from './trace.ts';

const HANDLES = '/calico/ipam/v2/handle/';
const BLOCKS = '/calico/ipam/v2/assignment/';

/**
 * The rows that a trace leads to, step by step.
 *
 * @remarks The original counts what an automatic assignment asked for, ipamctl what it got. So a count above the number of
 * the handle's allocations in the block is lowered to it, and what reaches 0 is dropped.
 */
export class ExpectedRows {
  readonly #form: TraceForm;
  readonly #recorded = new Map<string, JsonValue>();

  constructor(form: TraceForm) {
    this.#form = form;
  }

  /** Applies what a step changed. */
  apply(changes: readonly RowChange[]): void {
    for (const { at, value } of changes) {
      if (value === null) this.#recorded.delete(at);
      else this.#recorded.set(at, value);
    }
  }

  /** The rows with true counts, as texts. */
  corrected(): ReadonlyMap<string, string> {
    const blocks = this.#blocks();
    const rows = new Map<string, string>();
    for (const [at, value] of this.#recorded) {
      const row = this.#isHandle(at) ? this.#withTrueCounts(at, value, blocks) : value;
      if (row !== undefined) rows.set(at, typeof row === 'string' ? row : sortedText(row));
    }
    return rows;
  }

  /** Whether there is a row for the handle once the counts are true. */
  hasHandle(handle: string): boolean {
    const id = comparableHandleId(handle);
    return this.corrected().has(
      this.#form === 'etcd' ? `${HANDLES}${id}` : `ipamhandles/${id.toLowerCase()}`,
    );
  }

  #isHandle(at: string): boolean {
    return at.startsWith(this.#form === 'etcd' ? HANDLES : 'ipamhandles/');
  }

  /** Blocks by prefix, as values. */
  #blocks(): ReadonlyMap<string, JsonObject> {
    const blocks = new Map<string, JsonObject>();
    for (const [at, value] of this.#recorded) {
      const block = at.startsWith(BLOCKS)
        ? parseEntry(value as string)
        : specOf(at, 'ipamblocks/', value);
      if (block) blocks.set(textOf(block['cidr']), block);
    }
    return blocks;
  }

  #withTrueCounts(
    at: string,
    value: JsonValue,
    blocks: ReadonlyMap<string, JsonObject>,
  ): JsonValue | undefined {
    const isEntry = typeof value === 'string';
    const handle = isEntry ? parseEntry(value) : memberOf(value as JsonObject, 'spec');
    const id = at.slice(isEntry ? HANDLES.length : 'ipamhandles/'.length);
    const counts = Object.entries(handle['block'] as Record<string, number>).map(
      ([cidr, count]) => [cidr, Math.min(count, this.#held(id, blocks.get(cidr)))] as const,
    );
    const block = Object.fromEntries(counts.filter(([, count]) => count > 0));
    if (Object.keys(block).length === 0) return undefined;
    if (isEntry) return stringifyJson({ ...handle, block });
    return { ...(value as JsonObject), spec: { ...handle, block } };
  }

  /** Allocations of a row's handles in a block: in Kubernetes all ids that differ only in case share one row. */
  #held(row: string, block: JsonObject | undefined): number {
    if (!block) return 0;
    const attributes = (block['attributes'] ?? []) as readonly JsonObject[];
    const allocations = block['allocations'] as readonly (number | null)[];
    return allocations.filter((index) => {
      const id = index === null ? undefined : attributes[index]?.['handle_id'];
      if (typeof id !== 'string') return false;
      const cut = comparableHandleId(id);
      return (this.#form === 'etcd' ? cut : cut.toLowerCase()) === row;
    }).length;
  }
}

/** A stored text, in which numbers may have been replaced by bare names. */
function parseEntry(text: string): JsonObject {
  return parseJson(text.replaceAll(/(?<=[:,[])(S\d+\+\d+)(?=[,\]}])/g, '"$1"')) as JsonObject;
}

function specOf(at: string, folder: string, value: JsonValue): JsonObject | undefined {
  return at.startsWith(folder) ? memberOf(value as JsonObject, 'spec') : undefined;
}

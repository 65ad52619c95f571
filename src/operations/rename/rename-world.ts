import type { AffinityRow } from '../../ipam/model/affinity.ts';
import type { BlockRow } from '../../ipam/model/block.ts';
import type { HandleRow } from '../../ipam/model/handle.ts';
import type { RowKeys } from '../../ipam/model/row-keys.ts';
import { comparableHandleId } from '../../ipam/handle-id.ts';
import type { NameMap } from '../../ipam/rename/legs.ts';
import { namesInBlock, renameBlock } from '../../ipam/rename/rename-block.ts';
import { nodeOfHandle, renameHandleId } from '../../ipam/rename/rename-handle-id.ts';
import type { RenameLook } from './rename-look.ts';

/** Rows that name the nodes, as they will be after each leg; nothing is written. */
export class RenameWorld {
  readonly keys: RowKeys;
  #blocks: readonly BlockRow[];
  #affinities: readonly AffinityRow[];
  #handles: readonly HandleRow[];
  /** Every affinity row that stands, with its owner, by its own name. */
  readonly #claims: Map<string, string>;
  #known: ReadonlySet<string> | undefined;

  constructor({ state, blocks, affinities, handles }: RenameLook) {
    this.keys = state.keys;
    this.#blocks = blocks;
    this.#affinities = affinities;
    this.#handles = handles;
    this.#claims = new Map([
      ...state.affinities.map(({ key, type, host }): [string, string] => [
        key.name,
        `${type}:${host}`,
      ]),
      ...state.unreadable
        .filter(({ kind }) => kind === 'BlockAffinity')
        .map(({ key }): [string, string] => [key.name, 'a row that cannot be read']),
    ]);
  }

  get blocks(): readonly BlockRow[] {
    return this.#blocks;
  }

  get affinities(): readonly AffinityRow[] {
    return this.#affinities;
  }

  get handles(): readonly HandleRow[] {
    return this.#handles;
  }

  /** Owner of the affinity row of this name; undefined when there is none. */
  claimAt(name: string): string | undefined {
    return this.#claims.get(name);
  }

  /** Names of nodes that anything of IPAM knows, as far as they were asked for. */
  knownNames(): ReadonlySet<string> {
    return (this.#known ??= new Set([
      ...this.#affinities.flatMap(({ type, host }) => (type === 'host' ? host : [])),
      ...this.#handles.flatMap(({ id }) => nodeOfHandle(id) ?? []),
      ...this.#blocks.flatMap((block) => [...namesInBlock(block)]),
    ]));
  }

  /** What is there once a leg is done. */
  rename(names: NameMap): void {
    this.#known = undefined;
    this.#blocks = this.#blocks.map((block) => renameBlock(block, names).block);
    const renamed = new Map<string, AffinityRow>();
    for (const row of this.#affinities) {
      const host = row.type === 'host' ? names.get(row.host) : undefined;
      const key =
        host === undefined ? row.key : this.keys.affinity({ type: row.type, host }, row.cidr);
      if (host !== undefined) this.#claims.delete(row.key.name);
      renamed.set(key.name, host === undefined ? row : { ...row, host, key });
    }
    this.#affinities = [...renamed.values()];
    for (const { key, type, host } of this.#affinities)
      this.#claims.set(key.name, `${type}:${host}`);
    this.#handles = [...mergeHandles(this.#handles, names, this.keys).values()];
  }
}

function mergeHandles(
  handles: readonly HandleRow[],
  names: NameMap,
  keys: RowKeys,
): ReadonlyMap<string, HandleRow> {
  const merged = new Map<string, HandleRow>();
  for (const row of handles) {
    const id = renameHandleId(comparableHandleId(row.id), names);
    const moved = id === undefined ? row : { ...row, id, key: keys.handle(id) };
    const other = merged.get(moved.key.name);
    const counts = [...(other?.counts ?? []), ...moved.counts];
    merged.set(moved.key.name, { ...moved, counts });
  }
  return merged;
}

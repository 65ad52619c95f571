import type { RowKeys } from '../ipam/model/row-keys.ts';
import {
  StreamRestart,
  type RowVersion,
  type WritableDatastore,
  type WritableRow,
} from '../datastore/datastore.ts';
import { ConflictError } from '../errors/conflict-error.ts';
import { DataError } from '../errors/data-error.ts';
import { InternalError } from '../errors/internal-error.ts';
import { NotFoundError } from '../errors/not-found-error.ts';
import type { BlockOwner } from '../ipam/block-owner.ts';
import type { AffinityRow, AffinityState } from '../ipam/model/affinity.ts';
import type { BlockRow } from '../ipam/model/block.ts';
import type { HandleRow } from '../ipam/model/handle.ts';
import { CONFIG_NAME, type IpamConfigRow } from '../ipam/model/ipam-config.ts';
import type { NodeRow } from '../ipam/model/node.ts';
import type { PoolRow } from '../ipam/model/pool.ts';
import type { ReservationRow } from '../ipam/model/reservation.ts';
import { keyText, type ResourceKey, type ResourceKind } from '../ipam/model/resource.ts';
import { isReadable, type ReadableRow, type Row } from '../ipam/model/row.ts';
import { assertSound, isSound } from '../ipam/allocator/block-content.ts';
import type { Cidr } from '../net/cidr.ts';

/** How often a list is taken that is cut. */
const LIST_ATTEMPTS = 4;

/** What a store is made of. */
export interface RowStoreOptions {
  readonly datastore: WritableDatastore;
  readonly signal?: AbortSignal | undefined;
}

type RowOfKind<K extends ResourceKind> = Extract<ReadableRow, { readonly kind: K }>;

/**
 * The rows of IPAM as the engine sees them: by what they are about instead of by name, without leftovers that are marked
 * deleted, and in the order of their names, which is the order in which Calico meets them. Every write is conditional.
 */
export class RowStore {
  readonly #datastore: WritableDatastore;
  readonly #signal: AbortSignal | undefined;

  constructor(options: RowStoreOptions) {
    this.#datastore = options.datastore;
    this.#signal = options.signal;
  }

  /** Where the rows are. */
  get keys(): RowKeys {
    return this.#datastore.keys;
  }

  /** API group of the rows, such as `projectcalico.org/v3`; undefined where there is none. */
  get apiGroup(): string | undefined {
    return this.#datastore.describe().apiGroup;
  }

  /** Makes what was written last, where the datastore collects writes. */
  async flush(): Promise<void> {
    await this.#datastore.flush?.();
  }

  /** The same rows through calls that an abort does not end: cleaning up must not stop half-way. */
  unabortable(): RowStore {
    return new RowStore({ datastore: this.#datastore });
  }

  /** @throws {@link DataError} for a block that is damaged. */
  async block(cidr: Cidr): Promise<BlockRow | undefined> {
    const block = await this.#get('IPAMBlock', this.keys.block(cidr));
    if (block) assertSound(block);
    return block;
  }

  /** All blocks that can be used; damaged ones are left out. */
  async blocks(): Promise<readonly BlockRow[]> {
    return (await this.#list('IPAMBlock')).filter(isSound);
  }

  async createBlock(block: BlockRow): Promise<BlockRow> {
    return this.#datastore.create(block, { signal: this.#signal });
  }

  /** Writes a block under the revision that was read, with the next sequence number, as every update by Calico does. */
  async writeBlock(block: BlockRow): Promise<BlockRow> {
    return this.#update({ ...block, sequenceNumber: block.sequenceNumber + 1n });
  }

  async affinity(owner: BlockOwner, cidr: Cidr): Promise<AffinityRow | undefined> {
    return this.#get('BlockAffinity', this.keys.affinity(owner, cidr));
  }

  /** All affinities with their objects, for those that are wanted. */
  async affinities(isWanted: (row: AffinityRow) => boolean): Promise<readonly AffinityRow[]> {
    return (await this.#list('BlockAffinity', isWanted)).filter(isWanted);
  }

  async createAffinity(owner: BlockOwner, cidr: Cidr): Promise<AffinityRow> {
    const row: AffinityRow = {
      kind: 'BlockAffinity',
      key: this.keys.affinity(owner, cidr),
      ...{ type: owner.type, host: owner.host, cidr, state: 'pending', deleted: false },
    };
    return this.#datastore.create(row, { signal: this.#signal });
  }

  /** Moves an affinity to a state; the row then says who owns it. */
  async setAffinityState(
    row: AffinityRow,
    owner: BlockOwner,
    state: AffinityState,
  ): Promise<AffinityRow> {
    return this.#update({ ...row, type: owner.type, host: owner.host, state });
  }

  /** Writes an affinity as it is, so that it gets the labels by which it is found. */
  async labelAffinity(row: AffinityRow): Promise<AffinityRow> {
    return this.#update(row);
  }

  async handle(id: string): Promise<HandleRow | undefined> {
    return this.#get('IPAMHandle', this.keys.handle(id));
  }

  async createHandle(row: HandleRow): Promise<HandleRow> {
    return this.#datastore.create(row, { signal: this.#signal });
  }

  async writeHandle(row: HandleRow): Promise<HandleRow> {
    return this.#update(row);
  }

  async config(): Promise<IpamConfigRow | undefined> {
    return this.#get('IPAMConfig', { name: CONFIG_NAME });
  }

  async createConfig(row: IpamConfigRow): Promise<IpamConfigRow> {
    return this.#datastore.create(row, { signal: this.#signal });
  }

  async writeConfig(row: IpamConfigRow): Promise<IpamConfigRow> {
    return this.#update(row);
  }

  /** All pools that can be read. */
  async pools(): Promise<readonly PoolRow[]> {
    return this.#list('IPPool');
  }

  async reservations(): Promise<readonly ReservationRow[]> {
    return this.#list('IPReservation');
  }

  async node(name: string): Promise<NodeRow | undefined> {
    return this.#get('Node', { name });
  }

  /** Removes what etcd notes about a host beside its rows. */
  async forgetHost(host: string): Promise<void> {
    await this.#datastore.forgetHost?.(host, { signal: this.#signal });
  }

  /** Removes a row as it was read. @throws {@link ConflictError}, {@link NotFoundError} */
  async remove(row: WritableRow): Promise<void> {
    const { kind, key, revision, uid } = row;
    if (revision === undefined) throw withoutRevision(row);
    const version: RowVersion = { kind, key, revision, uid };
    await this.#datastore.remove(version, { signal: this.#signal });
  }

  /** Removes a row; one that is gone already is fine. @throws {@link ConflictError} */
  async removeIfThere(row: WritableRow): Promise<void> {
    try {
      await this.remove(row);
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
    }
  }

  /** A row that went since it was read was changed by somebody, too: reading it again shows what became of it. */
  async #update<R extends WritableRow>(row: R): Promise<R> {
    if (row.revision === undefined) throw withoutRevision(row);
    try {
      return await this.#datastore.update(row, { signal: this.#signal });
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      throw new ConflictError(`${row.kind} ${keyText(row.key)} went in between`, {
        cause: error,
        retryable: true,
      });
    }
  }

  async #get<K extends ResourceKind>(kind: K, key: ResourceKey): Promise<RowOfKind<K> | undefined> {
    const row = await this.#datastore.get(kind, key, { signal: this.#signal });
    if (!row || isLeftover(row)) return undefined;
    if (isReadable(row)) return row as RowOfKind<K>;
    throw new DataError(`${kind} ${keyText(row.key)} cannot be read: ${row.unreadable}`);
  }

  async #list<K extends ResourceKind>(
    kind: K,
    keep?: (row: RowOfKind<K>) => boolean,
  ): Promise<readonly RowOfKind<K>[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#listOnce(kind, keep);
      } catch (error) {
        if (!(error instanceof StreamRestart) || attempt === LIST_ATTEMPTS) throw error;
      }
    }
  }

  async #listOnce<K extends ResourceKind>(
    kind: K,
    keep: ((row: RowOfKind<K>) => boolean) | undefined,
  ): Promise<readonly RowOfKind<K>[]> {
    const isKept = keep && ((row: Row): boolean => isReadable(row) && keep(row as RowOfKind<K>));
    const listing = await this.#datastore.list(kind, { keep: isKept, signal: this.#signal });
    const rows: RowOfKind<K>[] = [];
    for await (const batch of listing.rows) {
      for (const row of batch)
        if (isReadable(row) && !isLeftover(row)) rows.push(row as RowOfKind<K>);
    }
    return rows.sort((a, b) => (a.key.name < b.key.name ? -1 : 1));
  }
}

/** Whether a row is only what is left of a removal in two steps. */
function isLeftover(row: Row): boolean {
  return 'deleted' in row && row.deleted;
}

function withoutRevision(row: WritableRow): InternalError {
  return new InternalError(
    `${row.kind} ${keyText(row.key)} was to be written without the revision that was read`,
  );
}

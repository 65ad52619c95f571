import type { WritableDatastore } from '../../src/datastore/datastore.ts';
import { StreamRestart } from '../../src/datastore/datastore.ts';
import {
  addressOfOrdinal,
  attributeAt,
  isCooling,
} from '../../src/ipam/allocator/block-content.ts';
import type { BlockRow } from '../../src/ipam/model/block.ts';
import type { HandleRow } from '../../src/ipam/model/handle.ts';
import type { PoolRow } from '../../src/ipam/model/pool.ts';
import type { ResourceKind } from '../../src/ipam/model/resource.ts';
import { isReadable, type ReadableRow } from '../../src/ipam/model/row.ts';
import { formatAddress } from '../../src/net/address.ts';
import { formatCidr } from '../../src/net/cidr.ts';
import { TAG } from './job.ts';

/** Where a run takes place. */
export interface Ground {
  readonly kubeconfig: string;
  readonly hosts: readonly string[];
  readonly pools: readonly PoolRow[];
  /** Nobody else writes, so that all rows are accounted for and everything can be taken away in the end. */
  readonly isOwn: boolean;
  /** How long a released address cools, in seconds. */
  readonly cooldownSeconds: number;
}

/** An address as a block has it. */
export interface StoredAddress {
  readonly address: string;
  /** Prefix of its block. */
  readonly block: string;
  readonly handle: string | undefined;
  readonly tag: string | undefined;
  readonly pod: string | undefined;
}

/** All readable rows of a kind. */
export async function rowsOf<K extends ResourceKind>(
  datastore: WritableDatastore,
  kind: K,
): Promise<readonly Extract<ReadableRow, { kind: K }>[]> {
  for (;;) {
    try {
      return await listRows(datastore, kind);
    } catch (error) {
      if (!(error instanceof StreamRestart)) throw error;
    }
  }
}

async function listRows<K extends ResourceKind>(
  datastore: WritableDatastore,
  kind: K,
): Promise<readonly Extract<ReadableRow, { kind: K }>[]> {
  const rows: Extract<ReadableRow, { kind: K }>[] = [];
  for await (const batch of (await datastore.list(kind)).rows)
    rows.push(...(batch.filter(isReadable) as Extract<ReadableRow, { kind: K }>[]));
  return rows;
}

/** Addresses that are assigned, cooling ones left out. */
export function* storedAddresses(blocks: readonly BlockRow[]): Generator<StoredAddress> {
  for (const block of blocks) {
    const cidr = formatCidr(block.cidr);
    for (const ordinal of block.allocations.keys()) {
      const attribute = attributeAt(block, ordinal);
      if (!attribute || isCooling(attribute)) continue;
      yield {
        address: formatAddress(addressOfOrdinal(block, ordinal)),
        block: cidr,
        handle: attribute.handle,
        tag: attribute.owner[TAG],
        pod: attribute.owner['pod'],
      };
    }
  }
}

/** What handles count, by handle and block. */
export function countedByPlace(handles: readonly HandleRow[]): ReadonlyMap<string, number> {
  return new Map(
    handles.flatMap(({ id, counts }) =>
      counts.map(
        ({ text, cidr, count }) => [placeText(id, cidr ? formatCidr(cidr) : text), count] as const,
      ),
    ),
  );
}

/** Counts addresses by handle and block. */
export function countByPlace(
  addresses: Iterable<{ readonly handle?: string | undefined; readonly block: string }>,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { handle = '', block } of addresses) {
    const place = placeText(handle, block);
    counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  return counts;
}

/** Names a handle and a block. */
export function placeText(handle: string, block: string): string {
  return `handle ${handle} in ${block}`;
}

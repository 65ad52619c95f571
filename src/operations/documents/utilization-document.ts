import type { DocumentHead } from '../outcome.ts';
import type { UnreadablePart } from './unreadable-entry.ts';

/** Counts of addresses. `inUse` includes `cooling`; `free` is neither in use nor reserved; exact at any size. */
export interface AddressCounts {
  readonly total: bigint;
  readonly inUse: number;
  readonly cooling: number;
  readonly reserved: bigint;
  readonly free: bigint;
  /** Assigned to another node than the block's owner. */
  readonly borrowed: number;
}

/** Who owns blocks: a node that exists, a virtual owner, nobody, or a host that is no node. */
export interface BlockStates {
  readonly affine: number;
  readonly virtual: number;
  readonly unaffined: number;
  /** Absent when nodes were not read; such blocks then count as affine. */
  readonly missingNode?: number | undefined;
}

/** One block under `--show-blocks`, or under `--map` with its cells. */
export interface BlockUtilization extends AddressCounts {
  readonly cidr: string;
  /** Raw owner such as `host:node-a`; absent when nobody owns the block. */
  readonly affinity?: string | undefined;
  /**
   * With `--map`: one letter per address. `.` free, `#` in use, `c` cooling, `r` reserved, `L` leaked, `b` borrowed.
   * Absent for blocks of more than 65536 addresses.
   */
  readonly cells?: string | undefined;
}

/** One pool. */
export interface PoolUtilization extends AddressCounts {
  readonly name: string;
  readonly cidr: string;
  readonly disabled: boolean;
  readonly blockSize: number;
  readonly blocks: {
    readonly inUse: number;
    readonly possible: bigint;
    readonly byState: BlockStates;
  };
  readonly blockList?: readonly BlockUtilization[] | undefined;
}

/** Blocks that no pool covers. */
export interface OutsideUtilization {
  readonly inUse: number;
  readonly cooling: number;
  readonly borrowed: number;
  readonly blocks: { readonly inUse: number; readonly byState: BlockStates };
  readonly blockList?: readonly BlockUtilization[] | undefined;
}

/** One node under `--by node`. */
export interface NodeUtilization {
  /** Absent for addresses that no node holds. */
  readonly name?: string | undefined;
  /** False when no such node exists; absent when nodes are not known. */
  readonly exists?: boolean | undefined;
  /** Blocks affine to it. */
  readonly blocks: number;
  /** Addresses that it holds. */
  readonly assigned: number;
  /** A part of `assigned`: held in blocks of others. */
  readonly borrowed: number;
  /** Free addresses in its own blocks. */
  readonly freeInOwnBlocks: bigint;
}

/** One namespace under `--by namespace`. */
export interface NamespaceUtilization {
  /** Absent for addresses without a namespace. */
  readonly name?: string | undefined;
  readonly assigned: number;
}

/** Something worth knowing that is no fault: a lock, a pool that cannot serve any more, a node without a block. */
export interface Hint {
  readonly code:
    | 'datastore-locked'
    | 'all-blocks-claimed'
    | 'no-block-under-strict-affinity'
    | 'block-limit-reached'
    | 'one-node-pool'
    | 'disabled-pool-in-use';
  readonly message: string;
  readonly pool?: string | undefined;
  readonly node?: string | undefined;
}

/** What addresses are used for, as counted in one look. */
export interface Utilization {
  readonly pools: readonly PoolUtilization[];
  readonly outsidePools: OutsideUtilization;
  readonly nodes?: readonly NodeUtilization[] | undefined;
  readonly namespaces?: readonly NamespaceUtilization[] | undefined;
  readonly hints: readonly Hint[];
}

/** `IPAMUtilization`: the document of `ipam show`. */
export interface UtilizationDocument
  extends DocumentHead<'IPAMUtilization'>, Utilization, UnreadablePart {}

import { type Cidr, cidrFamily } from '../../net/cidr.ts';
import type { RowHead } from './resource.ts';

/** Uses that a pool may allow. */
export const POOL_USES = ['Workload', 'Tunnel', 'LoadBalancer'] as const;

/** One of {@link POOL_USES}. */
export type PoolUse = (typeof POOL_USES)[number];

/** An IPPool with Calico's defaults filled in. */
export interface PoolRow extends RowHead {
  readonly kind: 'IPPool';
  readonly cidr: Cidr;
  /** Prefix length of the pool's blocks. */
  readonly blockSize: number;
  readonly disabled: boolean;
  /** False only while a condition `Allocatable` says `False`. */
  readonly allocatable: boolean;
  /** True when that condition's reason is `CIDROverlap`: the pool lost against an overlapping one. */
  readonly lostOverlap: boolean;
  readonly nodeSelector: string;
  readonly namespaceSelector: string;
  readonly allowedUses: readonly string[];
  readonly assignmentMode: string;
}

/** Calico's block size where a pool gives none: /26 or /122, 64 addresses either way. */
export function defaultBlockSize(cidr: Cidr): number {
  return cidrFamily(cidr) === 4 ? 26 : 122;
}

/** Uses of a pool that lists none. */
export const DEFAULT_USES: readonly PoolUse[] = ['Workload', 'Tunnel'];

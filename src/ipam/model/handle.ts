import type { Cidr } from '../../net/cidr.ts';
import type { RowHead } from './resource.ts';

/** How many addresses a handle claims to hold in one block. */
export interface HandleCount {
  /** Block as spelled in the row. */
  readonly text: string;
  /** Undefined when the text is no CIDR. */
  readonly cidr: Cidr | undefined;
  readonly count: number;
}

/** An IPAMHandle row: index from a handle id to blocks and counts. */
export interface HandleRow extends RowHead {
  readonly kind: 'IPAMHandle';
  /** Raw id with its case; `spec.handleID` in Kubernetes, part of the key in etcd. */
  readonly id: string;
  readonly counts: readonly HandleCount[];
  readonly deleted: boolean;
}

import type { Cidr } from '../../net/cidr.ts';
import type { RowHead } from './resource.ts';

/** States of an affinity row; an empty one is how old releases wrote a confirmed row. */
export type AffinityState = '' | 'pending' | 'confirmed' | 'pendingDeletion';

/** A BlockAffinity row: the claim of a block by a host or a virtual owner. */
export interface AffinityRow extends RowHead {
  readonly kind: 'BlockAffinity';
  /** `host` or `virtual`; a blank or absent type reads as `host`. */
  readonly type: string;
  readonly host: string;
  readonly cidr: Cidr;
  readonly state: AffinityState;
  readonly deleted: boolean;
  /** Whether the hashed-host label is there and right; undefined where the datastore has no labels. */
  readonly labelled?: boolean | undefined;
}

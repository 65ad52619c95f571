import type { Cidr } from '../../net/cidr.ts';
import type { ResourceKey, ResourceKind } from '../model/resource.ts';

/** A row left behind with the deletion mark. */
export interface SoftDeleted {
  readonly kind: ResourceKind;
  readonly key: ResourceKey;
  readonly createdAt: number | undefined;
  /** Block of a block or affinity row. */
  readonly cidr: Cidr | undefined;
}

import type { Address } from '../../net/address.ts';
import type { RowHead } from './resource.ts';

/** A Service of type LoadBalancer (others are not kept). */
export interface ServiceRow extends RowHead {
  readonly kind: 'Service';
  readonly loadBalancerClass?: string | undefined;
  /** Whether it asks for Calico addresses by annotation or `spec.loadBalancerIP`. */
  readonly requested: boolean;
  /** Addresses of `status.loadBalancer.ingress`; host names are left out. */
  readonly addresses: readonly Address[];
}

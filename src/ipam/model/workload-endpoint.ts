import type { Address } from '../../net/address.ts';
import type { RowHead } from './resource.ts';

/** A pod, reduced to what decides whether it carries an address. */
export interface PodRow extends RowHead {
  readonly kind: 'Pod';
  /** `spec.nodeName`; undefined while not scheduled. */
  readonly node?: string | undefined;
  /** Phase Succeeded, Failed or Completed: a finished pod carries nothing. */
  readonly finished: boolean;
  readonly hostNetwork: boolean;
  /**
   * Union of status and annotations, first occurrence first, whatever the phase. Whether they count is decided by
   * finished, hostNetwork and node.
   */
  readonly addresses: readonly Address[];
}

/** A workload endpoint of etcd. */
export interface WorkloadEndpointRow extends RowHead {
  readonly kind: 'WorkloadEndpoint';
  readonly node: string;
  readonly orchestrator: string;
  /** Pod of a k8s endpoint. */
  readonly pod?: string | undefined;
  readonly addresses: readonly Address[];
}

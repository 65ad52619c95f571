import type { Address } from '../../net/address.ts';
import type { RowHead } from './resource.ts';

/** Tunnel kinds of a node in Calico's order. */
export type TunnelType = 'vxlan' | 'vxlanV6' | 'ipip' | 'wireguard' | 'wireguardV6';

/** One tunnel address that a node carries. */
export interface TunnelAddress {
  readonly type: TunnelType;
  readonly address: Address;
}

/** A node: a Kubernetes node, or a Calico node row of etcd or a migration file. */
export interface NodeRow extends RowHead {
  readonly kind: 'Node';
  /** `kubernetes` for core nodes, `calico` for projectcalico.org/v3 rows. */
  readonly origin: 'kubernetes' | 'calico';
  /** Name in Kubernetes: its own for core nodes, the k8s orchestrator reference of Calico rows, if any. */
  readonly kubernetesName?: string | undefined;
  readonly tunnels: readonly TunnelAddress[];
  /** Tunnel fields whose text is no address; what the node carries is then not fully known. */
  readonly unreadableTunnels: readonly string[];
  /** Labels for node selectors, kept for `ipam show` hints. */
  readonly labels: Readonly<Record<string, string>>;
}

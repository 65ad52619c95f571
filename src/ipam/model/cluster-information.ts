import type { RowHead } from './resource.ts';

/** The ClusterInformation named `default`: identity, version and lock of the cluster. */
export interface ClusterInformationRow extends RowHead {
  readonly kind: 'ClusterInformation';
  readonly clusterGUID?: string | undefined;
  readonly clusterType?: string | undefined;
  readonly calicoVersion?: string | undefined;
  /** False means locked; absent counts as not locked. */
  readonly datastoreReady?: boolean | undefined;
}

/** The part of KubeControllersConfiguration that decides which Services are Calico's. */
export interface ControllersConfigurationRow extends RowHead {
  readonly kind: 'KubeControllersConfiguration';
  /** `controllers.loadBalancer.assignIPs`; undefined when the section is absent. */
  readonly assignIPs?: string | undefined;
}

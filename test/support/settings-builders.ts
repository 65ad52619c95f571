import type {
  ClusterInformationRow,
  ControllersConfigurationRow,
} from '../../src/ipam/model/cluster-information.ts';
import { DEFAULT_IPAM_CONFIG, type IpamConfigRow } from '../../src/ipam/model/ipam-config.ts';
import type { MachineRow } from '../../src/ipam/model/virtual-machine.ts';

/** The configuration object, with Calico's defaults. */
export function aConfig(more: Partial<IpamConfigRow> = {}): IpamConfigRow {
  return { kind: 'IPAMConfig', key: { name: 'default' }, ...DEFAULT_IPAM_CONFIG, ...more };
}

/** The ClusterInformation of an unlocked cluster. */
export function aClusterInformation(
  more: Partial<ClusterInformationRow> = {},
): ClusterInformationRow {
  return {
    kind: 'ClusterInformation',
    key: { name: 'default' },
    clusterGUID: '5d0c3c1e8f0b4b6fa9e2d7c6b5a49382',
    clusterType: 'k8s,bgp,kdd',
    calicoVersion: 'v3.33.0',
    datastoreReady: true,
    ...more,
  };
}

/** A controllers configuration with a load-balancer section. */
export function aControllersConfiguration(
  assignIPs: string | undefined = 'AllServices',
): ControllersConfigurationRow {
  return { kind: 'KubeControllersConfiguration', key: { name: 'default' }, assignIPs };
}

/** A KubeVirt machine. */
export function aMachine(name: string, kind: MachineRow['kind'] = 'VirtualMachine'): MachineRow {
  const [namespace, machine = ''] = name.split('/');
  return { kind, key: { namespace, name: machine } };
}

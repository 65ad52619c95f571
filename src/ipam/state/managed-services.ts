import type { ControllersConfigurationRow } from '../model/cluster-information.ts';
import type { ServiceRow } from '../model/service.ts';

/** Class by which a Service asks for Calico's controller. */
const CALICO_CLASS = 'calico';

/**
 * Whether Calico's controller gives this Service its addresses. Without a controllers configuration, or without its
 * load-balancer section, every Service of no foreign class counts.
 * Source: Calico kube-controllers, loadbalancer controller, which Services are managed.
 */
export function isManagedService(
  service: Pick<ServiceRow, 'loadBalancerClass' | 'requested'>,
  configuration: ControllersConfigurationRow | undefined,
): boolean {
  const mode = configuration?.assignIPs ?? 'AllServices';
  if (service.loadBalancerClass === CALICO_CLASS)
    return mode === 'AllServices' || mode === 'RequestedServicesOnly';
  if (service.loadBalancerClass) return false;
  return mode === 'AllServices' || (mode === 'RequestedServicesOnly' && service.requested);
}

/** Objects of Kubernetes that use addresses, as an API server takes them. */
import type { JsonObject } from '../../../src/ipam/model/resource.ts';
import type { ApiClient } from '../api-client.ts';
import { demand } from '../api-client.ts';

/** Namespaces that the objects below are in. */
export const NAMESPACES = ['shop-0', 'shop-1', 'shop-2', 'edge', 'vms'] as const;

/** Makes the namespaces, which no test takes away again. */
export async function ensureNamespaces(admin: ApiClient): Promise<void> {
  for (const name of NAMESPACES) {
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    await demand(admin, { method: 'POST', path: '/api/v1/namespaces', body, tolerate: [409] });
  }
}

/** A pod's name and place. */
export interface PodPlace {
  readonly namespace: string;
  readonly name: string;
  /** As Kubernetes calls it. */
  readonly node: string;
}

/** A pod that runs, or ended, with these addresses. */
export function podObject(
  { namespace, name, node }: PodPlace,
  addresses: readonly string[],
  phase = 'Running',
): JsonObject {
  const [podIP] = addresses;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace, name },
    spec: { nodeName: node, containers: [{ name: 'c', image: 'none' }] },
    status: {
      phase,
      ...(podIP === undefined ? {} : { podIP, podIPs: addresses.map((ip) => ({ ip })) }),
    },
  };
}

/** A Service of type LoadBalancer that shows these addresses. */
export function serviceObject(name: string, addresses: readonly string[]): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace: 'edge', name },
    spec: {
      type: 'LoadBalancer',
      allocateLoadBalancerNodePorts: false,
      ports: [{ name: 'https', port: 443 }],
    },
    status: { loadBalancer: { ingress: addresses.map((ip) => ({ ip })) } },
  };
}

/** A machine of KubeVirt: the definition, or one that runs. */
export function machineObject(
  kind: 'VirtualMachine' | 'VirtualMachineInstance',
  name: string,
): JsonObject {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind,
    metadata: { namespace: 'vms', name },
    spec: kind === 'VirtualMachine' ? { runStrategy: 'Always', template: {} } : { domain: {} },
  };
}

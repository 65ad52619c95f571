import { keyText } from '../model/resource.ts';
import type { ServiceRow } from '../model/service.ts';
import type { WorkloadEndpointRow } from '../model/workload-endpoint.ts';
import type { StateParts } from './builder.ts';
import { CarrierIndex } from './carrier-index.ts';
import type { ClusterState, Node, Service } from './cluster-state.ts';
import { isManagedService } from './managed-services.ts';
import type { NodeIndex } from './node-index.ts';

/** What the evidence amounts to. */
export interface IndexedCarriers {
  readonly carriers: CarrierIndex;
  /** By `namespace/name`. */
  readonly services: ReadonlyMap<string, Service>;
  readonly staleEndpoints: ClusterState['staleEndpoints'];
}

/** Gathers everything alive that shows an address: nodes, pods, endpoints of existing pods, Services. */
export function indexCarriers(parts: StateParts, nodes: NodeIndex): IndexedCarriers {
  const carriers = new CarrierIndex(parts.pods, (name) => nodes.calicoName(name));
  for (const node of nodes.nodes) addTunnels(carriers, node);
  const services = new Map<string, Service>();
  for (const row of parts.services)
    services.set(keyText(row.key), addService(carriers, row, parts));
  const stale = parts.endpoints.filter((row) => !addEndpoint(carriers, row, parts));
  return {
    carriers,
    services,
    staleEndpoints: stale
      .map(({ key, node, pod, addresses }) => ({ key, node, pod, addresses }))
      .sort((a, b) => (keyText(a.key) < keyText(b.key) ? -1 : 1)),
  };
}

function addTunnels(carriers: CarrierIndex, node: Node): void {
  const { name } = node;
  for (const { address } of node.tunnels) {
    carriers.add(address, {
      use: 'Tunnel',
      kind: 'Node',
      namespace: undefined,
      name,
      node: name,
      terminating: false,
      managed: true,
    });
  }
}

function addService(carriers: CarrierIndex, row: ServiceRow, parts: StateParts): Service {
  const service: Service = {
    namespace: row.key.namespace ?? '',
    name: row.key.name,
    managed: isManagedService(row, parts.controllersConfiguration),
    addresses: row.addresses,
  };
  for (const address of row.addresses) {
    carriers.add(address, {
      use: 'LoadBalancer',
      kind: 'Service',
      namespace: service.namespace,
      name: service.name,
      node: undefined,
      terminating: row.terminating ?? false,
      managed: service.managed,
    });
  }
  return service;
}

/** Adds an endpoint as a carrier; false when it is stale, because its pod is known not to exist. */
function addEndpoint(carriers: CarrierIndex, row: WorkloadEndpointRow, parts: StateParts): boolean {
  const namespace = row.key.namespace ?? '';
  const isPod = row.pod !== undefined && parts.loaded.has('Pod');
  const position = isPod ? parts.pods.find(namespace, row.pod) : -1;
  if (isPod && position < 0) return false;
  if (isPod && !parts.pods.carries(position)) return true;
  for (const address of row.addresses) {
    carriers.add(address, {
      use: 'Workload',
      kind: isPod ? 'Pod' : 'WorkloadEndpoint',
      namespace,
      name: isPod ? row.pod : row.key.name,
      node: row.node,
      terminating: row.terminating ?? false,
      managed: true,
    });
  }
  return true;
}

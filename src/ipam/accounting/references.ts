import { type Address, compareAddresses } from '../../net/address.ts';
import type { NodeRow } from '../model/node.ts';
import type { PoolUse } from '../model/pool.ts';
import { type ResourceKey, keyText } from '../model/resource.ts';
import type { ServiceRow } from '../model/service.ts';
import type { WorkloadEndpointRow } from '../model/workload-endpoint.ts';
import type { CountedAllocation } from './allocation.ts';

/** What uses an address. */
export interface Referrer {
  readonly kind: 'Node' | 'Workload' | 'Service' | 'VirtualMachine';
  readonly key: ResourceKey;
}

/** The fact that something uses an address in one way. */
export interface Reference {
  readonly address: Address;
  readonly use: PoolUse;
  readonly referrer: Referrer;
}

/** `Kind(namespace/name)`, or `Kind(name)` without a namespace. */
export function referrerText(referrer: {
  readonly kind: string;
  readonly key: ResourceKey;
}): string {
  return `${referrer.kind}(${keyText(referrer.key)})`;
}

/** Tunnel addresses of a node, in Calico's order. */
export function referencesOfNode(node: NodeRow): readonly Reference[] {
  const referrer: Referrer = { kind: 'Node', key: node.key };
  return node.tunnels.map(({ address }) => ({ address, use: 'Tunnel', referrer }));
}

/** Addresses of a workload endpoint. */
export function referencesOfEndpoint(endpoint: WorkloadEndpointRow): readonly Reference[] {
  const referrer: Referrer = { kind: 'Workload', key: endpoint.key };
  return endpoint.addresses.map((address) => ({ address, use: 'Workload', referrer }));
}

/** Addresses of a LoadBalancer Service; whether Calico manages it is the caller's decision. */
export function referencesOfService(service: ServiceRow): readonly Reference[] {
  const referrer: Referrer = { kind: 'Service', key: service.key };
  return service.addresses.map((address) => ({ address, use: 'LoadBalancer', referrer }));
}

/**
 * References by address. Adding one twice is adding it once; a reference of another use does not account for an
 * allocation.
 * Source: Calico libcalico-go lib/ipam/accounting references.go.
 */
export class ReferenceIndex {
  readonly #byAddress = new Map<Address, Map<string, Reference>>();

  add(references: Iterable<Reference>): void {
    for (const reference of references) {
      const present = this.#byAddress.get(reference.address);
      const id = identityOf(reference);
      if (present) present.set(id, reference);
      else this.#byAddress.set(reference.address, new Map([[id, reference]]));
    }
  }

  remove(references: Iterable<Reference>): void {
    for (const reference of references) {
      const present = this.#byAddress.get(reference.address);
      present?.delete(identityOf(reference));
      if (present?.size === 0) this.#byAddress.delete(reference.address);
    }
  }

  /** References to one address, by referrer kind, namespace, name, then use. */
  of(address: Address): readonly Reference[] {
    return [...(this.#byAddress.get(address)?.values() ?? [])].sort(compareReferences);
  }

  /** Every reference, by address (IPv4 first), then as {@link of}. */
  all(): readonly Reference[] {
    const addresses = [...this.#byAddress.keys()].sort(compareAddresses);
    return addresses.flatMap((address) => this.of(address));
  }

  /**
   * Whether an assigned allocation is accounted for: reserved Windows slots and unknown types always are, others by a
   * reference of the same use.
   */
  accountsFor(allocation: Pick<CountedAllocation, 'address' | 'kind'>): boolean {
    const { kind } = allocation;
    if (kind === 'WindowsReserved' || kind === 'Unknown') return true;
    for (const reference of this.#byAddress.get(allocation.address)?.values() ?? []) {
      if (reference.use === kind) return true;
    }
    return false;
  }
}

function identityOf({ use, referrer: { kind, key } }: Reference): string {
  return JSON.stringify([kind, key.namespace ?? '', key.name, use]);
}

function compareReferences(a: Reference, b: Reference): number {
  return (
    compareTexts(a.referrer.kind, b.referrer.kind) ||
    compareTexts(a.referrer.key.namespace ?? '', b.referrer.key.namespace ?? '') ||
    compareTexts(a.referrer.key.name, b.referrer.key.name) ||
    compareTexts(a.use, b.use)
  );
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

import { type Address, compareAddresses } from '../../net/address.ts';
import type { Carrier } from './cluster-state.ts';
import type { PodTable } from './pod-table.ts';

const ORDER: Record<Carrier['kind'], number> = { Node: 0, Pod: 1, WorkloadEndpoint: 2, Service: 3 };

/** What shows an address: pods by their position, everything else as records. One number per entry keeps it small. */
export class CarrierIndex {
  private readonly pods: PodTable;
  private readonly nodeNameOf: (kubernetesName: string) => string;
  private readonly others: Carrier[] = [];
  /** A pod's position, or the negative number of another carrier; a list where several show the address. */
  private readonly byAddress = new Map<Address, number | number[]>();

  private sorted: readonly Address[] | undefined;

  /** `nodeNameOf` gives the name by which Calico knows a Kubernetes node. */
  constructor(pods: PodTable, nodeNameOf: (kubernetesName: string) => string) {
    this.pods = pods;
    this.nodeNameOf = nodeNameOf;
    for (let position = 0; position < pods.length; position++) {
      if (!pods.carries(position)) continue;
      for (const address of pods.addressesAt(position)) this.link(address, position);
    }
  }

  /** Adds something other than a pod; the same carrier of one address counts once. */
  add(address: Address, carrier: Carrier): void {
    if (this.of(address).some((known) => isSame(known, carrier))) return;
    this.others.push(carrier);
    this.link(address, -this.others.length);
  }

  private link(address: Address, entry: number): void {
    this.sorted = undefined;
    const known = this.byAddress.get(address);
    if (known === undefined) this.byAddress.set(address, entry);
    else if (typeof known !== 'number') known.push(entry);
    else if (known !== entry) this.byAddress.set(address, [known, entry]);
  }

  /** Nodes first, then pods, then Services, each by namespace and name. */
  of(address: Address): readonly Carrier[] {
    const entries = this.byAddress.get(address);
    if (entries === undefined) return [];
    if (typeof entries === 'number') return [this.carrier(entries)];
    return entries.map((entry) => this.carrier(entry)).sort(compareCarriers);
  }

  /** Every address that something shows, numerically. */
  addresses(): readonly Address[] {
    this.sorted ??= [...this.byAddress.keys()].sort(compareAddresses);
    return this.sorted;
  }

  private carrier(entry: number): Carrier {
    if (entry < 0) return this.others[-entry - 1] as Carrier;
    const pod = this.pods.placeAt(entry);
    return {
      use: 'Workload',
      kind: 'Pod',
      namespace: pod.namespace,
      name: pod.name,
      node: pod.node === undefined ? undefined : this.nodeNameOf(pod.node),
      terminating: pod.terminating,
      managed: true,
    };
  }
}

function isSame(a: Carrier, b: Carrier): boolean {
  return a.kind === b.kind && a.namespace === b.namespace && a.name === b.name && a.use === b.use;
}

function compareCarriers(a: Carrier, b: Carrier): number {
  return (
    ORDER[a.kind] - ORDER[b.kind] ||
    compareText(a.namespace ?? '', b.namespace ?? '') ||
    compareText(a.name, b.name)
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

import type { Address } from '../../net/address.ts';
import type { Cidr } from '../../net/cidr.ts';
import type { AllocationKind } from '../accounting/kind.ts';
import type { AffinityState } from '../model/affinity.ts';
import type {
  ClusterInformationRow,
  ControllersConfigurationRow,
} from '../model/cluster-information.ts';
import type { HandleCount } from '../model/handle.ts';
import type { IpamConfigRow } from '../model/ipam-config.ts';
import type { TunnelAddress } from '../model/node.ts';
import type { PoolRow } from '../model/pool.ts';
import type { ReservationRow } from '../model/reservation.ts';
import type { ResourceKey, ResourceKind, Revision, UnreadableRow } from '../model/resource.ts';
import type { RowKeys } from '../model/row-keys.ts';
import type { WorkloadEndpointRow } from '../model/workload-endpoint.ts';
import type { SoftDeleted } from './soft-deleted.ts';

/** A block that counts: readable and not soft-deleted. */
export interface Block {
  /** Position in {@link ClusterState.blocks}. */
  readonly index: number;
  readonly key: ResourceKey;
  readonly revision: Revision | undefined;
  readonly cidr: Cidr;
  /** Raw affinity text; undefined when the block belongs to nobody. */
  readonly affinity: string | undefined;
  /** Node named by a `host:` affinity. */
  readonly node: string | undefined;
  readonly createdAt: number | undefined;
  /** Structural defects as sentence parts, in a fixed order; empty for a sound block. */
  readonly defects: readonly string[];
  /** Well-formed allocated ordinals, cooling included. */
  readonly inUse: number;
  /** Cooling ordinals, a part of `inUse`. */
  readonly cooling: number;
}

/** One well-formed allocated ordinal. Views are made on demand; keep indexes, not views. */
export interface Allocation {
  readonly block: Block;
  readonly ordinal: number;
  readonly address: Address;
  /** Released and waiting; then handle and owner are gone and `kind` means nothing. */
  readonly cooling: boolean;
  /** Milliseconds since 1970, for cooling ones. */
  readonly releasedAt: number | undefined;
  readonly kind: AllocationKind;
  /** Raw handle id, undefined when none was recorded. */
  readonly handle: string | undefined;
  /** Handle id cut at the first control character; undefined when there is none or it is empty. */
  readonly handleId: string | undefined;
  /** The raw handle id, be it empty, is another text than {@link handleId}; cheaper than to compare the two. */
  readonly isHandleCut: boolean;
  readonly sequenceNumber: bigint;
  /** `node` owner attribute, undefined when absent or empty. */
  readonly nodeAttribute: string | undefined;
  /** `nodeAttribute`, else the block's node. */
  readonly node: string | undefined;
  readonly pod: string | undefined;
  readonly namespace: string | undefined;
  readonly type: string | undefined;
  readonly service: string | undefined;
  /** Name of the KubeVirt machine (`vmi-name` attribute), in `namespace`. */
  readonly machine: string | undefined;
  /** Owner on the other side of a live migration. */
  readonly alternate:
    { readonly pod?: string | undefined; readonly namespace?: string | undefined } | undefined;
  /** Value of the `timestamp` attribute, milliseconds since 1970; undefined when absent or unreadable. */
  readonly allocatedAt: number | undefined;
  /** Raw `timestamp` attribute. */
  readonly timestamp: string | undefined;
  /** No active owner attributes at all. */
  readonly ownerIsEmpty: boolean;
  /** Assigned, and `nodeAttribute` differs from the block's node (also when the block has none). */
  readonly borrowed: boolean;
}

/** A handle row that counts: readable and not soft-deleted. */
export interface Handle {
  readonly key: ResourceKey;
  readonly revision: Revision | undefined;
  readonly uid: string | undefined;
  readonly createdAt: number | undefined;
  /** Raw id. */
  readonly id: string;
  /** Id cut at the first control character. */
  readonly handleId: string;
  /** {@link id} is another text than {@link handleId}; cheaper than to compare the two. */
  readonly isCut: boolean;
  readonly counts: readonly HandleCount[];
}

/** An affinity row that counts: readable and not soft-deleted. */
export interface Affinity {
  readonly key: ResourceKey;
  readonly revision: Revision | undefined;
  readonly createdAt: number | undefined;
  readonly type: string;
  readonly host: string;
  readonly cidr: Cidr;
  readonly state: AffinityState;
  readonly labelled: boolean | undefined;
}

/** A node that exists. A Calico row counts only while the Kubernetes node it refers to exists, where those are known. */
export interface Node {
  readonly key: ResourceKey;
  readonly name: string;
  readonly kubernetesName: string | undefined;
  readonly tunnels: readonly TunnelAddress[];
  readonly unreadableTunnels: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
}

/** A pod. */
export interface Pod {
  readonly namespace: string;
  readonly name: string;
  readonly node: string | undefined;
  readonly finished: boolean;
  readonly hostNetwork: boolean;
  readonly terminating: boolean;
  readonly createdAt: number | undefined;
  /** What it shows, whether or not it counts. */
  readonly addresses: readonly Address[];
}

/** A workload endpoint, which etcd keeps beside the pod. */
export type Endpoint = Pick<WorkloadEndpointRow, 'key' | 'node' | 'pod' | 'addresses'>;

/** A Service of type LoadBalancer. */
export interface Service {
  readonly namespace: string;
  readonly name: string;
  /** Whether Calico gives it its addresses. */
  readonly managed: boolean;
  readonly addresses: readonly Address[];
}

/** Uses by which something carries an address. */
export type CarrierUse = 'Workload' | 'Tunnel' | 'LoadBalancer';

/** Something alive that shows an address. */
export interface Carrier {
  readonly use: CarrierUse;
  readonly kind: 'Node' | 'Pod' | 'WorkloadEndpoint' | 'Service';
  readonly namespace: string | undefined;
  readonly name: string;
  /** Node on which it runs, or the node itself. */
  readonly node: string | undefined;
  /** Marked for deletion; still alive, but it may have given its address back. */
  readonly terminating: boolean;
  /** False for a Service of another controller: it keeps an address from being taken, and counts nowhere. */
  readonly managed: boolean;
}

/**
 * What show, check and release read: columns in typed arrays behind small views, indexed by address, handle, node and
 * block. It is built by {@link ClusterStateBuilder}, never changes, and every iteration has a stable order: addresses
 * numerically (IPv4 first), rows by name.
 */
export interface ClusterState {
  /** Names of rows, also of those that are not there. */
  readonly keys: RowKeys;
  /** Whether the kind was read, which an empty list is too. KubeVirt kinds that are not installed count as read. */
  isLoaded(kind: ResourceKind): boolean;
  /** Whether the server said that it has no such kind. */
  isInstalled(kind: ResourceKind): boolean;

  readonly clusterInformation: ClusterInformationRow | undefined;
  readonly controllersConfiguration: ControllersConfigurationRow | undefined;
  /** The row named `default`, if there is one. */
  readonly config: IpamConfigRow | undefined;
  /** By name. */
  readonly pools: readonly PoolRow[];
  readonly reservations: readonly ReservationRow[];

  /** By address, then shorter prefixes first, then row name. */
  readonly blocks: readonly Block[];
  /** Blocks that contain the address, whatever their size. */
  blocksContaining(address: Address): readonly Block[];
  /** Blocks that share an address with the prefix, in order. */
  blocksOverlapping(cidr: Cidr): readonly Block[];
  /** Blocks of exactly this prefix. */
  blocksOf(cidr: Cidr): readonly Block[];

  /** Every well-formed allocated ordinal, cooling included, by address, then in block order. */
  allocations(): Iterable<Allocation>;
  /** Those of one block, by ordinal. */
  allocationsIn(block: Block): Iterable<Allocation>;
  /** Those of one address, in block order; more than one when blocks overlap. */
  allocationsAt(address: Address): readonly Allocation[];
  /** Those whose handle id, cut, is this one, by address. */
  allocationsOf(handleId: string): readonly Allocation[];
  /** Whether an address that is assigned, and not cooling down, names this handle id, cut. */
  isReferred(handleId: string): boolean;
  /** Distinct cut handle ids that allocations name, Windows-reserved ones excluded, sorted. */
  referredHandleIds(): Iterable<string>;

  /** By row name. */
  handles(): Iterable<Handle>;
  /** Whether there is a row of a cut id. */
  hasHandle(handleId: string): boolean;
  /** By cut id; several rows may share one. */
  handlesOf(handleId: string): readonly Handle[];

  /** By row name. */
  readonly affinities: readonly Affinity[];
  affinitiesOf(cidr: Cidr): readonly Affinity[];

  /** By name. */
  readonly nodes: readonly Node[];
  /** Whether the nodes are Calico's own rows (etcd), each of which may refer to a node of Kubernetes. */
  readonly hasCalicoNodes: boolean;
  node(name: string): Node | undefined;
  pod(namespace: string, name: string): Pod | undefined;
  pods(): Iterable<Pod>;
  service(namespace: string, name: string): Service | undefined;
  /** Whether a VirtualMachine or VirtualMachineInstance of that name exists. */
  hasMachine(namespace: string, name: string): boolean;
  /** Whether the handle is the one that Calico makes for some existing machine (see machine handles in the model). */
  machineOfHandle(
    handleId: string,
  ): { readonly namespace: string; readonly name: string } | undefined;
  /** An endpoint that is a row of its own (etcd only). */
  endpoint(namespace: string, name: string): Endpoint | undefined;
  /** Endpoints whose pod does not exist, where pods are known (etcd only). */
  readonly staleEndpoints: readonly Endpoint[];

  /** Everything alive that shows the address, nodes first, then pods, then Services, each by name. */
  carriersOf(address: Address): readonly Carrier[];
  /** Every address that something alive shows, numerically. */
  carriedAddresses(): Iterable<Address>;

  /** Rows that could not be read, by kind and name. */
  readonly unreadable: readonly UnreadableRow[];
  /**
   * Whether a row that cannot be read may be this one, or without a key whether there is any of the kind: then nothing is
   * called absent. What cannot be read of its identity matches everything.
   */
  mayBeUnreadable(kind: ResourceKind, key?: ResourceKey): boolean;
  /** Whether a row that cannot be read may run on the node, or anywhere when that is not known. */
  mayRunUnreadable(kind: 'Pod' | 'WorkloadEndpoint', node: string | undefined): boolean;
  readonly softDeleted: readonly SoftDeleted[];
}

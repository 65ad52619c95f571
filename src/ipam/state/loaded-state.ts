import type { Address } from '../../net/address.ts';
import { type Cidr, compareCidrs, ordinalOf } from '../../net/cidr.ts';
import type { AffinityRow } from '../model/affinity.ts';
import type { PoolRow } from '../model/pool.ts';
import { type ResourceKey, type ResourceKind, keyText } from '../model/resource.ts';
import { AllocationIndex } from './allocation-index.ts';
import type { StateParts } from './builder.ts';
import type { CarrierIndex } from './carrier-index.ts';
import { indexCarriers } from './carriers.ts';
import type {
  Affinity,
  Allocation,
  Block,
  Carrier,
  ClusterState,
  Endpoint,
  Handle,
  Node,
  Pod,
  Service,
} from './cluster-state.ts';
import { MachineIndex } from './machine-index.ts';
import { NodeIndex } from './node-index.ts';
import { PrefixIndex } from './prefix-index.ts';
import { UnreadableRows } from './unreadable-rows.ts';

/** The state over what the builder took. Views that cost something are made when they are asked for. */
export class LoadedState implements ClusterState {
  readonly keys;
  readonly hasCalicoNodes;
  readonly clusterInformation;
  readonly controllersConfiguration;
  readonly config;
  readonly pools: readonly PoolRow[];
  readonly reservations;
  readonly blocks: readonly Block[];
  readonly affinities: readonly Affinity[];
  readonly nodes: readonly Node[];
  readonly staleEndpoints;
  readonly unreadable;
  readonly softDeleted;
  private readonly parts: StateParts;
  private readonly blockIndex: PrefixIndex<Block>;
  private readonly affinityIndex: PrefixIndex<Affinity>;
  private readonly allocationIndex: AllocationIndex;
  private readonly nodeIndex: NodeIndex;
  private readonly unreadableRows: UnreadableRows;
  private readonly services: ReadonlyMap<string, Service>;
  private readonly carriers: CarrierIndex;
  private endpoints: Map<string, Endpoint> | undefined;
  private readonly machines: MachineIndex;

  constructor(parts: StateParts) {
    this.parts = parts;
    this.keys = parts.keys;
    this.hasCalicoNodes = parts.nodes.some(({ origin }) => origin === 'calico');
    this.clusterInformation = parts.clusterInformation;
    this.controllersConfiguration = parts.controllersConfiguration;
    this.config = parts.config;
    this.pools = byName(parts.pools);
    this.reservations = byName(parts.reservations);
    this.blocks = parts.blocks.sorted();
    this.blockIndex = new PrefixIndex(this.blocks);
    this.affinities = byName(parts.affinities).map(affinityOfRow);
    this.affinityIndex = new PrefixIndex(
      [...this.affinities].sort((a, b) => compareCidrs(a.cidr, b.cidr)),
    );
    this.allocationIndex = new AllocationIndex(parts.blocks, this.blocks, parts.strings);
    this.nodeIndex = new NodeIndex(parts.nodes);
    this.nodes = this.nodeIndex.nodes;
    const indexed = indexCarriers(parts, this.nodeIndex);
    this.carriers = indexed.carriers;
    this.machines = new MachineIndex(parts.machines);
    this.services = indexed.services;
    this.staleEndpoints = indexed.staleEndpoints;
    this.unreadable = byName(parts.unreadable).sort((a, b) => compareText(a.kind, b.kind));
    this.unreadableRows = new UnreadableRows(this.unreadable, (name) =>
      this.nodeIndex.calicoName(name),
    );
    this.softDeleted = byName(parts.softDeleted).sort((a, b) => compareText(a.kind, b.kind));
  }

  isLoaded(kind: ResourceKind): boolean {
    return this.parts.loaded.has(kind);
  }

  isInstalled(kind: ResourceKind): boolean {
    return !this.parts.notInstalled.has(kind);
  }

  blocksContaining(address: Address): readonly Block[] {
    return this.blockIndex.containing(address);
  }

  blocksOverlapping(cidr: Cidr): readonly Block[] {
    return this.blockIndex.overlapping(cidr);
  }

  blocksOf(cidr: Cidr): readonly Block[] {
    return this.blockIndex.exactly(cidr);
  }

  allocations(): Iterable<Allocation> {
    return this.allocationIndex.all();
  }

  allocationsIn(block: Block): Iterable<Allocation> {
    return this.allocationIndex.in(block);
  }

  allocationsAt(address: Address): readonly Allocation[] {
    const found: Allocation[] = [];
    const blocks = this.blockIndex.containing(address);
    // No iterator: rules ask for every address of a cluster.
    for (let at = 0; at < blocks.length; at++) {
      const block = blocks[at] as Block;
      const position = this.parts.blocks.find(block, ordinalOf(block.cidr, address));
      if (position >= 0) found.push(this.parts.blocks.view(block, position));
    }
    return found;
  }

  allocationsOf(handleId: string): readonly Allocation[] {
    return this.allocationIndex.ofHandle(this.parts.strings.find(handleId));
  }

  isReferred(handleId: string): boolean {
    return this.allocationIndex.isAssigned(this.parts.strings.find(handleId));
  }

  referredHandleIds(): Iterable<string> {
    return this.allocationIndex.handleIds();
  }

  handles(): Iterable<Handle> {
    return this.parts.handles.all();
  }

  hasHandle(handleId: string): boolean {
    return this.parts.handles.has(this.parts.strings.find(handleId));
  }

  handlesOf(handleId: string): readonly Handle[] {
    return this.parts.handles.of(this.parts.strings.find(handleId));
  }

  affinitiesOf(cidr: Cidr): readonly Affinity[] {
    return this.affinityIndex.exactly(cidr);
  }

  node(name: string): Node | undefined {
    return this.nodeIndex.node(name);
  }

  pod(namespace: string, name: string): Pod | undefined {
    const position = this.parts.pods.find(namespace, name);
    return position < 0 ? undefined : this.podAt(position);
  }

  *pods(): Generator<Pod> {
    for (let position = 0; position < this.parts.pods.length; position++)
      yield this.podAt(position);
  }

  private podAt(position: number): Pod {
    const pod = this.parts.pods.view(position);
    return {
      ...pod,
      node: pod.node === undefined ? undefined : this.nodeIndex.calicoName(pod.node),
    };
  }

  service(namespace: string, name: string): Service | undefined {
    return this.services.get(`${namespace}/${name}`);
  }

  endpoint(namespace: string, name: string): Endpoint | undefined {
    const endpoints = (this.endpoints ??= new Map(
      this.parts.endpoints.map((row) => [keyText(row.key), row]),
    ));
    return endpoints.get(keyText({ namespace, name }));
  }

  hasMachine(namespace: string, name: string): boolean {
    return this.machines.has(`${namespace}/${name}`);
  }

  machineOfHandle(
    handleId: string,
  ): { readonly namespace: string; readonly name: string } | undefined {
    return this.machines.ofHandle(handleId);
  }

  carriersOf(address: Address): readonly Carrier[] {
    return this.carriers.of(address);
  }

  carriedAddresses(): Iterable<Address> {
    return this.carriers.addresses();
  }

  mayBeUnreadable(kind: ResourceKind, key?: ResourceKey): boolean {
    return this.unreadableRows.mayBe(kind, key);
  }

  mayRunUnreadable(kind: 'Pod' | 'WorkloadEndpoint', node: string | undefined): boolean {
    return this.unreadableRows.mayRunOn(kind, node);
  }
}

function byName<
  T extends { readonly key: { readonly namespace?: string | undefined; readonly name: string } },
>(rows: readonly T[]): T[] {
  return [...rows].sort((a, b) => compareText(keyText(a.key), keyText(b.key)));
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function affinityOfRow({
  key,
  revision,
  createdAt,
  type,
  host,
  cidr,
  state,
  labelled,
}: AffinityRow): Affinity {
  return { key, revision, createdAt, type, host, cidr, state, labelled };
}

import { comparableHandleId } from '../handle-id.ts';
import type { AffinityRow } from '../model/affinity.ts';
import type {
  ClusterInformationRow,
  ControllersConfigurationRow,
} from '../model/cluster-information.ts';
import type { HandleRow } from '../model/handle.ts';
import { CONFIG_NAME, type IpamConfigRow } from '../model/ipam-config.ts';
import { handleName } from '../model/names.ts';
import type { NodeRow } from '../model/node.ts';
import type { PoolRow } from '../model/pool.ts';
import type { ReservationRow } from '../model/reservation.ts';
import { type ResourceKind, type UnreadableRow, keyText } from '../model/resource.ts';
import { OBJECT_KEYS, type RowKeys } from '../model/row-keys.ts';
import { type ReadableRow, type Row, isReadable } from '../model/row.ts';
import type { ServiceRow } from '../model/service.ts';
import type { WorkloadEndpointRow } from '../model/workload-endpoint.ts';
import type { KeptTexts } from './allocation-columns.ts';
import { BlockTable } from './block-table.ts';
import type { ClusterState } from './cluster-state.ts';
import { HandleTable } from './handle-table.ts';
import { LoadedState } from './loaded-state.ts';
import { PodTable } from './pod-table.ts';
import type { SoftDeleted } from './soft-deleted.ts';
import { StringTable } from './string-table.ts';

/** Everything that was read, before it is indexed. One part per kind, so that a kind can be taken again. */
export class StateParts {
  readonly keys: RowKeys;
  /** Of allocations. */
  readonly kept: KeptTexts;
  readonly strings: StringTable;
  readonly loaded = new Set<ResourceKind>();
  readonly notInstalled = new Set<ResourceKind>();
  blocks: BlockTable;
  handles: HandleTable;
  pods: PodTable;
  affinities: AffinityRow[] = [];
  pools: PoolRow[] = [];
  reservations: ReservationRow[] = [];
  nodes: NodeRow[] = [];
  services: ServiceRow[] = [];
  endpoints: WorkloadEndpointRow[] = [];
  /** `namespace/name` of machines and instances. */
  readonly machines = {
    VirtualMachine: new Set<string>(),
    VirtualMachineInstance: new Set<string>(),
  };
  clusterInformation: ClusterInformationRow | undefined;
  controllersConfiguration: ControllersConfigurationRow | undefined;
  config: IpamConfigRow | undefined;
  unreadable: UnreadableRow[] = [];
  softDeleted: SoftDeleted[] = [];

  constructor(keys: RowKeys, kept: KeptTexts) {
    this.keys = keys;
    this.kept = kept;
    this.strings = new StringTable();
    this.blocks = new BlockTable(this.strings, kept);
    this.handles = new HandleTable(this.strings);
    this.pods = new PodTable(this.strings);
  }
}

/**
 * Takes rows of a cluster, in any order, and keeps what judging needs but not the rows.
 * A row that is marked deleted, or unreadable, is noted and counts nowhere else.
 */
export class ClusterStateBuilder {
  private readonly parts: StateParts;

  /**
   * @param keys Names of rows where these come from; those of Kubernetes when absent.
   * @param kept Texts to keep of allocations; asking for another one throws.
   */
  constructor(keys: RowKeys = OBJECT_KEYS, kept: KeptTexts = 'all') {
    this.parts = new StateParts(keys, kept);
  }

  /** Takes one row; its kind counts as loaded from then on. */
  add(row: Row): void {
    this.parts.loaded.add(row.kind);
    if (!isReadable(row)) this.parts.unreadable.push(withoutObject(row));
    else this.addReadable(row);
  }

  /** The kind was read, even if no row of it comes. */
  markLoaded(kind: ResourceKind): void {
    this.parts.loaded.add(kind);
  }

  /** The server has no such kind: read, and empty. */
  markNotInstalled(kind: ResourceKind): void {
    this.parts.loaded.add(kind);
    this.parts.notInstalled.add(kind);
  }

  /** Forgets all rows of a kind whose list was cut and is taken again. */
  drop(kind: ResourceKind): void {
    const parts = this.parts;
    parts.loaded.delete(kind);
    parts.unreadable = parts.unreadable.filter((row) => row.kind !== kind);
    parts.softDeleted = parts.softDeleted.filter((row) => row.kind !== kind);
    this.emptyPart(kind);
  }

  /** Indexes everything; the builder must not be used afterwards. */
  build(): ClusterState {
    return new LoadedState(this.parts);
  }

  private addReadable(row: ReadableRow): void {
    const parts = this.parts;
    switch (row.kind) {
      case 'IPAMBlock':
      case 'IPAMHandle':
      case 'BlockAffinity':
        this.addClaim(row);
        return;
      case 'IPPool':
        parts.pools.push(row);
        return;
      case 'IPReservation':
        parts.reservations.push(row);
        return;
      case 'IPAMConfig':
        if (row.key.name === CONFIG_NAME) parts.config = row;
        return;
      case 'ClusterInformation':
        if (row.key.name === CONFIG_NAME) parts.clusterInformation = row;
        return;
      case 'KubeControllersConfiguration':
        if (row.key.name === CONFIG_NAME) parts.controllersConfiguration = row;
        return;
      default:
        this.addEvidence(row);
    }
  }

  private addClaim(
    row: Extract<ReadableRow, { kind: 'IPAMBlock' | 'IPAMHandle' | 'BlockAffinity' }>,
  ): void {
    if (row.deleted) {
      const cidr = row.kind === 'IPAMHandle' ? undefined : row.cidr;
      this.parts.softDeleted.push({ kind: row.kind, key: row.key, createdAt: row.createdAt, cidr });
    } else if (row.kind === 'IPAMBlock') {
      this.parts.blocks.add(row);
    } else if (row.kind === 'BlockAffinity') {
      this.parts.affinities.push(row);
    } else if (!isFoundByName(row)) {
      this.parts.unreadable.push(misnamedHandle(row.key.name, row.id, row));
    } else {
      this.parts.handles.add(row);
    }
  }

  private addEvidence(
    row: Exclude<ReadableRow, { kind: 'IPAMBlock' | 'IPAMHandle' | 'BlockAffinity' }>,
  ): void {
    const parts = this.parts;
    if (row.kind === 'Pod') parts.pods.add(row);
    else if (row.kind === 'Node') parts.nodes.push(row);
    else if (row.kind === 'Service') parts.services.push(row);
    else if (row.kind === 'WorkloadEndpoint') parts.endpoints.push(row);
    else if (row.kind === 'VirtualMachine' || row.kind === 'VirtualMachineInstance') {
      parts.machines[row.kind].add(keyText(row.key));
    }
  }

  private emptyPart(kind: ResourceKind): void {
    const parts = this.parts;
    const empty: Record<ResourceKind, () => unknown> = {
      IPAMBlock: () => (parts.blocks = new BlockTable(parts.strings, parts.kept)),
      IPAMHandle: () => (parts.handles = new HandleTable(parts.strings)),
      BlockAffinity: () => (parts.affinities = []),
      IPPool: () => (parts.pools = []),
      IPReservation: () => (parts.reservations = []),
      IPAMConfig: () => (parts.config = undefined),
      ClusterInformation: () => (parts.clusterInformation = undefined),
      KubeControllersConfiguration: () => (parts.controllersConfiguration = undefined),
      Node: () => (parts.nodes = []),
      Pod: () => (parts.pods = new PodTable(parts.strings)),
      Service: () => (parts.services = []),
      WorkloadEndpoint: () => (parts.endpoints = []),
      VirtualMachine: () => {
        parts.machines.VirtualMachine.clear();
      },
      VirtualMachineInstance: () => {
        parts.machines.VirtualMachineInstance.clear();
      },
    };
    empty[kind]();
  }
}

/** Whether Calico finds the row when it looks for the id: as it is (etcd), or by the name that follows from it. */
function isFoundByName({ key, id }: HandleRow): boolean {
  return (
    key.name === id ||
    key.name === handleName(id) ||
    key.name === handleName(comparableHandleId(id))
  );
}

/** A handle under a name that does not follow from its id is looked up by nobody: its own name is all that is sure. */
function misnamedHandle(name: string, id: string, row: Row): UnreadableRow {
  return {
    kind: 'IPAMHandle',
    key: row.key,
    revision: row.revision,
    uid: row.uid,
    createdAt: row.createdAt,
    unreadable: `it is stored as "${name}", but its id "${id}" belongs under "${handleName(id)}", where nobody finds it`,
  };
}

function withoutObject(row: UnreadableRow): UnreadableRow {
  const { object: _object, ...rest } = row;
  return rest;
}

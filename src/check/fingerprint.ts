import {
  type ResourceKey,
  type ResourceKind,
  type Revision,
  keyText,
} from '../ipam/model/resource.ts';
import type { ClusterState, Handle } from '../ipam/state/cluster-state.ts';
import type { Address } from '../net/address.ts';
import type { RowReference } from './rule.ts';

const ABSENT = 'absent';

/** Kinds of rows that claim, which are told apart by their revisions. */
export const CLAIMING_KINDS = ['IPAMBlock', 'IPAMHandle', 'BlockAffinity'] as const;

/**
 * Tells rows of two looks apart: the revision of a row that claims, what a row of evidence shows. Equal fingerprints in
 * two looks mean that the row was the same in all the time between.
 */
export class Fingerprints {
  private readonly state: ClusterState;
  private readonly revisions = new Map<ResourceKind, ReadonlyMap<string, string>>();

  constructor(state: ClusterState) {
    this.state = state;
  }

  of({ kind, key }: RowReference): string {
    const { state } = this;
    const { namespace = '', name } = key;
    switch (kind) {
      case 'Pod':
        return this.podPrint(key);
      case 'Node':
      case 'WorkloadEndpoint':
      case 'Service':
        return addressesPrint(this.addressesOf(kind, { namespace, name }));
      case 'VirtualMachine':
      case 'VirtualMachineInstance':
        return state.hasMachine(namespace, name) ? 'exists' : ABSENT;
      default:
        return this.revisionsOf(kind).get(keyText(key)) ?? this.damagePrint(kind, key);
    }
  }

  /** Whether a row that claims had this revision, or was not there for undefined. */
  isAt(row: RowReference, revision: Revision | undefined): boolean {
    return this.of(row) === (revision ?? ABSENT);
  }

  /** Addresses that a row of evidence shows; undefined when there is none. */
  private addressesOf(
    kind: 'Node' | 'WorkloadEndpoint' | 'Service',
    { namespace, name }: { readonly namespace: string; readonly name: string },
  ): readonly Address[] | undefined {
    if (kind === 'Node') return this.state.node(name)?.tunnels.map(({ address }) => address);
    return kind === 'Service'
      ? this.state.service(namespace, name)?.addresses
      : this.state.endpoint(namespace, name)?.addresses;
  }

  private podPrint({ namespace, name }: ResourceKey): string {
    const pod = this.state.pod(namespace ?? '', name);
    if (!pod) return this.damagePrint('Pod', { namespace, name });
    const { node, finished, hostNetwork, terminating, createdAt, addresses } = pod;
    return JSON.stringify([
      node,
      finished,
      hostNetwork,
      terminating,
      createdAt,
      addresses.map(String),
    ]);
  }

  /** Rows that count nowhere are the same when the other look has them too. */
  private damagePrint(kind: ResourceKind, key: ResourceKey): string {
    const isIt = (row: { kind: ResourceKind; key: ResourceKey }) =>
      row.kind === kind && keyText(row.key) === keyText(key);
    if (this.state.unreadable.some(isIt)) return 'unreadable';
    return this.state.softDeleted.some(isIt) ? 'deleted' : ABSENT;
  }

  private revisionsOf(kind: ResourceKind): ReadonlyMap<string, string> {
    let known = this.revisions.get(kind);
    if (!known) {
      known = new Map(
        rowsOf(this.state, kind).map((row) => [keyText(row.key), row.revision ?? '']),
      );
      this.revisions.set(kind, known);
    }
    return known;
  }
}

function rowsOf(
  state: ClusterState,
  kind: ResourceKind,
): readonly Pick<Handle, 'key' | 'revision'>[] {
  if (kind === 'IPAMBlock') return state.blocks;
  if (kind === 'BlockAffinity') return state.affinities;
  return kind === 'IPAMHandle' ? [...state.handles()] : [];
}

function addressesPrint(addresses: readonly Address[] | undefined): string {
  return addresses === undefined ? ABSENT : `shows ${addresses.map(String).join(' ')}`;
}

import { type ResourceKey, type ResourceKind, keyText } from '../ipam/model/resource.ts';
import type { ClusterState, Handle } from '../ipam/state/cluster-state.ts';
import type { RowReference } from './rule.ts';

const ABSENT = 'absent';

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
    switch (kind) {
      case 'Pod':
        return this.podPrint(key);
      case 'Node':
        return print(this.state.node(key.name)?.tunnels.map(({ address }) => String(address)));
      case 'Service':
        return print(this.state.service(key.namespace ?? '', key.name)?.addresses.map(String));
      case 'VirtualMachine':
      case 'VirtualMachineInstance':
        return this.state.hasMachine(key.namespace ?? '', key.name) ? 'exists' : ABSENT;
      default:
        return this.revisionsOf(kind).get(keyText(key)) ?? this.damagePrint(kind, key);
    }
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

function print(parts: readonly string[] | undefined): string {
  return parts === undefined ? ABSENT : `shows ${parts.join(' ')}`;
}

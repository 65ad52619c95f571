import { type BlockOwner, isHost } from '../ipam/block-owner.ts';
import { handleName } from '../ipam/model/names.ts';
import { ENTRY_KEYS, OBJECT_KEYS } from '../ipam/model/row-keys.ts';
import type { Affinity, Block, ClusterState } from '../ipam/state/cluster-state.ts';
import { type Cidr, compareCidrs, formatCidr } from '../net/cidr.ts';
import type { FindingSubject } from './finding.ts';
import { blockReferencesOf, distinct } from './rests-on.ts';
import type { RowReference } from './rule.ts';
import { quoted } from './wording.ts';

/** Affinity rows by the address of their block, then by row name. */
export function affinitiesByAddress(state: ClusterState): readonly Affinity[] {
  // The sort is stable, and the state has them by name.
  return [...state.affinities].sort((a, b) => compareCidrs(a.cidr, b.cidr));
}

/** Subject of a finding about an affinity row. */
export function affinitySubject(row: Affinity): FindingSubject {
  return {
    kind: 'BlockAffinity',
    name: row.key.name,
    cidr: formatCidr(row.cidr),
    node: isHost(row) ? row.host : undefined,
  };
}

/** Subject of a finding about a block. */
export function blockSubject(block: Block): FindingSubject {
  return {
    kind: 'IPAMBlock',
    name: block.key.name,
    cidr: formatCidr(block.cidr),
    node: block.node,
  };
}

/** Tells whether a row of the block is there but cannot be read: then nothing may be called missing on its account. */
export function unreadableBlocks(state: ClusterState): (cidr: Cidr) => boolean {
  if (!state.mayBeUnreadable('IPAMBlock')) return () => false;
  // A folder of files may hold a dump and a migration file side by side.
  return (cidr) =>
    [OBJECT_KEYS, ENTRY_KEYS].some((keys) => state.mayBeUnreadable('IPAMBlock', keys.block(cidr)));
}

/** Whether the row of a handle may be one of those that cannot be read: then nobody knows that it is missing. */
export function mayHaveUnreadableRow(state: ClusterState, handleId: string): boolean {
  return [handleId, handleName(handleId)].some((name) =>
    state.mayBeUnreadable('IPAMHandle', { name }),
  );
}

/** Tells whether a host is no node. A node whose row cannot be read is one. */
export function absentHosts(state: ClusterState): (host: string) => boolean {
  return (host) => state.node(host) === undefined && !state.mayBeUnreadable('Node', { name: host });
}

/**
 * Rows that say who owns the block: its own, the affinity rows for it, and the row that each of the owners would have.
 * Present rows go by their own name, absent ones by the name that Calico would give them there.
 */
export function claimReferences(
  state: ClusterState,
  cidr: Cidr,
  owners: readonly BlockOwner[] = [],
): readonly RowReference[] {
  const keys = [
    ...state.affinitiesOf(cidr).map(({ key }) => key),
    ...owners.map((owner) => state.keys.affinity(owner, cidr)),
  ];
  return distinct([
    ...blockReferencesOf(state, cidr),
    ...keys.map((key): RowReference => ({ kind: 'BlockAffinity', key })),
  ]);
}

/** Row of a node; the one that it would have when there is none. */
export function nodeReference(state: ClusterState, host: string): RowReference {
  return { kind: 'Node', key: state.node(host)?.key ?? { name: host } };
}

/** A host, or a row, as texts show it: quoted when it holds anything that neither name does. */
export function hostText(host: string): string {
  return /^[A-Za-z0-9._/:-]+$/.test(host) ? host : quoted(host);
}

/** An owner in words: `node alder`, `virtual owner load-balancer`. */
export function blockOwnerText(owner: BlockOwner): string {
  if (isHost(owner)) return `node ${hostText(owner.host)}`;
  return owner.type === 'virtual'
    ? `virtual owner ${hostText(owner.host)}`
    : `owner ${quoted(`${owner.type}:${owner.host}`)}`;
}

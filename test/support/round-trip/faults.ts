/** What is wrong with a made-up cluster: every kind of fault that a migration carries along, and what it heals. */
import type { Finding } from '../../../src/check/finding.ts';
import type { JsonObject } from '../../../src/ipam/model/resource.ts';
import type { ClusterDraft, DraftNode } from './cluster.ts';
import { podHandle, tunnelAttribute } from './cluster.ts';
import { podObject } from './kubernetes.ts';
import { resourceEntry } from './resources.ts';

/** Block whose owner stands in the field of an old release. */
const OF_OLD_OWNER = '10.60.5.192/26';

/** Codes of the findings that the faults make at either end. */
export const CARRIED_CODES = [
  'address-conflict',
  'address-outside-pools',
  'affinity-of-missing-node',
  'affinity-without-block',
  'block-outside-pools',
  'block-size-mismatch',
  'block-without-affinity',
  'conflicting-affinity',
  'cooldown-expired',
  'disallowed-use',
  'handle-count-mismatch',
  'leaked-address',
  'missing-handle',
  'node-attribute-mismatch',
  'orphan-handle',
  'release-time-in-future',
  'reserved-address-in-use',
  'tunnel-address-borrowed',
  'unallocated-address',
  'unknown-allocation-type',
  'unowned-empty-block',
] as const;

/** Findings at the source that are gone after an export: what they rest on was healed. */
export function isHealed({ code, subject }: Pick<Finding, 'code' | 'subject'>): boolean {
  if (code === 'malformed-handle-id') return true;
  // The old field for the owner of a block is read by nothing but the export.
  return code === 'conflicting-affinity' && subject.cidr === OF_OLD_OWNER;
}

/** Puts the faults in; each on nodes of its own, the first ones among those whose names are swapped or in a chain. */
export function addFaults(
  draft: ClusterDraft,
  { hasOldForms = true }: { readonly hasOldForms?: boolean | undefined },
): void {
  for (const { index } of draft.nodes) if (index % 20 === 0) leak(draft, draft.node(index));
  leak(draft, draft.node(1));
  finish(draft, draft.node(2));
  removedNode(draft);
  damageHandles(draft);
  borrow(draft);
  cool(draft);
  contradictClaims(draft);
  misplacePods(draft);
  strangeUses(draft);
  oddBlocks(draft);
  if (hasOldForms) oldForms(draft);
  staleEndpoint(draft);
}

/** A pod that went, and its addresses did not. */
function leak(draft: ClusterDraft, node: DraftNode): void {
  const gone = { node, namespace: 'shop-0', name: `gone-${node.index}` };
  draft.take(node.v4, draft.podAttribute(gone));
  draft.take(node.v6, draft.podAttribute(gone));
}

function finish(draft: ClusterDraft, node: DraftNode): void {
  const job = { node, namespace: 'shop-1', name: 'job-done' };
  draft.showPod(job, [draft.take(node.v4, draft.podAttribute(job))], 'Succeeded');
}

/** A host that is no node any more, with a tunnel and a leak. */
function removedNode(draft: ClusterDraft): void {
  const block = draft.ipam.block('10.60.250.0/26', 'host:removed-1');
  block.take(tunnelAttribute('removed-1', 'vxlanTunnelAddress', 'vxlan-tunnel-addr-'));
  const node = { ...draft.node(0), name: 'removed-1' };
  block.take(draft.podAttribute({ node, namespace: 'shop-2', name: 'lost' }));
}

function damageHandles({ ipam }: ClusterDraft): void {
  const block = '10.60.0.0/26';
  ipam.setHandle('k8s-pod-network.orphan-1', { [block]: 1 });
  ipam.setHandle('k8s-pod-network.orphan-2', {});
  ipam.setHandle('wireguard-v6-tunnel-addr-swap-z', { 'fd00:60::/122': 1 });
  ipam.setHandle('k8s-pod-network.left-behind', { [block]: 1 }, true);
  ipam.damages.push((handles) => {
    handles.delete(podHandle('shop-0', 'web-0-0'));
    handles.delete('ipip-tunnel-addr-chain-b');
    raise(handles, podHandle('shop-1', 'web-1-1'));
    raise(handles, 'vxlan-v6-tunnel-addr-swap-b');
  });
}

function raise(handles: Map<string, JsonObject>, id: string): void {
  const { block, ...rest } = handles.get(id) ?? {};
  const counts = Object.entries(block as Record<string, number>);
  handles.set(id, {
    ...rest,
    block: Object.fromEntries(counts.map(([cidr, count]) => [cidr, count + 1])),
  });
}

/** Pods and a tunnel with addresses of a neighbour's block. */
function borrow(draft: ClusterDraft): void {
  draft.addPod({ node: draft.node(0), namespace: 'shop-0', name: 'borrower-0' }, draft.node(1));
  draft.addPod({ node: draft.node(7), namespace: 'shop-0', name: 'borrower-7' }, draft.node(2));
  const { name, v4, tunnels } = draft.node(8);
  const own = [...v4.slots].find(
    ([ordinal]) => v4.addressOf(ordinal) === tunnels['vxlanTunnelAddress'],
  );
  v4.slots.delete(own?.[0] ?? -1);
  const attribute = tunnelAttribute(name, 'vxlanTunnelAddress', 'vxlan-tunnel-addr-');
  tunnels['vxlanTunnelAddress'] = draft.take(draft.node(3).v4, attribute);
}

function cool(draft: ClusterDraft): void {
  for (const seconds of [-30, -7200, 3600]) {
    const releasedAt = new Date(draft.now + seconds * 1000).toISOString().slice(0, 19);
    draft.take(draft.node(10).v4, { releasedAt: `${releasedAt}Z` });
  }
}

function contradictClaims(draft: ClusterDraft): void {
  const { ipam } = draft;
  const [b, c, d] = [draft.node(3), draft.node(11), draft.node(13)];
  // Of the pair whose names are swapped: the claim that is wrong must not become right.
  ipam.claim('host:swap-b', '10.60.0.0/26');
  ipam.claim(`host:${b.name}`, '10.60.251.0/26');
  ipam.claim(`host:${c.name}`, '10.60.251.64/26', { state: 'pending', deleted: false });
  ipam.unclaim(`host:${c.name}`, '10.60.2.192/26');
  ipam.claim(`host:${d.name}`, '10.60.3.64/26', { state: 'pendingDeletion', deleted: false });
  ipam.block('10.60.252.0/26', undefined);
  ipam.claim('virtual:load-balancer', '198.19.0.32/28');
}

/** Pods where their allocations do not say, and addresses that no allocation knows. */
function misplacePods(draft: ClusterDraft): void {
  const moved = { node: draft.node(14), namespace: 'shop-2', name: 'moved' };
  const addresses = [draft.take(draft.node(14).v4, draft.podAttribute(moved))];
  draft.showPod({ ...moved, node: draft.node(16) }, addresses);
  const unknown = { node: draft.node(0), namespace: 'shop-2', name: 'unknown' };
  draft.showPod(unknown, ['10.60.253.9']);
  draft.showPod({ ...unknown, name: 'outside' }, ['203.0.113.9']);
  const both = { node: draft.node(17), namespace: 'shop-2', name: 'first' };
  const [shared = ''] = draft.addPod(both);
  draft.objects.push(
    podObject({ namespace: 'shop-2', name: 'second', node: draft.node(1).kubernetesName }, [
      shared,
    ]),
  );
}

function strangeUses(draft: ClusterDraft): void {
  const node = draft.node(19);
  const strange = { node: node.name, type: 'tunnelOfTomorrow' };
  draft.take(node.v4, { handle_id: `tomorrow-${node.index}`, secondary: strange });
  const services = draft.ipam.block('198.19.0.48/28', `host:${node.name}`);
  const pod = { node, namespace: 'shop-0', name: 'in-services' };
  draft.showPod(pod, [draft.take(services, draft.podAttribute(pod))]);
  const reserved = { node, namespace: 'shop-0', name: 'reserved' };
  const [address = ''] = draft.addPod(reserved);
  const spec = { reservedCIDRs: [`${address}/32`] };
  draft.resources.push(resourceEntry('ipreservations', 'IPReservation', 'printers', spec));
}

/** Blocks of which no pool knows, or of another size. */
function oddBlocks(draft: ClusterDraft): void {
  const node = draft.node(20);
  const outside = draft.ipam.block('10.99.0.0/26', `host:${node.name}`);
  const pod = { node, namespace: 'shop-1', name: 'outside-block' };
  draft.showPod(pod, [draft.take(outside, draft.podAttribute(pod))]);
  const small = draft.ipam.block('10.60.254.0/28', `host:${node.name}`);
  const other = { node, namespace: 'shop-1', name: 'small-block' };
  draft.showPod(other, [draft.take(small, draft.podAttribute(other))]);
  const windows = draft.ipam.block('10.60.249.0/26', `host:${draft.node(22).name}`);
  for (const ordinal of [0, 1, 2, 63]) {
    const secondary = { note: 'windows host rsvd' };
    windows.take({ handle_id: 'windows-reserved-ipam-handle', secondary }, ordinal);
  }
}

/** What old releases wrote, which an export heals. */
function oldForms(draft: ClusterDraft): void {
  const [host, plain] = [draft.node(23), draft.node(26)];
  const [untyped, cut] = [draft.node(28), draft.node(29)];
  host.v4.age = ({ affinity: _affinity, ...value }) => ({ ...value, hostAffinity: host.name });
  plain.v4.age = ({ sequenceNumber: _a, sequenceNumberForAllocation: _b, ...value }) => value;
  plain.v6.age = ({ deleted: _deleted, ...value }) => value;
  draft.ipam.claim(`host:${untyped.name}`, '10.60.7.0/26', '');
  draft.ipam.claim(`host:${untyped.name}`, 'fd00:60::700/122', {});
  const pod = { node: cut, namespace: 'shop-0', name: 'cut' };
  const attribute = draft.podAttribute(pod);
  const whole = { ...attribute, handle_id: `${podHandle('shop-0', 'cut')}\r` };
  draft.showPod(pod, [draft.take(cut.v4, whole)]);
}

function staleEndpoint(draft: ClusterDraft): void {
  draft.addEndpoint({ node: draft.node(31), namespace: 'shop-0', name: 'no-such-pod' }, [
    '10.60.253.77',
  ]);
}

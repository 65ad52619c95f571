import type { NodeRow, TunnelAddress, TunnelType } from '../../ipam/model/node.ts';
import type { JsonObject, JsonValue } from '../../ipam/model/resource.ts';
import { addressPart } from './address-text.ts';
import { isObject } from './fields.ts';
import { quoteValue } from './misreading.ts';
import { type ObjectHead, rowHead } from './object-head.ts';

/** Where a Kubernetes node notes its tunnel addresses. Source: Calico libcalico-go lib/backend/k8s/resources node.go. */
const TUNNEL_ANNOTATIONS: readonly (readonly [TunnelType, string])[] = [
  ['vxlan', 'projectcalico.org/IPv4VXLANTunnelAddr'],
  ['vxlanV6', 'projectcalico.org/IPv6VXLANTunnelAddr'],
  ['ipip', 'projectcalico.org/IPv4IPIPTunnelAddr'],
  ['wireguard', 'projectcalico.org/IPv4WireguardInterfaceAddr'],
  ['wireguardV6', 'projectcalico.org/IPv6WireguardInterfaceAddr'],
];

/** Where a Calico node does, below `spec`. */
const TUNNEL_FIELDS: readonly (readonly [TunnelType, readonly string[]])[] = [
  ['vxlan', ['ipv4VXLANTunnelAddr']],
  ['vxlanV6', ['ipv6VXLANTunnelAddr']],
  ['ipip', ['bgp', 'ipv4IPIPTunnelAddr']],
  ['wireguard', ['wireguard', 'interfaceIPv4Address']],
  ['wireguardV6', ['wireguard', 'interfaceIPv6Address']],
];

/** Labels that Calico keeps for a Kubernetes node, as JSON. */
const LABELS_ANNOTATION = 'projectcalico.org/labels';

/**
 * Makes the row of a Kubernetes node.
 *
 * Departs from upstream: a tunnel address counts whatever its prefix length, host bits and family, so that nothing that
 * the node may carry is taken for leaked; a text that is no address is kept as unreadable instead of being ignored.
 */
export function nodeRow(head: ObjectHead): NodeRow {
  const reading = new TunnelReading();
  for (const [type, name] of TUNNEL_ANNOTATIONS) {
    reading.add(type, `annotation ${name}`, head.annotations[name]);
  }
  if (head.damage !== undefined) reading.unreadable.push(head.damage);
  return {
    ...rowHead(head),
    kind: 'Node',
    origin: 'kubernetes',
    kubernetesName: head.name,
    tunnels: reading.tunnels,
    unreadableTunnels: reading.unreadable,
    labels: mergeLabels(head),
  };
}

/** Reads a Node: one of the newer Calico group is a Calico node row, any other a Kubernetes node. */
export function decodeNode(head: ObjectHead, object: JsonObject): NodeRow {
  return object['apiVersion'] === 'projectcalico.org/v3'
    ? calicoNodeRow(head, object)
    : nodeRow(head);
}

/** Damage never makes the node vanish, since what belongs to a missing node may be cleared away. */
function calicoNodeRow(head: ObjectHead, object: JsonObject): NodeRow {
  const reading = new TunnelReading();
  const spec = object['spec'];
  for (const [type, path] of TUNNEL_FIELDS) readTunnelField(reading, type, { spec, path });
  return {
    ...rowHead(head),
    kind: 'Node',
    origin: 'calico',
    kubernetesName: readKubernetesName(spec),
    tunnels: reading.tunnels,
    unreadableTunnels: reading.unreadable,
    labels: head.labels,
  };
}

/** Tunnel addresses read so far. */
class TunnelReading {
  readonly tunnels: TunnelAddress[] = [];
  readonly unreadable: string[] = [];

  /** Blank and absent values carry nothing. */
  add(type: TunnelType, source: string, value: JsonValue | undefined): void {
    if (value === undefined || value === null) return;
    if (typeof value === 'string' && value.trim() === '') return;
    const address = typeof value === 'string' ? addressPart(value) : undefined;
    if (address !== undefined) {
      this.tunnels.push({ type, address });
      return;
    }
    // One holder of the wrong type hides several fields and is named once.
    const name = `${source} ${quoteValue(value)}`;
    if (!this.unreadable.includes(name)) this.unreadable.push(name);
  }
}

function readTunnelField(
  reading: TunnelReading,
  type: TunnelType,
  { spec, path }: { readonly spec: JsonValue | undefined; readonly path: readonly string[] },
): void {
  let value = spec;
  let source = 'spec';
  for (const name of path) {
    if (!isObject(value)) break;
    value = value[name];
    source = `${source}.${name}`;
  }
  reading.add(type, source, value);
}

/** The last reference to the orchestrator `k8s` wins, as when Calico maps node names for a migration. */
function readKubernetesName(spec: JsonValue | undefined): string | undefined {
  const references = isObject(spec) ? spec['orchRefs'] : undefined;
  if (!Array.isArray(references)) return undefined;
  let found: string | undefined;
  for (const reference of references) {
    if (!isObject(reference) || reference['orchestrator'] !== 'k8s') continue;
    const name = reference['nodeName'];
    if (typeof name === 'string' && name !== '') found = name;
  }
  return found;
}

/** Labels of Kubernetes win over those that Calico keeps in the annotation; one that is no JSON map counts as empty. */
function mergeLabels(head: ObjectHead): Readonly<Record<string, string>> {
  const text = head.annotations[LABELS_ANNOTATION];
  if (text === undefined) return head.labels;
  try {
    const kept = JSON.parse(text) as JsonValue;
    if (!isObject(kept)) return head.labels;
    const texts = Object.entries(kept).filter(([, value]) => typeof value === 'string');
    return { ...(Object.fromEntries(texts) as Record<string, string>), ...head.labels };
  } catch {
    return head.labels;
  }
}

import type { JsonValue } from '../../ipam/model/resource.ts';
import { type Address, type Family, familyOf, parseAddress } from '../../net/address.ts';
import { parseCidr } from '../../net/cidr.ts';
import { parseJson } from '../../support/json.ts';

/** A field of Calico's node and the annotation of the Kubernetes node in which it stands. */
export interface NodeField {
  readonly path: readonly [string, ...string[]];
  readonly annotation: string;
  /** The value that a text stands for; undefined for a text that Calico does not accept. */
  readonly read: (text: string) => JsonValue | undefined;
  /** The text of a value; undefined for one that is no value of the field. */
  readonly write: (value: JsonValue) => string | undefined;
}

/** Begin of the names of Calico's annotations. */
export const ANNOTATION_PREFIX = 'projectcalico.org/';

const MAC = /^[0-9a-f]{2}([:-])(?:[0-9a-f]{2}\1){4}[0-9a-f]{2}$/i;
const LARGEST_AS = 0xffff_ffff;
const LARGEST_HALF = 0xffff;

/**
 * Fields of Calico's node that stand in annotations of the Kubernetes node.
 * Source: Calico libcalico-go lib/backend/k8s/resources node.go, annotations of nodes.
 */
export const NODE_FIELDS: readonly NodeField[] = [
  textField('IPv4Address', ['spec', 'bgp', 'ipv4Address'], anyAddress(4)),
  textField('IPv6Address', ['spec', 'bgp', 'ipv6Address'], anyAddress(6)),
  {
    annotation: `${ANNOTATION_PREFIX}ASNumber`,
    path: ['spec', 'bgp', 'asNumber'],
    read: asNumber,
    write: (value) => asNumber(textOf(value))?.toString(),
  },
  textField(
    'RouteReflectorClusterID',
    ['spec', 'bgp', 'routeReflectorClusterID'],
    maskedAddress(4),
  ),
  textField('IPv4IPIPTunnelAddr', ['spec', 'bgp', 'ipv4IPIPTunnelAddr'], maskedAddress(4)),
  textField('IPv4VXLANTunnelAddr', ['spec', 'ipv4VXLANTunnelAddr'], maskedAddress(4)),
  textField('IPv6VXLANTunnelAddr', ['spec', 'ipv6VXLANTunnelAddr'], maskedAddress(6)),
  textField('VXLANTunnelMACAddr', ['spec', 'vxlanTunnelMACAddr'], (text) => MAC.test(text)),
  textField('VXLANTunnelMACAddrV6', ['spec', 'vxlanTunnelMACAddrV6'], (text) => MAC.test(text)),
  textField(
    'IPv4WireguardInterfaceAddr',
    ['spec', 'wireguard', 'interfaceIPv4Address'],
    maskedAddress(4),
  ),
  textField(
    'IPv6WireguardInterfaceAddr',
    ['spec', 'wireguard', 'interfaceIPv6Address'],
    maskedAddress(6),
  ),
  {
    annotation: `${ANNOTATION_PREFIX}Interfaces`,
    path: ['spec', 'interfaces'],
    read: (text) => listOf(text),
    write: (value) =>
      Array.isArray(value) && value.length > 0 ? JSON.stringify(value) : undefined,
  },
  textField('WireguardPublicKey', ['status', 'wireguardPublicKey'], () => true),
  textField('WireguardPublicKeyV6', ['status', 'wireguardPublicKeyV6'], () => true),
];

function textField(
  name: string,
  path: NodeField['path'],
  accepts: (text: string) => boolean,
): NodeField {
  return {
    path,
    annotation: `${ANNOTATION_PREFIX}${name}`,
    read: (text) => (accepts(text) ? text : undefined),
    write: (value) => (typeof value === 'string' ? value : undefined),
  };
}

/** An address, or one with a prefix length. */
function anyAddress(family: 4 | 6): (text: string) => boolean {
  return (text) => splitAddress(text, family) !== undefined;
}

/** An address, or the first address of a prefix with its length. */
function maskedAddress(family: 4 | 6): (text: string) => boolean {
  return (text) => {
    const parts = splitAddress(text, family);
    return parts !== undefined && parts.isMasked;
  };
}

interface AddressParts {
  readonly address: Address;
  /** Whether no bit behind the prefix length is set. */
  readonly isMasked: boolean;
}

function splitAddress(text: string, family: Family): AddressParts | undefined {
  const address = parseAddress(text.replace(/\/.*$/s, ''));
  if (address === undefined || familyOf(address) !== family) return undefined;
  if (!text.includes('/')) return { address, isMasked: true };
  const cidr = parseCidr(text);
  return cidr && { address, isMasked: cidr.base === address };
}

/** A number of 32 bits, also as two of 16 with a dot between them. */
function asNumber(text: string): number | undefined {
  const [high, low, ...more] = text.split('.').map(decimal);
  if (high === undefined || more.length > 0) return undefined;
  if (!text.includes('.')) return high <= LARGEST_AS ? high : undefined;
  if (low === undefined || high > LARGEST_HALF || low > LARGEST_HALF) return undefined;
  return high * (LARGEST_HALF + 1) + low;
}

function decimal(text: string): number | undefined {
  return /^\d{1,10}$/.test(text) ? Number(text) : undefined;
}

function listOf(text: string): JsonValue | undefined {
  try {
    const value = parseJson(text);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A text, or a number as one. */
function textOf(value: JsonValue): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

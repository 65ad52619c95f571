import { createHash } from 'node:crypto';
import { type Cidr, cidrFamily, formatCidr } from '../../net/cidr.ts';

/** Longest name that Calico gives to an affinity row; one more than it makes would be the limit of Kubernetes. */
const LONGEST_AFFINITY_NAME = 252;
const AFFINITY_HASH_LENGTH = 11;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/**
 * Name of the row of a block in Kubernetes: the canonical prefix with `.`, `:` and `/` as dashes. It cannot be read back.
 * Source: Calico libcalico-go lib/names cidr.go.
 */
export function cidrToName(cidr: Cidr): string {
  return formatCidr(cidr).replace(/[.:/]/g, '-');
}

/**
 * Name of the row of a block in etcd, behind the folder of blocks.
 * Source: Calico libcalico-go lib/backend/model block.go.
 */
export function blockEntryName(cidr: Cidr): string {
  return `ipv${cidrFamily(cidr)}/block/${formatCidr(cidr).replace('/', '-')}`;
}

/**
 * Name of the affinity row of a host (or virtual owner) for a block in Kubernetes. The owner's type is no part of it, so
 * two types share one name. Long hosts are cut, in bytes, and a hash keeps their names apart.
 * Source: Calico libcalico-go lib/backend/k8s/resources affinityblock.go.
 */
export function affinityName(host: string, cidr: Cidr): string {
  const block = cidrToName(cidr);
  const name = `${host}-${block}`;
  if (Buffer.byteLength(name) <= LONGEST_AFFINITY_NAME) return name;
  const hash = createHash('sha256')
    .update(`${host}+${block}`)
    .digest('hex')
    .slice(0, AFFINITY_HASH_LENGTH);
  const room = LONGEST_AFFINITY_NAME - block.length - AFFINITY_HASH_LENGTH - 2;
  return `${Buffer.from(host).subarray(0, room).toString()}-${block}-${hash}`;
}

/**
 * Name of the affinity row of an owner for a block in etcd, behind the folder of IPAM.
 * Source: Calico libcalico-go lib/backend/model block_affinity.go.
 */
export function affinityEntryName(
  owner: { readonly type: string; readonly host: string },
  cidr: Cidr,
): string {
  return `${owner.type}/${owner.host.replaceAll('/', '%2f')}/${blockEntryName(cidr)}`;
}

/**
 * Name of the row of a handle in Kubernetes: the id in lower case. Ids that differ in case share a row.
 * Source: Calico libcalico-go lib/backend/k8s/resources ipam_handle.go.
 */
export function handleName(id: string): string {
  return id.toLowerCase();
}

/**
 * Value of the hostname-hash label of affinity rows: SHA3-256 of the host in base32 without padding, 52 characters.
 * Source: Calico libcalico-go lib/names, hashing of host names for labels.
 */
export function hostnameHash(host: string): string {
  let text = '';
  let bits = 0;
  let held = 0;
  for (const byte of createHash('sha3-256').update(host).digest()) {
    held = (held << 8) | byte;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += BASE32.charAt((held >>> (bits - 5)) & 31);
    held &= 31;
  }
  return bits === 0 ? text : text + BASE32.charAt((held << (5 - bits)) & 31);
}

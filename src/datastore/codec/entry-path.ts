import { CONFIG_NAME } from '../../ipam/model/ipam-config.ts';
import { keyText, type ResourceKey, type ResourceKind } from '../../ipam/model/resource.ts';
import { type Cidr, cidrFamily, parseCidr } from '../../net/cidr.ts';
import type { AffinityIdentity } from './affinity.ts';

/**
 * What a key of the etcd layout names. The row's own name is, for IPAM rows, the rest of the path behind the folder of
 * its kind, unchanged (`ipv4/block/10.0.0.0-26`, `host/node-a/ipv4/block/10.0.0.0-26`, a handle's id); v3 resources have
 * the names that they have everywhere. `invalid` is a sentence part: the path is in the folder of the kind but no key of it.
 */
export type EntryPath =
  | { readonly kind: 'IPAMBlock'; readonly key: ResourceKey; readonly cidr: Cidr }
  | {
      readonly kind: 'BlockAffinity';
      readonly key: ResourceKey;
      readonly identity: AffinityIdentity;
    }
  | { readonly kind: 'IPAMHandle'; readonly key: ResourceKey; readonly id: string }
  | { readonly kind: 'IPAMConfig'; readonly key: ResourceKey }
  | { readonly kind: EntryResourceKind; readonly key: ResourceKey }
  | { readonly kind: ResourceKind; readonly key: ResourceKey; readonly invalid: string };

/** Kinds that etcd stores as whole v3 resources. */
export type EntryResourceKind =
  | 'ClusterInformation'
  | 'KubeControllersConfiguration'
  | 'IPPool'
  | 'IPReservation'
  | 'Node'
  | 'WorkloadEndpoint';

const IPAM_ROOT = '/calico/ipam/v2/';
const BLOCK_FOLDER = `${IPAM_ROOT}assignment/`;
const HANDLE_FOLDER = `${IPAM_ROOT}handle/`;
const CONFIG_PATH = `${IPAM_ROOT}config`;
const RESOURCE_ROOT = '/calico/resources/v3/projectcalico.org/';

/** Folders behind which the rest of a path is the row's name. */
const FOLDERS: Partial<Record<ResourceKind, string>> = {
  IPAMBlock: BLOCK_FOLDER,
  IPAMHandle: HANDLE_FOLDER,
  BlockAffinity: IPAM_ROOT,
  IPPool: `${RESOURCE_ROOT}ippools/`,
  ClusterInformation: `${RESOURCE_ROOT}clusterinformations/`,
};

/** Folders of each kind that etcd keeps, its key alone where there is one. */
const LISTED: Partial<Record<ResourceKind, readonly string[]>> = {
  IPAMBlock: [BLOCK_FOLDER],
  IPAMHandle: [HANDLE_FOLDER],
  BlockAffinity: ['host', 'virtual', '@'].map((type) => `${IPAM_ROOT}${type}/`),
  IPAMConfig: [CONFIG_PATH],
  ClusterInformation: [`${RESOURCE_ROOT}clusterinformations/`],
  KubeControllersConfiguration: [`${RESOURCE_ROOT}kubecontrollersconfigurations/`],
  IPPool: [`${RESOURCE_ROOT}ippools/`],
  IPReservation: [`${RESOURCE_ROOT}ipreservations/`],
  Node: [`${RESOURCE_ROOT}nodes/`],
  WorkloadEndpoint: [`${RESOURCE_ROOT}workloadendpoints/`],
};

const BLOCK_KEY = /^ipv([46])\/block\/([^/]+)$/;
const AFFINITY_KEY = /^(host|virtual|@)\/([^/]+)\/ipv([46])\/block\/([^/]+)$/;
const AFFINITY_FOLDER = /^(host|virtual|@)\//;
const HOST_MARKER = /^host\/[^/]+\/?$/;

/**
 * Folders of v3 resources. The IPAM kinds have folders there too, but Calico's IPAM does not use them: its configuration
 * and its rows are those under the IPAM root.
 */
const RESOURCE_FOLDERS: ReadonlyMap<string, EntryResourceKind> = new Map<string, EntryResourceKind>(
  [
    ['clusterinformations', 'ClusterInformation'],
    ['kubecontrollersconfigurations', 'KubeControllersConfiguration'],
    ['ippools', 'IPPool'],
    ['ipreservations', 'IPReservation'],
    ['nodes', 'Node'],
    ['workloadendpoints', 'WorkloadEndpoint'],
  ],
);

/**
 * Reads a key of the etcd layout, which migration files use too; undefined for a key that names nothing we look at.
 * Source: Calico libcalico-go lib/backend/model, paths of blocks, affinities, handles and resources.
 */
export function parseEntryPath(path: string): EntryPath | undefined {
  if (path.startsWith(BLOCK_FOLDER)) return parseBlockPath(path.slice(BLOCK_FOLDER.length));
  if (path.startsWith(HANDLE_FOLDER)) return parseHandlePath(path.slice(HANDLE_FOLDER.length));
  if (path.startsWith(RESOURCE_ROOT)) return parseResourcePath(path.slice(RESOURCE_ROOT.length));
  if (path === CONFIG_PATH) return { kind: 'IPAMConfig', key: { name: CONFIG_NAME } };
  if (!path.startsWith(IPAM_ROOT)) return undefined;
  const name = path.slice(IPAM_ROOT.length);
  return AFFINITY_FOLDER.test(name) && !HOST_MARKER.test(name)
    ? parseAffinityPath(name)
    : undefined;
}

/** The etcd key of a row that ipamctl writes; undefined for kinds that it only reads. */
export function entryPathOf(kind: ResourceKind, key: ResourceKey): string | undefined {
  if (kind === 'IPAMConfig') return CONFIG_PATH;
  const folder = FOLDERS[kind];
  return folder === undefined ? undefined : `${folder}${key.name}`;
}

/**
 * Where etcd keeps the rows of a kind: folders, which end in a slash, or a single key. Undefined for a kind that is not in
 * etcd.
 */
export function entryFoldersOf(kind: ResourceKind): readonly string[] | undefined {
  return LISTED[kind];
}

/** The etcd key of a row, whether or not ipamctl writes rows of its kind; undefined for a kind that is not in etcd. */
export function storedPathOf(kind: ResourceKind, key: ResourceKey): string | undefined {
  const written = entryPathOf(kind, key);
  if (written !== undefined) return written;
  const [folder] = entryFoldersOf(kind) ?? [];
  return folder === undefined ? undefined : `${folder}${keyText(key)}`;
}

/** The etcd key by which Calico notes that a host takes part in IPAM; it is no row. */
export function hostPathOf(host: string): string {
  return `${IPAM_ROOT}host/${host.replaceAll('/', '%2f')}`;
}

function parseBlockPath(name: string): EntryPath {
  const key = { name };
  const match = BLOCK_KEY.exec(name);
  const cidr = match && keyCidr(match[1], match[2]);
  return cidr
    ? { kind: 'IPAMBlock', key, cidr }
    : { kind: 'IPAMBlock', key, invalid: 'its key names no block' };
}

function parseAffinityPath(name: string): EntryPath {
  const key = { name };
  const match = AFFINITY_KEY.exec(name);
  const cidr = match && keyCidr(match[3], match[4]);
  if (!match || !cidr)
    return { kind: 'BlockAffinity', key, invalid: 'its key names no owner and block' };
  // An old spelling of the type, from before there were virtual owners.
  const type = match[1] === 'virtual' ? 'virtual' : 'host';
  return {
    kind: 'BlockAffinity',
    key,
    identity: { type, host: unescapeName(match[2] ?? ''), cidr },
  };
}

/**
 * Departs from upstream: ids that hold a slash are listed. Calico writes, reads and deletes such a handle under its key,
 * but its lists leave it out.
 */
function parseHandlePath(name: string): EntryPath {
  const key = { name };
  if (name === '') return { kind: 'IPAMHandle', key, invalid: 'its key names no handle' };
  return { kind: 'IPAMHandle', key, id: name };
}

function parseResourcePath(path: string): EntryPath | undefined {
  const [folder = '', ...names] = path.split('/').map(unescapeName);
  const kind = RESOURCE_FOLDERS.get(folder);
  if (!kind) return undefined;
  const [first = '', second] = names;
  const isNamespaced = kind === 'WorkloadEndpoint';
  const isWhole = names.length === (isNamespaced ? 2 : 1) && names.every((name) => name !== '');
  if (!isWhole) return { kind, key: { name: names.join('/') }, invalid: 'its key names no object' };
  return { kind, key: isNamespaced ? { namespace: first, name: second ?? '' } : { name: first } };
}

/** The prefix of a key such as `10.0.0.0-26`, in the family that the key says. */
function keyCidr(family: string | undefined, text: string | undefined): Cidr | undefined {
  const cidr = parseCidr((text ?? '').replace(/-(?=[^-]*$)/, '/'));
  return cidr && String(cidrFamily(cidr)) === family ? cidr : undefined;
}

function unescapeName(name: string): string {
  return name.replaceAll('%2f', '/');
}

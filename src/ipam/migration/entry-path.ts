/** Rows of IPAM that a migration file holds under their keys in etcd. */
export type EntryKind = 'BlockAffinity' | 'IPAMBlock' | 'IPAMHandle' | 'IPAMConfig';

const ROOT = '/calico/ipam/v2/';

const FOLDERS: Readonly<Record<Exclude<EntryKind, 'IPAMConfig'>, string>> = {
  BlockAffinity: ROOT,
  IPAMBlock: `${ROOT}assignment/`,
  IPAMHandle: `${ROOT}handle/`,
};

/**
 * The key of a row in the layout of etcd.
 * @param name What stands behind the folder of its kind.
 * Source: Calico libcalico-go lib/backend/model, default paths.
 */
export function entryPath(kind: EntryKind, name: string): string {
  return kind === 'IPAMConfig' ? `${ROOT}config` : FOLDERS[kind] + name;
}

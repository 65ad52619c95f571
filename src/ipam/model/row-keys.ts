import type { Cidr } from '../../net/cidr.ts';
import {
  affinityEntryName,
  affinityName,
  blockEntryName,
  cidrToName,
  handleName,
} from './names.ts';
import type { ResourceKey } from './resource.ts';

/** Owner of an affinity. */
export interface OwnerName {
  /** `host` or `virtual`. */
  readonly type: string;
  readonly host: string;
}

/** Where a datastore keeps the rows of IPAM; names differ between Kubernetes and etcd. */
export interface RowKeys {
  /** Whether rows are objects of Kubernetes, whose names and values are restricted, or entries of etcd. */
  readonly form: 'object' | 'entry';
  block(cidr: Cidr): ResourceKey;
  affinity(owner: OwnerName, cidr: Cidr): ResourceKey;
  handle(id: string): ResourceKey;
}

/** Keys in Kubernetes. Handle ids that differ in case share one, as do owners of two types and one name. */
export const OBJECT_KEYS: RowKeys = {
  form: 'object',
  block: (cidr) => ({ name: cidrToName(cidr) }),
  affinity: ({ host }, cidr) => ({ name: affinityName(host, cidr) }),
  handle: (id) => ({ name: handleName(id) }),
};

/** Keys in etcd, behind the folder of their kind. */
export const ENTRY_KEYS: RowKeys = {
  form: 'entry',
  block: (cidr) => ({ name: blockEntryName(cidr) }),
  affinity: (owner, cidr) => ({ name: affinityEntryName(owner, cidr) }),
  handle: (id) => ({ name: id }),
};

import { blockEntryName, cidrToName } from '../../src/ipam/model/names.ts';
import { METADATA_ANNOTATION } from '../../src/ipam/model/object-metadata.ts';
import { addressAt } from '../../src/net/address.ts';
import { cidrOf, formatCidr, parseCidr } from '../../src/net/cidr.ts';
import { stringifyJson } from '../../src/support/json.ts';

/** A migration file and the creates that its rows come to. */
export interface Migration {
  readonly text: string;
  readonly creates: readonly { readonly path: string; readonly body: string }[];
  readonly handles: number;
}

const API = '/apis/crd.projectcalico.org/v1';
const BLOCK_SIZE = 64;

/** Blocks of 64 addresses, each held by a handle of its own, in one pool. */
export function migrationOfHandles(handles: number): Migration {
  const pool = parseCidr('10.0.0.0/8');
  if (pool === undefined) throw new Error('no pool');
  const entries: { blocks: unknown[]; handles: unknown[] } = { blocks: [], handles: [] };
  const creates: { path: string; body: string }[] = [];
  for (let block = 0; block * BLOCK_SIZE < handles; block++) {
    const cidr = cidrOf(addressAt(pool.base, block * BLOCK_SIZE), 26);
    const held = Math.min(BLOCK_SIZE, handles - block * BLOCK_SIZE);
    const ids = Array.from({ length: held }, (_, at) =>
      `k8s-pod-network.${block}-${at}`.padEnd(80, 'f'),
    );
    const contents = contentsOf(ids, block);
    entries.blocks.push({
      Key: `/calico/ipam/v2/assignment/${blockEntryName(cidr)}`,
      Value: { cidr: formatCidr(cidr), affinity: null, ...contents },
      TTL: 0,
    });
    const spec = { cidr: formatCidr(cidr), ...contents, strictAffinity: false };
    creates.push(create('ipamblocks', 'IPAMBlock', cidrToName(cidr), spec));
    for (const id of ids) {
      const counts = { [formatCidr(cidr)]: 1 };
      entries.handles.push({
        Key: `/calico/ipam/v2/handle/${id}`,
        Value: { block: counts, deleted: false },
        TTL: 0,
      });
      creates.push(
        create('ipamhandles', 'IPAMHandle', id, { handleID: id, block: counts, deleted: false }),
      );
    }
  }
  const information = {
    apiVersion: 'projectcalico.org/v3',
    kind: 'ClusterInformation',
    metadata: { name: 'default' },
    spec: { clusterGUID: '5d0c3c1e8f0b4b6fa9e2d7c6b5a49382', calicoVersion: 'v3.33.0' },
  };
  const pools = {
    apiVersion: 'projectcalico.org/v3',
    kind: 'IPPoolList',
    items: [{ metadata: { name: 'main' }, spec: { cidr: '10.0.0.0/8' } }],
  };
  const text = `${stringifyJson(pools)}\n---\n===\n${stringifyJson(information)}\n===\n${stringifyJson(entries)}\n`;
  return { text, creates, handles };
}

function contentsOf(ids: readonly string[], block: number) {
  const ordinals = Array.from({ length: BLOCK_SIZE }, (_, at) => at);
  return {
    allocations: ordinals.map((at) => (at < ids.length ? at : null)),
    unallocated: ordinals.filter((at) => at >= ids.length),
    attributes: ids.map((id, at) => ({
      handle_id: id,
      secondary: { namespace: 'bench', node: `node-${block}`, pod: `pod-${at}` },
    })),
    sequenceNumber: 1794225600904827404n,
    sequenceNumberForAllocation: Object.fromEntries(
      ids.map((_, at) => [at, 1794225600904827300n + BigInt(at)]),
    ),
    deleted: false,
  };
}

function create(plural: string, kind: string, name: string, spec: unknown) {
  // Every writer of the older group leaves a copy of the metadata, be it empty.
  const metadata = { name, annotations: { [METADATA_ANNOTATION]: '{}' } };
  const body = { apiVersion: 'crd.projectcalico.org/v1', kind, metadata, spec };
  return { path: `${API}/${plural}`, body: stringifyJson(body) };
}

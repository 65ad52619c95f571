import { createHash } from 'node:crypto';
import { type Address, addressAt, formatAddress, parseAddress } from '../../src/net/address.ts';
import { type Cidr, cidrFamily, cidrOf, formatCidr } from '../../src/net/cidr.ts';
import { affinityName, cidrToName, handleName, hostnameHash } from '../../src/ipam/model/names.ts';
import type { JsonObject } from '../../src/support/json.ts';
import { podObject } from './seeded-pod.ts';

/** Size of a generated cluster. Everything else follows from the seed. */
export interface ClusterSize {
  readonly nodes: number;
  readonly podsPerNode: number;
  /** Share of pods whose object is missing although their address is allocated, 0..1; spread over the blocks. */
  readonly leakRate: number;
  /** Blocks of IPv4 on each node, filled in turn; 2 when absent. */
  readonly blocksPerNode?: number | undefined;
  /** Share of pods with a second address, of IPv6, 0..1; none when absent. */
  readonly dualStackShare?: number | undefined;
  /** Environment variables of a pod; when absent as many as make it 6.1 KB of JSON at the server. */
  readonly podSettings?: number | undefined;
  readonly seed: number;
}

/** What a generated cluster holds, for checking the answers. */
export interface SeededCluster {
  readonly objects: Iterable<JsonObject>;
  readonly pods: number;
  readonly leaks: number;
  readonly blocks: number;
}

const CALICO = 'crd.projectcalico.org/v1';
const BLOCK_SIZE = 64;

/** With what the server adds to a pod, its record of who manages which field above all, these make 6.1 KB of JSON. */
const POD_SETTINGS = 2;

/** Where the blocks of a family begin, and the pool around them, which has room for nine copies of the cluster. */
const FAMILIES = {
  4: { first: parseAddress('10.100.0.0') as Address, prefix: 26, pool: '10.96.0.0/12' },
  6: { first: parseAddress('fd00:100::') as Address, prefix: 122, pool: 'fd00:100::/26' },
} as const;

/** Objects of a healthy cluster but for its leaks: nodes, pods of some 6 KB, blocks, affinities, handles, pools. */
export function seededCluster(size: ClusterSize): SeededCluster {
  const pods = size.nodes * size.podsPerNode;
  const leaks = leakedPods(size, pods);
  const v6 = (size.dualStackShare ?? 0) > 0 ? 1 : 0;
  return {
    objects: objectsOf({ size, leaks }),
    pods: pods - leaks.size,
    leaks: leaks.size,
    blocks: size.nodes * (blocksOf(size) + v6),
  };
}

function blocksOf({ blocksPerNode = 2 }: ClusterSize): number {
  return blocksPerNode;
}

/** Every so many pods one, so that up to one leak a block lies in a block of its own. */
function leakedPods({ leakRate, seed }: ClusterSize, pods: number): ReadonlySet<number> {
  const wanted = Math.round(pods * leakRate);
  const offset = mulberry32(seed)();
  return new Set(
    Array.from({ length: wanted }, (_, i) => Math.floor((i + offset) * (pods / wanted))),
  );
}

interface Plan {
  readonly size: ClusterSize;
  readonly leaks: ReadonlySet<number>;
}

function* objectsOf(plan: Plan): Generator<JsonObject> {
  yield* settings((plan.size.dualStackShare ?? 0) > 0);
  for (let n = 0; n < plan.size.nodes; n++) yield* nodeObjects(n, plan);
}

function* settings(isDualStack: boolean): Generator<JsonObject> {
  yield calico('ClusterInformation', 'default', {
    clusterGUID: '3f6b0e0c5a1d4c7f8e9a2b4d6c8e0f11',
    calicoVersion: 'v3.33.0',
    clusterType: 'k8s,bgp,kdd',
    datastoreReady: true,
  });
  yield calico('KubeControllersConfiguration', 'default', {
    controllers: { loadBalancer: { assignIPs: 'AllServices' } },
  });
  yield calico('IPAMConfig', 'default', {
    strictAffinity: false,
    autoAllocateBlocks: true,
    maxBlocksPerHost: 0,
  });
  yield poolObject(4, 'pods');
  if (isDualStack) yield poolObject(6, 'pods-v6');
}

function poolObject(family: 4 | 6, name: string): JsonObject {
  const { pool, prefix } = FAMILIES[family];
  return calico('IPPool', name, {
    cidr: pool,
    blockSize: prefix,
    nodeSelector: 'all()',
    vxlanMode: 'Always',
    ipipMode: 'Never',
  });
}

/** The blocks of a node and the handles in them. */
class NodeClaims {
  readonly handles = new Map<string, Cidr[]>();
  readonly blocks: readonly Draft[];
  readonly v6: Draft;

  constructor(node: string, number: number, blocksPerNode: number) {
    this.blocks = Array.from(
      { length: blocksPerNode },
      (_, b) => new Draft(node, 4, number * blocksPerNode + b),
    );
    this.v6 = new Draft(node, 6, number);
  }

  assign(draft: Draft, handle: string, secondary: JsonObject): string {
    this.handles.set(handle, [...(this.handles.get(handle) ?? []), draft.cidr]);
    return draft.assign(handle, secondary);
  }

  *objects(node: string): Generator<JsonObject> {
    for (const block of [...this.blocks, this.v6]) {
      if (block === this.v6 && block.attributes.length === 0) continue;
      yield block.object();
      yield affinityObject(node, block.cidr);
    }
    for (const [id, cidrs] of this.handles) {
      yield calico('IPAMHandle', handleName(id), {
        handleID: id,
        block: Object.fromEntries(cidrs.map((cidr) => [formatCidr(cidr), 1])),
        deleted: false,
      });
    }
  }
}

function* nodeObjects(n: number, { size, leaks }: Plan): Generator<JsonObject> {
  const node = `node-${String(n).padStart(5, '0')}`;
  const claims = new NodeClaims(node, n, blocksOf(size));
  const [first] = claims.blocks as [Draft];
  const tunnel = claims.assign(first, `vxlan-tunnel-addr-${node}`, {
    node,
    type: 'vxlanTunnelAddress',
  });
  yield nodeObject(node, tunnel);
  for (let p = 0; p < size.podsPerNode; p++) {
    const number = n * size.podsPerNode + p;
    const namespace = `team-${number % 40}`;
    const name = `service-${number % 400}-7d9f8b6c5d-${number.toString(36).padStart(5, 'x')}`;
    // A hash as container runtimes give it, but for its first digit, which is that of the copy.
    const hash = createHash('sha256').update(String(number)).digest('hex');
    const handle = `k8s-pod-network.0${hash.slice(1)}`;
    const secondary = {
      namespace,
      node,
      pod: name,
      timestamp: '2026-10-05 08:00:00.123456789 +0000 UTC',
    };
    const block = claims.blocks[p % claims.blocks.length] as Draft;
    const ips = [claims.assign(block, handle, secondary)];
    if (p < size.podsPerNode * (size.dualStackShare ?? 0))
      ips.push(claims.assign(claims.v6, handle, secondary));
    if (!leaks.has(number))
      yield podObject({ name, namespace, node, ips, settings: size.podSettings ?? POD_SETTINGS });
  }
  yield* claims.objects(node);
}

/** A block while its slots are given out from the front. */
class Draft {
  readonly cidr: Cidr;
  readonly attributes: JsonObject[] = [];
  private readonly node: string;

  constructor(node: string, family: 4 | 6, number: number) {
    this.node = node;
    const { first, prefix } = FAMILIES[family];
    this.cidr = cidrOf(addressAt(first, number * BLOCK_SIZE), prefix);
  }

  assign(handle: string, secondary: JsonObject): string {
    this.attributes.push({ handle_id: handle, secondary });
    return formatAddress(addressAt(this.cidr.base, this.attributes.length - 1));
  }

  object(): JsonObject {
    const used = this.attributes.length;
    const sequence = 1_764_426_000_123_456_000n;
    return calico('IPAMBlock', cidrToName(this.cidr), {
      cidr: formatCidr(this.cidr),
      affinity: `host:${this.node}`,
      allocations: Array.from({ length: BLOCK_SIZE }, (_, i) => (i < used ? i : null)),
      unallocated: Array.from({ length: BLOCK_SIZE - used }, (_, i) => used + i),
      attributes: this.attributes,
      sequenceNumber: sequence + BigInt(used),
      sequenceNumberForAllocation: Object.fromEntries(
        this.attributes.map((_, i) => [String(i), sequence + BigInt(i)]),
      ),
      deleted: false,
      strictAffinity: false,
    });
  }
}

function affinityObject(node: string, cidr: Cidr): JsonObject {
  const labels = {
    'projectcalico.org/affinity-type': 'host',
    'projectcalico.org/hostname-hash': hostnameHash(node),
    'projectcalico.org/ip-version': String(cidrFamily(cidr)),
  };
  const spec = { cidr: formatCidr(cidr), node, state: 'confirmed', type: 'host', deleted: 'false' };
  return {
    ...calico('BlockAffinity', affinityName(node, cidr), spec),
    metadata: { name: affinityName(node, cidr), labels },
  };
}

function nodeObject(name: string, tunnel: string): JsonObject {
  const annotations = { 'projectcalico.org/IPv4VXLANTunnelAddr': tunnel };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, annotations, labels: { 'kubernetes.io/hostname': name } },
  };
}

function calico(kind: string, name: string, spec: JsonObject): JsonObject {
  return { apiVersion: CALICO, kind, metadata: { name }, spec };
}

/** A small generator of numbers 0..1 with good spread; the same seed gives the same cluster. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

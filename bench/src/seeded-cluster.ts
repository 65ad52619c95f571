import { type Address, addressAt, formatAddress, parseAddress } from '../../src/net/address.ts';
import { type Cidr, cidrOf, formatCidr } from '../../src/net/cidr.ts';
import { affinityName, cidrToName, handleName, hostnameHash } from '../../src/ipam/model/names.ts';
import type { JsonObject } from '../../src/support/json.ts';

/** Size of a generated cluster. Everything else follows from the seed. */
export interface ClusterSize {
  readonly nodes: number;
  readonly podsPerNode: number;
  /** Share of pods whose object is missing although their address is allocated, 0..1. */
  readonly leakRate: number;
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
const BLOCK = { prefix: 26, size: 64 };
const FIRST = parseAddress('10.0.0.0') as Address;

/** Objects of a healthy cluster but for its leaks: nodes, pods of some 6 KB, blocks, affinities, handles, one pool. */
export function seededCluster(size: ClusterSize): SeededCluster {
  const random = mulberry32(size.seed);
  const leaks = new Set<number>();
  const pods = size.nodes * size.podsPerNode;
  const wanted = Math.round(pods * size.leakRate);
  while (leaks.size < wanted) leaks.add(Math.floor(random() * pods));
  const blocksPerNode = Math.ceil((size.podsPerNode + 1) / BLOCK.size);
  return {
    objects: objectsOf(size, leaks, blocksPerNode),
    pods: pods - wanted,
    leaks: wanted,
    blocks: size.nodes * blocksPerNode,
  };
}

function* objectsOf(
  size: ClusterSize,
  leaks: ReadonlySet<number>,
  blocksPerNode: number,
): Generator<JsonObject> {
  yield* settings(size.nodes * blocksPerNode);
  for (let n = 0; n < size.nodes; n++) yield* nodeObjects(n, { size, leaks, blocksPerNode });
}

function* settings(blocks: number): Generator<JsonObject> {
  const prefix = Math.min(24, 32 - Math.ceil(Math.log2(Math.max(blocks, 1) * BLOCK.size)));
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
  yield calico('IPPool', 'pods', {
    cidr: formatCidr(cidrOf(FIRST, prefix)),
    blockSize: BLOCK.prefix,
    nodeSelector: 'all()',
    vxlanMode: 'Always',
    ipipMode: 'Never',
  });
}

interface Plan {
  readonly size: ClusterSize;
  readonly leaks: ReadonlySet<number>;
  readonly blocksPerNode: number;
}

function* nodeObjects(n: number, plan: Plan): Generator<JsonObject> {
  const node = `node-${String(n).padStart(5, '0')}`;
  const blocks = Array.from(
    { length: plan.blocksPerNode },
    (_, b) => new Draft(node, n * plan.blocksPerNode + b),
  );
  const assign = (handle: string, secondary: JsonObject): string => {
    const block = blocks.find(({ attributes }) => attributes.length < BLOCK.size) as Draft;
    handles.push([handle, block.cidr]);
    return block.assign(handle, secondary);
  };
  const handles: [string, Cidr][] = [];
  const tunnel = assign(`vxlan-tunnel-addr-${node}`, { node, type: 'vxlanTunnelAddress' });
  yield nodeObject(node, tunnel);
  for (let p = 0; p < plan.size.podsPerNode; p++) {
    const number = n * plan.size.podsPerNode + p;
    const namespace = `team-${number % 40}`;
    const name = `service-${number % 400}-7d9f8b6c5d-${number.toString(36).padStart(5, 'x')}`;
    const handle = `k8s-pod-network.${number.toString(16).padStart(8, '0').repeat(8)}`;
    const ip = assign(handle, {
      namespace,
      node,
      pod: name,
      timestamp: '2026-10-05 08:00:00.123456789 +0000 UTC',
    });
    if (!plan.leaks.has(number)) yield podObject(name, { namespace, node, ip });
  }
  for (const block of blocks) {
    yield block.object();
    yield affinityObject(node, block.cidr);
  }
  for (const [id, cidr] of handles) {
    yield calico('IPAMHandle', handleName(id), {
      handleID: id,
      block: { [formatCidr(cidr)]: 1 },
      deleted: false,
    });
  }
}

/** A block while its slots are given out from the front. */
class Draft {
  readonly cidr: Cidr;
  readonly attributes: JsonObject[] = [];
  private readonly node: string;

  constructor(node: string, number: number) {
    this.node = node;
    this.cidr = cidrOf(addressAt(FIRST, number * BLOCK.size), BLOCK.prefix);
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
      allocations: Array.from({ length: BLOCK.size }, (_, i) => (i < used ? i : null)),
      unallocated: Array.from({ length: BLOCK.size - used }, (_, i) => used + i),
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
    'projectcalico.org/ip-version': '4',
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

/** A pod as they are in real clusters: mostly environment, volumes and conditions that nobody here needs. */
function podObject(
  name: string,
  { namespace, node, ip }: { namespace: string; node: string; ip: string },
): JsonObject {
  const env = Array.from({ length: 40 }, (_, i) => ({
    name: `SETTING_${i}`,
    value: `value-of-setting-${i}-in-${namespace}-for-${name}`,
  }));
  const annotations = {
    'cni.projectcalico.org/podIP': `${ip}/32`,
    'cni.projectcalico.org/podIPs': `${ip}/32`,
  };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, annotations, labels: { app: 'service', team: namespace } },
    spec: {
      nodeName: node,
      containers: [{ name: 'main', image: 'registry.example/team/service:1.4.2', env }],
    },
    status: { phase: 'Running', podIP: ip, podIPs: [{ ip }] },
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

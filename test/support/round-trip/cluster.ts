/** A cluster in etcd beside its Kubernetes, made up the same from the same options: addresses of every use, and faults. */
import { createHash } from 'node:crypto';
import type { JsonObject } from '../../../src/ipam/model/resource.ts';
import { machineHandle } from '../../../src/ipam/machine-handle.ts';
import { SeededRandom } from '../../hammer/random.ts';
import { aKubernetesNode } from '../import-world.ts';
import { type BlockDraft, type DraftEntry, IpamDraft } from './draft.ts';
import { machineObject, NAMESPACES, podObject, serviceObject } from './kubernetes.ts';
import { configurationEntries, nodeEntry, resourceEntry } from './resources.ts';

/** Owner of the blocks from which Services get addresses. */
const LOAD_BALANCER = 'virtual:load-balancer';

/** How large the cluster is, and the moment that it is made for. */
export interface ClusterOptions {
  /** At least 40, so that every fault has nodes of its own. */
  readonly nodes: number;
  /** Pods on a node, each with an address of either family. */
  readonly podsPerNode: number;
  /** In milliseconds; cooling addresses are released before it. */
  readonly now: number;
  readonly seed: number;
  /** Whether some rows are as old releases wrote them; they are when this is absent. */
  readonly hasOldForms?: boolean | undefined;
}

/** What a pod is made of. */
export interface PodFacts {
  readonly node: DraftNode;
  readonly namespace: string;
  readonly name: string;
}

/** A node with its blocks. */
export interface DraftNode {
  readonly index: number;
  /** In etcd. */
  readonly name: string;
  readonly kubernetesName: string;
  readonly v4: BlockDraft;
  readonly v6: BlockDraft;
  readonly tunnels: Record<string, string>;
}

/** The cluster while it is being made up. */
export class ClusterDraft {
  readonly ipam = new IpamDraft();
  readonly nodes: DraftNode[] = [];
  /** Objects of Kubernetes. */
  readonly objects: JsonObject[] = [];
  /** Objects of Calico in etcd. */
  readonly resources: DraftEntry[] = [];
  readonly now: number;
  readonly random: SeededRandom;

  constructor({ now, seed }: Pick<ClusterOptions, 'now' | 'seed'>) {
    this.now = now;
    this.random = new SeededRandom(seed);
  }

  node(index: number): DraftNode {
    const node = this.nodes[index];
    if (node === undefined) throw new Error(`there is no node ${index}`);
    return node;
  }

  addNode(index: number): DraftNode {
    const { name, kubernetesName } = namesOf(index);
    const owner = `host:${name}`;
    const v4 = this.ipam.block(`10.60.${index >> 2}.${(index & 3) * 64}/26`, owner);
    const v6 = this.ipam.block(`fd00:60::${(index * 64).toString(16)}/122`, owner);
    const node: DraftNode = { index, name, kubernetesName, v4, v6, tunnels: {} };
    for (const { type, prefix, family } of TUNNELS) {
      const block = family === 4 ? v4 : v6;
      node.tunnels[type] = block.take(tunnelAttribute(name, type, prefix));
    }
    this.nodes.push(node);
    this.objects.push(aKubernetesNode(kubernetesName));
    return node;
  }

  /** What an allocation says of a pod; the handle is made of its name. */
  podAttribute({ node, namespace, name }: PodFacts): JsonObject {
    const secondary = { namespace, node: node.name, pod: name, timestamp: this.#timestamp() };
    return { handle_id: podHandle(namespace, name), secondary };
  }

  /** A pod that runs, with an address of each family from these blocks; tells the addresses. */
  addPod(facts: PodFacts, { v4, v6 }: Pick<DraftNode, 'v4' | 'v6'> = facts.node): string[] {
    const attribute = this.podAttribute(facts);
    const addresses = [this.take(v4, attribute), this.take(v6, attribute)];
    this.showPod(facts, addresses);
    return addresses;
  }

  /** A pod in Kubernetes and its endpoint in etcd. */
  showPod({ node, namespace, name }: PodFacts, addresses: readonly string[], phase?: string): void {
    const place = { namespace, name, node: node.kubernetesName };
    this.objects.push(podObject(place, addresses, phase));
    this.addEndpoint({ node, namespace, name }, addresses);
  }

  addEndpoint({ node, namespace, name }: PodFacts, addresses: readonly string[]): void {
    const dashed = (text: string): string => text.replaceAll('-', '--');
    const key = `${namespace}/${dashed(node.name)}-k8s-${dashed(name)}-eth0`;
    const ipNetworks = addresses.map((ip) => `${ip}/${ip.includes(':') ? 128 : 32}`);
    const spec = { orchestrator: 'k8s', node: node.name, pod: name, endpoint: 'eth0', ipNetworks };
    this.resources.push(resourceEntry('workloadendpoints', 'WorkloadEndpoint', key, spec));
  }

  /** Takes a free slot by chance. */
  take(block: BlockDraft, attribute: JsonObject): string {
    const free = Array.from({ length: block.size }, (_, ordinal) => ordinal).filter(
      (ordinal) => !block.slots.has(ordinal),
    );
    return block.take(attribute, this.random.pick(free));
  }

  /** As Calico notes when an address was given out: long ago. */
  #timestamp(): string {
    const moment = new Date(this.now - 86_400_000 - this.random.below(86_400_000)).toISOString();
    return `${moment.slice(0, 19).replace('T', ' ')}.${100_000_000 + this.random.below(899_999_999)} +0000 UTC`;
  }
}

/** The five tunnels of a node. */
const TUNNELS = [
  { type: 'ipipTunnelAddress', prefix: 'ipip-tunnel-addr-', family: 4 },
  { type: 'vxlanTunnelAddress', prefix: 'vxlan-tunnel-addr-', family: 4 },
  { type: 'wireguardTunnelAddress', prefix: 'wireguard-tunnel-addr-', family: 4 },
  { type: 'vxlanV6TunnelAddress', prefix: 'vxlan-v6-tunnel-addr-', family: 6 },
  { type: 'wireguardV6TunnelAddress', prefix: 'wireguard-v6-tunnel-addr-', family: 6 },
] as const;

/** What an allocation says of a tunnel. */
export function tunnelAttribute(node: string, type: string, prefix: string): JsonObject {
  return { handle_id: prefix + node, secondary: { node, type } };
}

/** Handle of a pod's addresses. */
export function podHandle(namespace: string, name: string): string {
  return `k8s-pod-network.${createHash('sha256').update(`${namespace}/${name}`).digest('hex')}`;
}

/** Nodes with what runs on them, machines and Services, and nothing wrong. */
export function soundCluster(options: ClusterOptions): ClusterDraft {
  const draft = new ClusterDraft(options);
  for (let index = 0; index < options.nodes; index++) {
    const node = draft.addNode(index);
    for (let nth = 0; nth < options.podsPerNode; nth++) {
      draft.addPod({ node, namespace: NAMESPACES[nth % 3] ?? '', name: `web-${index}-${nth}` });
    }
    if (index % 10 === 5) addMachine(draft, node);
  }
  addServices(draft, Math.ceil(options.nodes / 10));
  draft.resources.push(...configurationEntries(draft.node(4).name));
  return draft;
}

/** Every key of etcd; nodes last, for what they carry may have changed. */
export function entriesOf(draft: ClusterDraft): DraftEntry[] {
  return [...draft.ipam.toEntries(), ...draft.resources, ...draft.nodes.map(nodeEntry)];
}

/** A swap, a chain, then by turns another name and the same. */
function namesOf(index: number): Pick<DraftNode, 'name' | 'kubernetesName'> {
  const first = [
    ['swap-a', 'swap-b'],
    ['swap-b', 'swap-a'],
    ['chain-a', 'chain-b'],
    ['chain-b', 'chain-c'],
  ][index];
  if (first !== undefined) return { name: first[0] ?? '', kubernetesName: first[1] ?? '' };
  if (index % 3 === 0) return { name: `node-${index}`, kubernetesName: `node-${index}` };
  return {
    name: `calico-${index}.etcd.example`,
    kubernetesName: `ip-10-1-${index}.eu-west.compute.internal`,
  };
}

/** One of four: that runs, that stands still, that moves to the next node, that is gone. */
function addMachine(draft: ClusterDraft, node: DraftNode): void {
  const name = `vm-${node.index}`;
  const { state, alternate } = machineState(draft, node);
  const owner = (of: DraftNode, pod: string): JsonObject => ({
    namespace: 'vms',
    node: of.name,
    pod,
    'vmi-name': name,
    'vmi-uid': `vmi-${node.index}`,
    'vm-uid': `vm-${node.index}`,
  });
  const attribute = {
    handle_id: machineHandle('', 'vms', name),
    secondary: owner(node, `launcher-${name}`),
    ...(alternate && { alternateOwnerAttrs: owner(alternate, `target-${name}`) }),
  };
  const addresses = [draft.take(node.v4, attribute), draft.take(node.v6, attribute)];
  if (state === 'gone') return;
  draft.objects.push(machineObject('VirtualMachine', name));
  if (state === 'stopped') return;
  draft.objects.push(machineObject('VirtualMachineInstance', name));
  draft.showPod({ node, namespace: 'vms', name: `launcher-${name}` }, addresses);
  if (alternate) {
    draft.showPod({ node: alternate, namespace: 'vms', name: `target-${name}` }, addresses);
  }
}

function machineState(
  draft: ClusterDraft,
  { index }: DraftNode,
): { readonly state: string; readonly alternate?: DraftNode | undefined } {
  const state = ['running', 'stopped', 'moving', 'gone'][Math.floor(index / 10) % 4] ?? '';
  return state === 'moving' ? { state, alternate: draft.node(index - 1) } : { state };
}

function addServices(draft: ClusterDraft, count: number): void {
  const v4 = [0, 16].map((at) => draft.ipam.block(`198.19.0.${at}/28`, LOAD_BALANCER));
  const v6 = draft.ipam.block('fd00:99::/122', LOAD_BALANCER);
  for (let nth = 0; nth < count; nth++) {
    const name = `gate-${nth}`;
    const digest = createHash('sha256').update(name).digest('base64url');
    const attribute = {
      handle_id: `lb-${digest.replaceAll(/[-_.]/g, '')}`,
      secondary: { namespace: 'edge', service: name, type: 'LoadBalancer' },
    };
    const block = v4[nth % v4.length] ?? v6;
    draft.objects.push(serviceObject(name, [block.take(attribute), v6.take(attribute)]));
  }
}

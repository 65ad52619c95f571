import { createHash } from 'node:crypto';
import { type Cidr, cidrOf, cidrSize, formatCidr, parseCidr } from '../../src/net/cidr.ts';
import {
  type Address,
  addressAt,
  addressOf,
  formatAddress,
  parseAddress,
} from '../../src/net/address.ts';
import { affinityName, cidrToName, handleName, hostnameHash } from '../../src/ipam/model/names.ts';

/** A Kubernetes object as it is written to the snapshot. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

/** When everything in the example was made, unless something says otherwise. */
export const CREATED = '2026-10-05T08:00:00Z';

const CALICO = 'crd.projectcalico.org/v1';

let revision = 410_000;

/** Metadata as a server would fill it in; uids follow from kind and name, so that the file comes out the same each time. */
export function metadata(
  kind: string,
  name: string,
  more: Readonly<Record<string, unknown>> & { readonly namespace?: string } = {},
) {
  const hex = createHash('sha256')
    .update(`${kind}/${more.namespace ?? ''}/${name}`)
    .digest('hex');
  const uid = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  revision += 3;
  return { name, uid, resourceVersion: String(revision), creationTimestamp: CREATED, ...more };
}

/** One attribute record of a block. */
export interface Attribute {
  readonly handle_id?: string;
  readonly secondary?: Readonly<Record<string, string>>;
  readonly releasedAt?: string;
}

/** A block under construction: ordinals are given out in order, or by number. */
export class BlockDraft {
  readonly cidr: Cidr;
  readonly affinity: string | undefined;
  readonly slots = new Map<number, Attribute>();
  private next = 0;

  constructor(cidr: Cidr, affinity: string | undefined) {
    this.cidr = cidr;
    this.affinity = affinity;
  }

  /** Gives out the next free ordinal and returns its address. */
  assign(attribute: Attribute, ordinal = this.nextOrdinal()): string {
    this.slots.set(ordinal, attribute);
    return formatAddress(addressAt(this.cidr.base, ordinal));
  }

  private nextOrdinal(): number {
    while (this.slots.has(this.next)) this.next++;
    return this.next;
  }

  /** The IPAMBlock object. */
  object(): KubernetesObject {
    const size = Number(cidrSize(this.cidr));
    const ordinals = [...this.slots.keys()].sort((a, b) => a - b);
    const sequence = 1_759_651_200_000_000_000n + BigInt(revision);
    return {
      apiVersion: CALICO,
      kind: 'IPAMBlock',
      metadata: metadata('IPAMBlock', cidrToName(this.cidr), {
        annotations: { 'projectcalico.org/metadata': '{}' },
      }),
      spec: {
        ...(this.affinity ? { affinity: this.affinity, affinityClaimTime: CREATED } : {}),
        allocations: Array.from({ length: size }, (_, i) =>
          this.slots.has(i) ? ordinals.indexOf(i) : null,
        ),
        attributes: ordinals.map((ordinal) => this.slots.get(ordinal)),
        cidr: formatCidr(this.cidr),
        deleted: false,
        sequenceNumber: sequence,
        sequenceNumberForAllocation: Object.fromEntries(
          ordinals.map((ordinal, i) => [String(ordinal), sequence - BigInt(ordinals.length - i)]),
        ),
        strictAffinity: false,
        unallocated: Array.from({ length: size }, (_, i) => i).filter((i) => !this.slots.has(i)),
      },
    };
  }
}

/** A BlockAffinity object. */
export function affinity(
  host: string,
  cidr: Cidr,
  more: { state?: string; type?: string; labelled?: boolean } = {},
): KubernetesObject {
  const { state = 'confirmed', type = 'host', labelled = true } = more;
  const labels = {
    'projectcalico.org/affinity-type': type,
    'projectcalico.org/hostname-hash': hostnameHash(host),
    'projectcalico.org/ip-version': typeof cidr.base === 'number' ? '4' : '6',
  };
  return {
    apiVersion: CALICO,
    kind: 'BlockAffinity',
    metadata: metadata('BlockAffinity', affinityName(host, cidr), labelled ? { labels } : {}),
    spec: { cidr: formatCidr(cidr), deleted: 'false', node: host, state, type },
  };
}

/** An IPAMHandle object. */
export function handle(id: string, block: Readonly<Record<string, number>>): KubernetesObject {
  return {
    apiVersion: CALICO,
    kind: 'IPAMHandle',
    metadata: metadata('IPAMHandle', handleName(id), {
      annotations: { 'projectcalico.org/metadata': '{}' },
    }),
    spec: { block, deleted: false, handleID: id },
  };
}

/** Any other object of Calico. */
export function calico(
  kind: string,
  name: string,
  spec: Readonly<Record<string, unknown>>,
): KubernetesObject {
  return { apiVersion: CALICO, kind, metadata: metadata(kind, name), spec };
}

/** A pod with its addresses; finished ones keep theirs in the status, as Kubernetes does. */
export function pod(
  name: string,
  facts: { namespace: string; node: string; ips: readonly string[]; phase?: string },
): KubernetesObject {
  const { namespace, node, ips, phase = 'Running' } = facts;
  const annotations = {
    'cni.projectcalico.org/containerID': createHash('sha256')
      .update(`${namespace}/${name}`)
      .digest('hex'),
    'cni.projectcalico.org/podIP': ips[0] ? `${ips[0]}/32` : '',
    'cni.projectcalico.org/podIPs': ips
      .map((ip) => `${ip}/${ip.includes(':') ? 128 : 32}`)
      .join(','),
  };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: metadata('Pod', name, { namespace, annotations }),
    spec: {
      nodeName: node,
      containers: [
        { name: 'main', image: `registry.example/${namespace}/${name.replace(/-\d+$/, '')}:1.4.2` },
      ],
    },
    status: { phase, podIP: ips[0], podIPs: ips.map((ip) => ({ ip })) },
  };
}

/** The id that Calico's network plugin gives to the handle of a pod. */
export function podHandle(namespace: string, name: string): string {
  return `k8s-pod-network.${createHash('sha256').update(`${namespace}/${name}`).digest('hex')}`;
}

/** A Service of type LoadBalancer that publishes one address. */
export function service(name: string, ip: string): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metadata('Service', name, { namespace: 'edge' }),
    spec: { type: 'LoadBalancer', ports: [{ port: 443, protocol: 'TCP' }] },
    status: { loadBalancer: { ingress: [{ ip }] } },
  };
}

/** A node with the tunnel addresses of its annotations. */
export function node(
  name: string,
  i: number,
  tunnels: Readonly<Record<string, string>>,
): KubernetesObject {
  const annotations = {
    'projectcalico.org/IPv4Address': `192.0.2.${i + 10}/24`,
    ...tunnels,
  };
  const labels = {
    'kubernetes.io/hostname': name,
    'topology.kubernetes.io/zone': `zone-${'abc'[i % 3] ?? 'a'}`,
  };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: metadata('Node', name, { annotations, labels }),
    spec: {},
    status: { addresses: [{ type: 'InternalIP', address: `192.0.2.${i + 10}` }] },
  };
}

/** A pool as an administrator would make it. */
export function pool(
  name: string,
  cidr: string,
  more: Record<string, unknown> = {},
): KubernetesObject {
  return calico('IPPool', name, {
    cidr,
    blockSize: cidr.includes(':') ? 122 : 26,
    ipipMode: 'Never',
    vxlanMode: 'Always',
    natOutgoing: true,
    nodeSelector: 'all()',
    allowedUses: ['Workload', 'Tunnel'],
    assignmentMode: 'Automatic',
    ...more,
  });
}

/** Parses a prefix of this file. */
export function net(text: string): Cidr {
  const cidr = parseCidr(text);
  if (!cidr) throw new Error(`${text} is no CIDR`);
  return cidr;
}

/** The n-th block of a pool. */
export function blockOf(pool: string, length: number, n: number): Cidr {
  const base = parseAddress(pool) as Address;
  const size = 2 ** ((typeof base === 'number' ? 32 : 128) - length);
  const at = typeof base === 'number' ? base + n * size : (base as bigint) + BigInt(n * size);
  return cidrOf(addressOf(at), length);
}

/** A typed list, as `kubectl get --raw` gives it; an empty one says that there is no such object. */
export function list(kind: string, items: readonly KubernetesObject[]) {
  return { apiVersion: 'v1', kind, items, metadata: { resourceVersion: '' } };
}

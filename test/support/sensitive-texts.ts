/** What of a datastore must not be found in a redacted snapshot. */
import type { Datastore } from '../../src/datastore/datastore.ts';
import { hostnameHash } from '../../src/ipam/model/names.ts';
import { type JsonValue, RESOURCE_KINDS } from '../../src/ipam/model/resource.ts';
import { parseCidrOrAddress } from '../../src/net/cidr.ts';

/** Words of the stored formats: names of members, annotations and constants, which say nothing of a cluster. */
const FORMAT = `
  apiVersion kind metadata spec status name namespace uid resourceVersion creationTimestamp deletionTimestamp labels
  annotations v1 crd.projectcalico.org/v1 projectcalico.org/v3 kubevirt.io/v1 ClusterInformation
  KubeControllersConfiguration IPAMConfig IPAMConfiguration IPPool IPReservation IPAMBlock IPAMHandle BlockAffinity Node
  Pod WorkloadEndpoint Service VirtualMachine VirtualMachineInstance IPAMSnapshot default
  /calico/ipam/v2/assignment/ipv4/block/ipv6 /calico/ipam/v2/handle /calico/ipam/v2/config /calico/ipam/v2/host virtual
  /calico/resources/v3/projectcalico.org/clusterinformations kubecontrollersconfigurations ippools ipreservations nodes
  workloadendpoints clusterGUID clusterType calicoVersion datastoreReady k8s kdd bgp typha operator kubeadm controllers
  loadBalancer assignIPs AllServices RequestedServicesOnly Disabled Enabled strictAffinity strict_affinity
  autoAllocateBlocks auto_allocate_blocks maxBlocksPerHost kubeVirtVMAddressPersistence ipCooldownSeconds cidr blockSize
  disabled natOutgoing disableBGPExport ipipMode vxlanMode nodeSelector namespaceSelector allowedUses assignmentMode
  Always CrossSubnet Never Workload Tunnel LoadBalancer Automatic Manual conditions type reason Allocatable CIDROverlap
  PoolDisabled Terminating True False Unknown all() has reservedCIDRs affinity affinityClaimTime affinity_claim_time
  allocations unallocated attributes handle_id secondary alternateOwnerAttrs releasedAt sequenceNumber
  sequenceNumberForAllocation deleted node pod service vmi-name vmi-uid vm-uid vmim-uid timestamp ipipTunnelAddress
  vxlanTunnelAddress vxlanV6TunnelAddress wireguardTunnelAddress wireguardV6TunnelAddress handleID block true false
  pending confirmed pendingDeletion state projectcalico.org/affinity-type projectcalico.org/ip-version host
  projectcalico.org/hostname-hash k8s-pod-network load-balancer lb- vmi windows-reserved-ipam-handle ipip-tunnel-addr
  vxlan-tunnel-addr vxlan-v6-tunnel-addr wireguard-tunnel-addr wireguard-v6-tunnel-addr virt-launcher nodeName
  hostNetwork phase podIP podIPs ip Pending Running Succeeded Failed Completed cni.projectcalico.org/podIPs
  cni.projectcalico.org/podIP vpc.amazonaws.com/pod-ips projectcalico.org/IPv4VXLANTunnelAddr
  projectcalico.org/IPv6VXLANTunnelAddr projectcalico.org/IPv4IPIPTunnelAddr projectcalico.org/IPv4WireguardInterfaceAddr
  projectcalico.org/IPv6WireguardInterfaceAddr projectcalico.org/metadata ipv4VXLANTunnelAddr ipv6VXLANTunnelAddr
  ipv4IPIPTunnelAddr wireguard interfaceIPv4Address interfaceIPv6Address orchRefs orchestrator ipNetworks
  loadBalancerClass loadBalancerIP ingress calico ClusterIP NodePort ExternalName projectcalico.org/ipv4pools
  projectcalico.org/ipv6pools projectcalico.org/loadBalancerIPs requested names snapshot memory kubernetes redacted
  source datastore apiGroup tool version takenAt kinds notInstalled items entries Key Value schemaVersion UTC Ready
  ns svc vm net ctr id lb pool reservation endpoint config class user attr term text eth0 ipamctl
  ipamctl.projectcalico.org/lock by at win canal ecs gke aks eks helm manifest openshift v3.33.0 dev null
`;

const WORD = /[A-Za-z0-9]+/g;
const ADDRESS_CHARACTERS = /[^0-9A-Fa-f.:]+/;

const TIME = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z| [+-]\d{4} UTC)?/g;

/** Times are kept. */
const wordsOf = (text: string): string[] => text.replaceAll(TIME, ' ').match(WORD) ?? [];

/** The commit in a version is kept, and so is the hash of the one owner that every cluster has. */
const FORMAT_WORDS: ReadonlySet<string> = new Set([
  ...wordsOf(FORMAT),
  'g0a1b2c3',
  hostnameHash('load-balancer'),
]);

/** Texts of a datastore that are neither words of the format nor numbers or times. */
export interface SensitiveTexts {
  readonly words: ReadonlySet<string>;
  readonly addresses: ReadonlySet<string>;
}

/** Gathers every word and every address of everything that is stored. */
export async function sensitiveTextsOf(datastore: Datastore): Promise<SensitiveTexts> {
  const texts: string[] = [];
  for (const kind of RESOURCE_KINDS) {
    const { rows } = await datastore.list(kind, { keep: () => true });
    for await (const batch of rows) {
      for (const { object, entry } of batch)
        texts.push(...(entry ? [entry.path, ...textsIn(entry.value)] : textsIn(object ?? null)));
    }
  }
  const words = texts.flatMap(wordsOf);
  return {
    words: new Set(words.filter((word) => isTelling(word) && !FORMAT_WORDS.has(word))),
    addresses: new Set(texts.flatMap(addressesIn)),
  };
}

/** Words and addresses that stand in the text all the same. */
export function leaksOf(
  text: string,
  { words, addresses }: SensitiveTexts,
  level: 'names' | 'all',
): string[] {
  const found = new Set(wordsOf(text.replaceAll(/\\[nrtbf]|\\u[0-9a-f]{4}/g, ' ')));
  const leaks = [...words].filter((word) => found.has(word));
  if (level === 'names') return leaks;
  const shown = new Set(addressesIn(text));
  return [...leaks, ...[...addresses].filter((address) => shown.has(address))];
}

function* textsIn(value: JsonValue): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      if (!Array.isArray(value)) yield name;
      yield* textsIn(member);
    }
  }
}

/** Single letters and plain numbers are everywhere. */
function isTelling(word: string): boolean {
  return word.length > 1 && /[a-z]/i.test(word) && !/^[0-9a-f]{1,4}$/i.test(word);
}

/** Addresses in a text, in whatever spelling; those that stand for nothing in particular are left out. */
function addressesIn(text: string): string[] {
  return text.split(ADDRESS_CHARACTERS).filter((part) => {
    const cidr = /[.:]/.test(part) ? parseCidrOrAddress(part) : undefined;
    return cidr !== undefined && BigInt(cidr.base) !== 0n && part.length > 4;
  });
}

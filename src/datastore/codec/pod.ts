import type { JsonObject } from '../../ipam/model/resource.ts';
import type { Row } from '../../ipam/model/row.ts';
import { AddressList } from './address-text.ts';
import { Fields, memberObject } from './fields.ts';
import { Misreading, wrongValue } from './misreading.ts';
import { type ObjectHead, rowHead, unreadableRow } from './object-head.ts';

/** What is needed of a pod beside its metadata. */
export interface PodFacts {
  /** `spec.nodeName`. */
  readonly nodeName?: string | undefined;
  readonly hostNetwork: boolean;
  /** `status.phase`. */
  readonly phase?: string | undefined;
  /** `status.podIP`. */
  readonly podIP?: string | undefined;
  /** `status.podIPs[].ip`. */
  readonly podIPs: readonly string[];
}

const FINISHED_PHASES: ReadonlySet<string> = new Set(['Succeeded', 'Failed', 'Completed']);

/** Annotations that name addresses, with commas between them. */
export const ADDRESS_ANNOTATIONS = [
  'cni.projectcalico.org/podIPs',
  'cni.projectcalico.org/podIP',
  'vpc.amazonaws.com/pod-ips',
] as const;

/**
 * Makes the row of a pod. A pod with an address that cannot be read may carry any address: its row is unreadable and names
 * its node. So is one that shows addresses and no node, because a pod gets them from its node. On the host's network, or finished, it carries nothing whatever it shows, and the row stands.
 *
 * Departs from upstream: the addresses of status and annotations are joined, blanks around them do not matter, and a
 * prefix length does not turn an address into its network.
 * Source: Calico libcalico-go lib/backend/k8s/conversion, pod addresses.
 */
export function podRow(head: ObjectHead, facts: PodFacts): Row {
  const finished = facts.phase !== undefined && FINISHED_PHASES.has(facts.phase);
  const node = facts.nodeName === '' ? undefined : facts.nodeName;
  const list = new AddressList();
  const problem =
    addStatus(list, facts) ?? addAnnotations(list, head) ?? head.damage ?? nodeProblem(node, facts);
  if (problem !== undefined && !facts.hostNetwork && !finished) {
    return unreadableRow('Pod', head, { unreadable: problem, node });
  }
  const { hostNetwork } = facts;
  return { ...rowHead(head), kind: 'Pod', node, finished, hostNetwork, addresses: list.addresses };
}

function nodeProblem(node: string | undefined, { podIP, podIPs }: PodFacts): string | undefined {
  if (node !== undefined || (podIP === undefined && podIPs.length === 0)) return undefined;
  return 'spec.nodeName is missing, although status shows addresses';
}

/** Reads a Pod from JSON. @throws {@link Misreading} */
export function decodePod(head: ObjectHead, object: JsonObject): Row {
  const spec = Fields.spec(object);
  const nodeName = spec.text('nodeName');
  try {
    return podRow(head, {
      nodeName,
      hostNetwork: spec.boolean('hostNetwork') ?? false,
      ...readStatus(object),
    });
  } catch (error) {
    if (error instanceof Misreading) throw new Misreading(error.message, nodeName);
    throw error;
  }
}

function readStatus(object: JsonObject): Pick<PodFacts, 'phase' | 'podIP' | 'podIPs'> {
  const status = new Fields(memberObject(object, 'status'), 'status');
  const podIPs: string[] = [];
  for (const entry of status.children('podIPs')) {
    const ip = entry.text('ip');
    if (ip !== undefined) podIPs.push(ip);
  }
  return { phase: status.text('phase'), podIP: status.text('podIP'), podIPs };
}

/** Returns the first problem. Whatever can be read is added all the same. */
function addStatus(list: AddressList, facts: PodFacts): string | undefined {
  let problem: string | undefined;
  for (const text of facts.podIPs) {
    if (!list.add(text)) problem ??= wrongValue('status.podIPs', text, 'address');
  }
  if (facts.podIP !== undefined && !list.add(facts.podIP)) {
    problem ??= wrongValue('status.podIP', facts.podIP, 'address');
  }
  return problem;
}

function addAnnotations(list: AddressList, head: ObjectHead): string | undefined {
  let problem: string | undefined;
  // No iterator: every pod of a cluster passes here.
  for (let at = 0; at < ADDRESS_ANNOTATIONS.length; at++) {
    const name = ADDRESS_ANNOTATIONS[at] as string;
    const value = head.annotations[name];
    if (value === undefined || value === '') continue;
    for (const text of value.split(',')) {
      if (!list.add(text)) problem ??= wrongValue(`annotation ${name}`, text, 'address');
    }
  }
  return problem;
}

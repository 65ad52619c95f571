import { isObjectName } from '../model/object-name.ts';
import type { JsonObject } from '../model/resource.ts';
import { isJsonObject, objectAt, textAt } from './json-value.ts';
import { type Refusal, shownName } from './refusal.ts';
import { tunnelHandleOf } from './tunnel-handle.ts';

/** A node's name in etcd and in Kubernetes. */
export interface NodeName {
  readonly from: string;
  readonly to: string;
}

/** Orchestrator of the references that name nodes of Kubernetes. */
const KUBERNETES = 'k8s';

/** A name of which a carriage return and what follows are no part; old migrations wrote such handle ids. */
const CUT = /\r[\s\S]*$/;

/**
 * Names of nodes in etcd and in Kubernetes. All names change at once: a name that one node gives up and another one gets
 * is not changed twice. Look-ups are exact, on the whole name behind a known prefix.
 */
export class NodeNames {
  readonly #names: ReadonlyMap<string, string>;
  readonly #targets: ReadonlyMap<string, string>;
  readonly #skipped: ReadonlySet<string>;

  /**
   * @param skipped Names in etcd that are left out together with everything of theirs.
   */
  constructor(names: readonly NodeName[], skipped: ReadonlySet<string> = new Set()) {
    const kept = names.filter(({ from }) => !skipped.has(from));
    this.#names = new Map(kept.map(({ from, to }) => [from, to]));
    this.#targets = new Map(kept.map(({ from, to }) => [to, from]));
    this.#skipped = skipped;
  }

  /** Every node that is carried, by its name in etcd. */
  get all(): readonly NodeName[] {
    return [...this.#names].map(([from, to]) => ({ from, to }));
  }

  /** Name in Kubernetes; a name that no node has stays as it is. */
  nameOf(host: string): string {
    return this.#names.get(host) ?? host;
  }

  isSkipped(host: string): boolean {
    return this.#skipped.has(host);
  }

  /**
   * The node that gets a name in Kubernetes under which the source knows a host that is no node; what that host left behind
   * would become the node's.
   */
  nodeThatBecomes(host: string): string | undefined {
    return this.#names.has(host) ? undefined : this.#targets.get(host);
  }

  /** A handle id as the target knows it: cut at a carriage return, the node of a tunnel's handle renamed. */
  handleId(id: string): string {
    const cut = cutHandleId(id);
    const tunnel = tunnelHandleOf(cut);
    return tunnel === undefined ? cut : tunnel.prefix + this.nameOf(tunnel.node);
  }

  /** Whether the handle holds a tunnel address of a node that is left out. */
  isSkippedHandle(id: string): boolean {
    const tunnel = tunnelHandleOf(cutHandleId(id));
    return tunnel !== undefined && this.isSkipped(tunnel.node);
  }
}

/**
 * A handle id without the carriage return of old migrations and what follows it.
 * Source: Calico libcalico-go lib/ipam, sanitizing of handle ids.
 */
export function cutHandleId(id: string): string {
  return id.replace(CUT, '');
}

/** The names that the nodes have in Kubernetes, and everything that is wrong with them. */
export interface NodeNameReading {
  readonly names: readonly NodeName[];
  readonly refusals: readonly Refusal[];
}

/**
 * Reads the name in Kubernetes of each node from its references.
 * Source: calicoctl commands/datastore/migrate/export.go.
 *
 * Departs from upstream: of several references the last one wins there, and two nodes may get one name.
 */
export function readNodeNames(
  nodes: readonly JsonObject[],
  skipped: ReadonlySet<string>,
): NodeNameReading {
  const names: NodeName[] = [];
  const refusals: Refusal[] = [];
  for (const node of nodes) {
    const from = textAt(objectAt(node, 'metadata'), 'name') ?? '';
    if (skipped.has(from)) continue;
    const reading = targetOf(node);
    if ('refusal' in reading) refusals.push({ ...reading.refusal, subject: nodeText(from) });
    else names.push({ from, to: reading.to });
  }
  return { names, refusals: [...refusals, ...sharedNames(names)] };
}

function targetOf(
  node: JsonObject,
): { readonly to: string } | { readonly refusal: Omit<Refusal, 'subject'> } {
  const [to, ...others] = new Set(kubernetesNames(node));
  if (to === undefined) {
    return { refusal: { code: 'no-kubernetes-name', reason: 'names no node of Kubernetes' } };
  }
  if (others.length > 0) {
    const all = [to, ...others].map(shownName).join(', ');
    const reason = `names several nodes of Kubernetes: ${all}`;
    return { refusal: { code: 'several-kubernetes-names', reason } };
  }
  if (isObjectName(to)) return { to };
  const reason = `is called ${shownName(to)}, which no node of Kubernetes can be called`;
  return { refusal: { code: 'impossible-name', reason } };
}

function kubernetesNames(node: JsonObject): readonly string[] {
  const { orchRefs } = objectAt(node, 'spec');
  if (!Array.isArray(orchRefs)) return [];
  return orchRefs.flatMap((reference) => {
    if (!isJsonObject(reference) || reference['orchestrator'] !== KUBERNETES) return [];
    return textAt(reference, 'nodeName') ?? [];
  });
}

/** Each node whose name in Kubernetes another one has, too. */
function sharedNames(names: readonly NodeName[]): readonly Refusal[] {
  const byTarget = Map.groupBy(names, ({ to }) => to);
  return [...byTarget].flatMap(([to, nodes]) => {
    if (nodes.length === 1) return [];
    const all = nodes.map(({ from }) => shownName(from)).join(', ');
    return nodes.map(({ from }) => ({
      code: 'shared-kubernetes-name' as const,
      subject: nodeText(from),
      reason: `is ${to} in Kubernetes, as are all of ${all}`,
    }));
  });
}

function nodeText(name: string): string {
  return `Node ${shownName(name)}`;
}

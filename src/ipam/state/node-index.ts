import type { NodeRow } from '../model/node.ts';
import type { Node } from './cluster-state.ts';

/**
 * The nodes that exist, by name. Where Calico keeps node rows of its own (etcd), those are the nodes, each only while
 * the Kubernetes node that it refers to exists; elsewhere Kubernetes' nodes are.
 */
export class NodeIndex {
  /** By name. */
  readonly nodes: readonly Node[];
  private readonly byName: ReadonlyMap<string, Node>;
  private readonly calicoNames: ReadonlyMap<string, string>;

  constructor(rows: readonly NodeRow[]) {
    const calico = rows.filter((row) => row.origin === 'calico');
    const kubernetes = rows.filter((row) => row.origin === 'kubernetes');
    const known = new Set(kubernetes.map((row) => row.key.name));
    const counted = calico.length === 0 ? kubernetes : calico.filter((row) => isBacked(row, known));
    this.nodes = counted
      .map(nodeOfRow)
      .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    this.byName = new Map(this.nodes.map((node) => [node.name, node]));
    this.calicoNames = new Map(
      calico.flatMap((row) =>
        row.kubernetesName ? [[row.kubernetesName, row.key.name] as const] : [],
      ),
    );
  }

  node(name: string): Node | undefined {
    return this.byName.get(name);
  }

  /** The name by which Calico knows a Kubernetes node: the same one unless a Calico row refers to it. */
  calicoName(kubernetesName: string): string {
    return this.calicoNames.get(kubernetesName) ?? kubernetesName;
  }
}

/** A host counts as a node while the Kubernetes node that it refers to exists, where Kubernetes' nodes are known. */
function isBacked(row: NodeRow, kubernetesNodes: ReadonlySet<string>): boolean {
  return (
    row.kubernetesName === undefined ||
    kubernetesNodes.size === 0 ||
    kubernetesNodes.has(row.kubernetesName)
  );
}

function nodeOfRow(row: NodeRow): Node {
  return {
    key: row.key,
    name: row.key.name,
    kubernetesName: row.kubernetesName,
    tunnels: row.tunnels,
    unreadableTunnels: row.unreadableTunnels,
    labels: row.labels,
  };
}

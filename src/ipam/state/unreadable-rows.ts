import { type ResourceKey, type ResourceKind, type UnreadableRow } from '../model/resource.ts';

/** Stands for a part of an identity that cannot be read and may be anything; no name holds it. */
const ANY = '\0';

/** What the unreadable rows of one kind may be. */
interface Suspects {
  /** Namespace and name, each of which may be {@link ANY}. */
  readonly keys: Set<string>;
  /** Nodes on which they run, as Calico calls them. */
  readonly nodes: Set<string>;
  /** Whether the node of one of them is not known. */
  isAnywhere: boolean;
}

/**
 * Tells what rows that cannot be read may stand for. A row whose own name or namespace cannot be read may be any row of
 * its kind, so that nothing is called absent on its account.
 */
export class UnreadableRows {
  private readonly byKind = new Map<ResourceKind, Suspects>();

  /** @param calicoName Name by which Calico knows a Kubernetes node. */
  constructor(rows: readonly UnreadableRow[], calicoName: (kubernetesName: string) => string) {
    for (const row of rows) {
      const suspects = this.suspectsOf(row.kind);
      suspects.keys.add(textOf(row.key.namespace, row.key.name));
      if (row.node === undefined) suspects.isAnywhere = true;
      else suspects.nodes.add(calicoName(row.node));
    }
  }

  /** Whether one of them may be this row, or with no key whether there is any of the kind. */
  mayBe(kind: ResourceKind, key?: ResourceKey): boolean {
    const suspects = this.byKind.get(kind);
    if (suspects === undefined || key === undefined) return suspects !== undefined;
    const { namespace, name } = key;
    const { keys } = suspects;
    return (
      keys.has(textOf(namespace, name)) ||
      keys.has(textOf(namespace, '')) ||
      keys.has(textOf(undefined, name)) ||
      keys.has(textOf(undefined, ''))
    );
  }

  /** Whether one of them may run on the node, or anywhere when it is undefined. */
  mayRunOn(kind: ResourceKind, node: string | undefined): boolean {
    const suspects = this.byKind.get(kind);
    if (suspects === undefined) return false;
    return node === undefined || suspects.isAnywhere || suspects.nodes.has(node);
  }

  private suspectsOf(kind: ResourceKind): Suspects {
    let suspects = this.byKind.get(kind);
    if (suspects === undefined) {
      suspects = { keys: new Set(), nodes: new Set(), isAnywhere: false };
      this.byKind.set(kind, suspects);
    }
    return suspects;
  }
}

function textOf(namespace: string | undefined, name: string): string {
  return `${namespace ?? ANY}/${name === '' ? ANY : name}`;
}

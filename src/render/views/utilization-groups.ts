import type {
  NamespaceUtilization,
  NodeUtilization,
} from '../../operations/documents/utilization-document.ts';
import { groupDigits } from '../numbers.ts';
import type { Cell, TableSpec } from '../table-spec.ts';

/** Nodes with what they hold and what is left in their own blocks. */
export function nodeTable(nodes: readonly NodeUtilization[]): TableSpec {
  return {
    columns: [
      { header: 'NODE' },
      { header: 'BLOCKS', align: 'right', dropOrder: 1 },
      { header: 'ASSIGNED', align: 'right' },
      { header: 'BORROWED', align: 'right', dropOrder: 2 },
      { header: 'FREE IN OWN BLOCKS', align: 'right' },
    ],
    rows: nodes.map((node) => [
      nodeCell(node),
      groupDigits(node.blocks),
      groupDigits(node.assigned),
      groupDigits(node.borrowed),
      groupDigits(node.freeInOwnBlocks),
    ]),
  };
}

function nodeCell({ name, exists }: NodeUtilization): Cell {
  if (name === undefined) return { text: '(no node)', tone: 'muted' };
  return exists === false ? { text: `${name} (no such node)`, tone: 'problem' } : name;
}

/** Namespaces with the addresses that their workloads hold. */
export function namespaceTable(namespaces: readonly NamespaceUtilization[]): TableSpec {
  return {
    columns: [{ header: 'NAMESPACE' }, { header: 'ASSIGNED', align: 'right' }],
    rows: namespaces.map(({ name, assigned }) => [
      name ?? { text: '(no namespace)', tone: 'muted' },
      groupDigits(assigned),
    ]),
  };
}

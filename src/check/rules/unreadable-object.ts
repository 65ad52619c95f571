import type { ResourceKind } from '../../ipam/model/resource.ts';
import { rule } from '../rule.ts';
import { qualified, quoted } from '../wording.ts';

type UnreadableFacts = {
  readonly kind: ResourceKind;
  readonly namespace?: string | undefined;
  /** Empty when the name is what cannot be read. */
  readonly row: string;
  /** To find a row without readable name. */
  readonly uid?: string | undefined;
  /** What is wrong, as a sentence part. */
  readonly problem: string;
};

/** Kinds of which Kubernetes, not Calico, keeps the rows: their owner recreates them. */
const FOREIGN_KINDS: readonly ResourceKind[] = [
  'Node',
  'Pod',
  'WorkloadEndpoint',
  'Service',
  'VirtualMachine',
  'VirtualMachineInstance',
];

/** A row whose identity or value cannot be read. */
export const unreadableObject = rule<UnreadableFacts>({
  code: 'unreadable-object',
  severity: 'error',
  // Whatever was read may hold such a row; a kind that was not read says nothing about itself.
  needs: [],
  title: 'A row that cannot be read',
  why: 'Without its identity or value a row says nothing about addresses. It takes part in no other rule, and what it may hold is never called leaked.',
  remedy:
    'Look at the row with its own tool, and correct or recreate it; ipamctl does not change what it cannot read.',
  *evaluate(state) {
    for (const { kind, key, node, uid, unreadable } of state.unreadable) {
      yield {
        subject: { kind, name: key.name, namespace: key.namespace, node },
        facts: {
          kind,
          namespace: key.namespace,
          row: key.name,
          uid: key.name === '' ? uid : undefined,
          problem: unreadable,
        },
      };
    }
  },
  reason: (facts) =>
    facts.row === ''
      ? `A row cannot be read, ${rowText(facts)}: ${facts.problem}.`
      : `${rowText(facts)} cannot be read: ${facts.problem}.`,
  remedyFor: (facts) =>
    FOREIGN_KINDS.includes(facts.kind)
      ? `Correct ${rowText(facts)}, or recreate it; until then nothing that it may carry is called leaked.`
      : `Take a copy with \`ipamctl datastore snapshot\`, then correct or delete ${rowText(facts)} by hand; no command of ipamctl changes a row that it cannot read.`,
});

/** The row by its name, or by what else is known of it. */
function rowText({ kind, namespace, row, uid }: UnreadableFacts): string {
  if (row !== '') return `${kind} ${qualified(namespace, row)}`;
  const where = namespace === undefined ? '' : ` in namespace ${namespace}`;
  return `the ${kind} without readable name${where}${uid === undefined ? '' : ` and with uid ${quoted(uid)}`}`;
}

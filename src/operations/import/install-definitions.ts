import type { Definition } from '../../datastore/definitions.ts';
import type { PlanItem } from '../../ipam/plan.ts';
import type { OperationContext } from '../context.ts';
import type { ItemLedger } from '../item-ledger.ts';

/** What the target lacks of the definitions that are to be installed. */
export async function definitionItems(
  { datastore, signal }: OperationContext,
  definitions: readonly Definition[] = [],
): Promise<readonly PlanItem[]> {
  if (definitions.length === 0 || datastore.definitions === undefined) return [];
  const absent = await datastore.definitions.absent(definitions, { signal });
  return absent.map(({ name }) => ({
    action: 'create-object',
    subject: { kind: 'CustomResourceDefinition', name },
    precondition: 'there is none of that name',
    reason: 'the cluster has no such definition',
  }));
}

/** What is installed. */
export interface Installation {
  readonly definitions?: readonly Definition[] | undefined;
  /** The items of those that were not there when it was planned. */
  readonly items: readonly PlanItem[];
  readonly ledger: ItemLedger;
}

/** Installs what the target lacks of the definitions, and waits until all of them are served. */
export async function installDefinitions(
  { datastore, signal, progress }: OperationContext,
  { definitions = [], items, ledger }: Installation,
): Promise<void> {
  if (definitions.length === 0 || datastore.definitions === undefined) return;
  progress.step('installing definitions of custom resources');
  const { installed } = await datastore.definitions.install(definitions, { signal });
  for (const item of items)
    if (installed.includes(item.subject.name)) ledger.applied(item);
    else ledger.kept(item, 'already', 'somebody else has just installed it');
}

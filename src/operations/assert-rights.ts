import type { WritableDatastore, WriteRight } from '../datastore/datastore.ts';
import { AccessDeniedError } from '../errors/access-denied-error.ts';
import type { PlanAction, PlanItem } from '../ipam/plan.ts';
import { rightText } from './denials.ts';

type Rights = readonly WriteRight[];

const right = (verb: WriteRight['verb'], kind: WriteRight['kind']): WriteRight => ({ verb, kind });

const HANDLES: Rights = [right('update', 'IPAMHandle'), right('delete', 'IPAMHandle')];
const CLAIM: Rights = [right('update', 'IPAMBlock'), right('update', 'BlockAffinity')];
const POOLS: Rights = [right('update', 'IPPool')];
const CLUSTER: Rights = [right('update', 'ClusterInformation')];
const RENAME_ROW: Rights = [right('create', 'BlockAffinity'), right('update', 'BlockAffinity')];

/** What each action writes; those of commands that ask for themselves are absent. */
const RIGHTS: Readonly<Partial<Record<PlanAction, Rights>>> = {
  'release-address': [right('update', 'IPAMBlock'), ...HANDLES],
  'delete-handle': [right('delete', 'IPAMHandle')],
  'create-handle': [right('create', 'IPAMHandle')],
  'set-handle-count': HANDLES,
  'confirm-affinity': CLAIM,
  'create-affinity': [right('create', 'BlockAffinity'), ...CLAIM],
  'delete-affinity': [right('delete', 'BlockAffinity')],
  'label-affinity': [right('update', 'BlockAffinity')],
  'delete-block': [
    right('update', 'BlockAffinity'),
    right('delete', 'IPAMBlock'),
    right('delete', 'BlockAffinity'),
  ],
  'collect-cooled': [right('update', 'IPAMBlock')],
  'assign-address': [
    right('get', 'IPAMBlock'),
    right('get', 'BlockAffinity'),
    right('get', 'IPAMHandle'),
    right('create', 'IPAMBlock'),
    right('create', 'BlockAffinity'),
    right('create', 'IPAMHandle'),
    right('update', 'IPAMHandle'),
    ...CLAIM,
  ],
  'restore-address': [
    right('update', 'IPAMBlock'),
    right('create', 'IPAMHandle'),
    right('update', 'IPAMHandle'),
  ],
  'create-pool': [right('create', 'IPPool')],
  'disable-pool': POOLS,
  'enable-pool': POOLS,
  'delete-pool': [...POOLS, right('delete', 'IPPool')],
  'set-configuration': [right('create', 'IPAMConfig'), right('update', 'IPAMConfig')],
  lock: CLUSTER,
  unlock: CLUSTER,
  'rename-block': [right('update', 'IPAMBlock'), ...CLUSTER],
  'rename-affinity': [...RENAME_ROW, right('delete', 'BlockAffinity'), ...CLUSTER],
  'rename-handle': [right('create', 'IPAMHandle'), ...HANDLES, ...CLUSTER],
};

/**
 * Asks, before anything is written, whether the user may write all that a plan needs, where the datastore can tell.
 * @throws {@link AccessDeniedError} naming everything that is missing.
 */
export async function assertRights(
  datastore: WritableDatastore,
  items: readonly PlanItem[],
  signal: AbortSignal,
): Promise<void> {
  await assertAllowed(datastore, rightsOf(items), signal);
}

/**
 * Asks, before anything is written, whether the user has these rights, where the datastore can tell.
 * @throws {@link AccessDeniedError} naming everything that is missing.
 */
export async function assertAllowed(
  datastore: WritableDatastore,
  rights: readonly WriteRight[],
  signal: AbortSignal,
): Promise<void> {
  if (rights.length === 0 || datastore.missingRights === undefined) return;
  const denied = await datastore.missingRights(rights, { signal });
  if (denied.length === 0) return;
  throw new AccessDeniedError(`access denied: ${denied.map(rightText).join(', ')}`, {
    hint: 'ask for these rights, or use an account that has them; nothing was written',
    details: { denied },
  });
}

/** Each verb and kind of what a plan writes, once. */
export function rightsOf(items: readonly PlanItem[]): Rights {
  const actions = new Set(
    items.flatMap(({ action, kept }) => (action === undefined || kept !== undefined ? [] : action)),
  );
  const found = new Map<string, WriteRight>();
  for (const action of actions) {
    for (const one of RIGHTS[action] ?? []) found.set(`${one.verb} ${one.kind}`, one);
  }
  return [...found.values()];
}

import { ConflictError } from '../errors/conflict-error.ts';
import { DataError } from '../errors/data-error.ts';
import { EngineError } from '../errors/engine-error.ts';
import { PreconditionError } from '../errors/precondition-error.ts';
import { assertSettings, type SettingBounds } from '../ipam/allocator/config-rules.ts';
import { CONFIG_NAME, DEFAULT_IPAM_CONFIG, type IpamConfigRow } from '../ipam/model/ipam-config.ts';
import type { PlanItem } from '../ipam/plan.ts';
import {
  assertBounds,
  boundsOf,
  type ConfigureOptions,
  type SettingChanges,
} from './configure/configure-options.ts';
import { consequencesOf } from './configure/consequences.ts';
import type { OperationContext } from './context.ts';
import { assertVersion } from './guards.ts';
import { loadClusterState } from './load-cluster-state.ts';
import { type Mutation, mutationOf } from './mutation.ts';
import { RowAccess } from './row-access.ts';
import { withRetries } from './with-retries.ts';
import type { Writer } from './writer.ts';

const KEY = { name: CONFIG_NAME };

/** Taking the configuration away is all that a reset does. */
const REMOVAL = [{ verb: 'delete', kind: 'IPAMConfig' }] as const;

const SETTINGS = [
  'strictAffinity',
  'autoAllocateBlocks',
  'maxBlocksPerHost',
  'kubeVirtVMAddressPersistence',
  'ipCooldownSeconds',
] as const;

/**
 * Plans to change the IPAM configuration, or to take it away. What is not named keeps its stored value, or the built-in
 * one; nothing is written when nothing changes.
 * @throws {@link UsageError} for a value out of bounds, {@link PreconditionError} for settings that contradict each other.
 */
export async function planConfigure(
  context: OperationContext,
  { changes, isMismatchAllowed, history }: ConfigureOptions,
): Promise<Mutation> {
  const state = await loadClusterState(context, { kinds: ['ClusterInformation', 'IPAMConfig'] });
  assertVersion(state, isMismatchAllowed);
  if (!state.isLoaded('IPAMConfig')) {
    throw new DataError('the IPAM configuration is not part of this source', {
      hint: 'take a dump that holds IPAMConfig (or IPAMConfiguration) objects too, even if there are none',
    });
  }
  const access = new RowAccess(context);
  const row = await access.read('IPAMConfig', KEY);
  const bounds = await boundsIn(context, row);
  if (changes) assertBounds(changes, bounds);
  const wanted = wantedRow(row, changes, bounds);
  const item = itemOf(row, wanted);
  const notes =
    item.kept === undefined
      ? await consequencesOf(context, row ?? DEFAULT_IPAM_CONFIG, wanted ?? DEFAULT_IPAM_CONFIG)
      : [];
  return mutationOf({
    context,
    state,
    command: 'ipam configure',
    items: [item],
    notes,
    rights: changes === undefined && item.kept === undefined ? REMOVAL : undefined,
    history,
    run: async ({ ledger, writer }) => {
      if (item.kept !== undefined) return;
      const isWritten = await withRetries(context, async (attempt) => {
        const current = attempt === 1 ? row : await access.read('IPAMConfig', KEY);
        return write(writer, current, wantedRow(current, changes, bounds));
      });
      if (isWritten) ledger.applied(item);
      else ledger.kept(item, 'already', 'somebody else has just made it so');
    },
  });
}

/** The API group as the connection, the stored configuration or, in a dump, the cluster information tells it. */
async function boundsIn(
  { datastore, signal }: OperationContext,
  row: IpamConfigRow | undefined,
): Promise<SettingBounds> {
  const { form } = datastore.keys;
  const { apiGroup } = datastore.describe();
  if (apiGroup !== undefined) return boundsOf(apiGroup, form);
  const object =
    row?.object ?? (await datastore.get('ClusterInformation', KEY, { signal }))?.object;
  const apiVersion = object?.['apiVersion'];
  return boundsOf(typeof apiVersion === 'string' ? apiVersion : undefined, form);
}

/** The row to store; undefined for none. @throws {@link PreconditionError} when its settings contradict each other. */
function wantedRow(
  row: IpamConfigRow | undefined,
  changes: SettingChanges | undefined,
  bounds: SettingBounds,
): IpamConfigRow | undefined {
  if (changes === undefined) return undefined;
  const stored: IpamConfigRow = row ?? { kind: 'IPAMConfig', key: KEY, ...DEFAULT_IPAM_CONFIG };
  const isPersistenceNamed = changes.kubeVirtVMAddressPersistence !== undefined;
  const wanted: IpamConfigRow = {
    ...stored,
    ...changes,
    persistenceUnset:
      isPersistenceNamed &&
      stored.kubeVirtVMAddressPersistence !== changes.kubeVirtVMAddressPersistence
        ? undefined
        : stored.persistenceUnset,
  };
  assertConsistent(wanted, bounds);
  if (row === undefined && isSame(stored, wanted)) return undefined;
  return wanted;
}

function assertConsistent(wanted: IpamConfigRow, bounds: SettingBounds): void {
  try {
    assertSettings(wanted, bounds);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw new PreconditionError(error.message, { hint: hintOf(error), cause: error });
  }
}

function hintOf({ category }: EngineError): string {
  if (category === 'config-limit-without-strict')
    return 'add --strictaffinity=true, or --max-blocks-per-host=0 for the limit that is built in';
  if (category === 'config-neither-strict-nor-automatic')
    return 'add --auto-allocate-blocks=true or --strictaffinity=true';
  return 'set that field too: its stored value is out of bounds';
}

function itemOf(row: IpamConfigRow | undefined, wanted: IpamConfigRow | undefined): PlanItem {
  const subject = { kind: 'IPAMConfig', name: CONFIG_NAME } as const;
  const item = { action: 'set-configuration', subject } as const;
  const before = row ?? DEFAULT_IPAM_CONFIG;
  const changed = SETTINGS.filter(
    (name) => before[name] !== (wanted ?? DEFAULT_IPAM_CONFIG)[name],
  ).map((name) => `${name} ${before[name]} -> ${(wanted ?? DEFAULT_IPAM_CONFIG)[name]}`);
  if (isSettled(row, wanted))
    return { ...item, precondition: '', reason: 'it is so already', kept: 'already' };
  const precondition = row ? 'as it was read' : 'there is none';
  if (wanted) return { ...item, precondition, reason: changed.join(', ') };
  const effect = changed.length === 0 ? 'no value changes' : changed.join(', ');
  return {
    ...item,
    precondition,
    reason: `the row is deleted, the built-in values hold: ${effect}`,
  };
}

/** Whether the datastore holds what is wanted. */
function isSettled(row: IpamConfigRow | undefined, wanted: IpamConfigRow | undefined): boolean {
  return row === undefined || wanted === undefined ? row === wanted : isSame(row, wanted);
}

function isSame(a: IpamConfigRow, b: IpamConfigRow): boolean {
  return SETTINGS.every((name) => a[name] === b[name]);
}

async function write(
  writer: Writer,
  row: IpamConfigRow | undefined,
  wanted: IpamConfigRow | undefined,
): Promise<boolean> {
  if (isSettled(row, wanted)) return false;
  const purpose = { action: 'set-configuration' } as const;
  if (row === undefined && wanted) await writer.create(wanted, purpose);
  else if (row && wanted) await writer.update(row, wanted, purpose);
  else if (row) await writer.remove(row, purpose);
  else throw new ConflictError('the configuration changed in between');
  return true;
}

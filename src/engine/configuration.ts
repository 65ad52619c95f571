import { ConflictError } from '../errors/conflict-error.ts';
import { AlreadyExistsError } from '../errors/already-exists-error.ts';
import {
  assertSettings,
  type IpamSettings,
  NEWER_GROUP_BOUNDS,
  OLDER_GROUP_BOUNDS,
  type SettingBounds,
} from '../ipam/allocator/config-rules.ts';
import { CONFIG_NAME, DEFAULT_IPAM_CONFIG, type IpamConfigRow } from '../ipam/model/ipam-config.ts';
import type { EngineContext } from './engine-context.ts';
import type { RowStore } from './row-store.ts';

const NEWER_GROUP = 'projectcalico.org/';

/**
 * The stored settings as they are, or Calico's defaults where there are none. Reading writes nothing, and settings that
 * contradict each other are given as they are.
 */
export async function readSettings({ store }: EngineContext): Promise<IpamSettings> {
  const row = await store.config();
  return row ? settingsOf(row) : DEFAULT_IPAM_CONFIG;
}

/**
 * Stores settings under the revision that was read; equal ones are not written.
 *
 * @throws {@link EngineError} for settings that are refused; {@link ConflictError} when somebody else was faster.
 * Source: Calico libcalico-go lib/ipam, SetIPAMConfig.
 */
export async function writeSettings(
  { store }: EngineContext,
  settings: IpamSettings,
): Promise<void> {
  const row = await store.config();
  if (row && isSame(settingsOf(row), settings)) return;
  assertSettings(settings, boundsOf(store));
  if (row) {
    await store.writeConfig(withSettings(row, settings));
    return;
  }
  const fresh: IpamConfigRow = {
    kind: 'IPAMConfig',
    key: { name: CONFIG_NAME },
    ...DEFAULT_IPAM_CONFIG,
  };
  try {
    await store.createConfig(withSettings(fresh, settings));
  } catch (error) {
    if (!(error instanceof AlreadyExistsError)) throw error;
    throw new ConflictError('the configuration was made by somebody else in between', {
      cause: error,
    });
  }
}

function settingsOf(row: IpamConfigRow): IpamSettings {
  const { strictAffinity, autoAllocateBlocks, maxBlocksPerHost, ipCooldownSeconds } = row;
  const kubeVirtVMAddressPersistence =
    row.persistenceUnset === true ? undefined : row.kubeVirtVMAddressPersistence;
  return {
    strictAffinity,
    autoAllocateBlocks,
    maxBlocksPerHost,
    kubeVirtVMAddressPersistence,
    ipCooldownSeconds,
  };
}

function withSettings(row: IpamConfigRow, settings: IpamSettings): IpamConfigRow {
  const { strictAffinity, autoAllocateBlocks, maxBlocksPerHost, ipCooldownSeconds } = settings;
  const persistence = settings.kubeVirtVMAddressPersistence;
  return {
    ...row,
    ...{ strictAffinity, autoAllocateBlocks, maxBlocksPerHost, ipCooldownSeconds },
    kubeVirtVMAddressPersistence: persistence ?? 'Enabled',
    persistenceUnset: persistence === undefined,
  };
}

function isSame(a: IpamSettings, b: IpamSettings): boolean {
  return (
    a.strictAffinity === b.strictAffinity &&
    a.autoAllocateBlocks === b.autoAllocateBlocks &&
    a.maxBlocksPerHost === b.maxBlocksPerHost &&
    a.ipCooldownSeconds === b.ipCooldownSeconds &&
    a.kubeVirtVMAddressPersistence === b.kubeVirtVMAddressPersistence
  );
}

/** A refusal by the server's schema is told before the request; etcd takes everything. */
function boundsOf({ keys, apiGroup }: RowStore): SettingBounds | undefined {
  if (keys.form === 'entry') return undefined;
  return apiGroup?.startsWith(NEWER_GROUP) === true ? NEWER_GROUP_BOUNDS : OLDER_GROUP_BOUNDS;
}

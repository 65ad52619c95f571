import { EngineError } from '../../errors/engine-error.ts';
import type { IpamConfigRow } from '../model/ipam-config.ts';

/** Settings of IPAM as they are read and written. */
export interface IpamSettings extends Pick<
  IpamConfigRow,
  'strictAffinity' | 'autoAllocateBlocks' | 'maxBlocksPerHost' | 'ipCooldownSeconds'
> {
  /** Undefined where the row leaves it out, which means enabled. */
  readonly kubeVirtVMAddressPersistence?: 'Enabled' | 'Disabled' | undefined;
}

/** Largest values that a schema of Kubernetes lets through; etcd has none. */
export interface SettingBounds {
  readonly maxBlocksPerHost: number;
  readonly ipCooldownSeconds: number;
}

/** Bounds of the older group's schema. */
export const OLDER_GROUP_BOUNDS: SettingBounds = {
  maxBlocksPerHost: 2 ** 31 - 1,
  ipCooldownSeconds: 1200,
};

/** Bounds of the newer group's schema. */
export const NEWER_GROUP_BOUNDS: SettingBounds = {
  maxBlocksPerHost: 1_000_000,
  ipCooldownSeconds: 1200,
};

/**
 * Refuses settings that contradict each other, or that the datastore would refuse.
 *
 * @throws {@link EngineError} `config-neither-strict-nor-automatic`, `config-limit-without-strict`, `refused-by-schema`
 * Source: Calico libcalico-go lib/ipam, SetIPAMConfig, and the schemas of its custom resources.
 */
export function assertSettings(settings: IpamSettings, bounds: SettingBounds | undefined): void {
  if (!settings.strictAffinity && !settings.autoAllocateBlocks) {
    throw new EngineError(
      'config-neither-strict-nor-automatic',
      'strict affinity and the automatic allocation of blocks cannot both be off',
    );
  }
  if (settings.maxBlocksPerHost > 0 && !settings.strictAffinity) {
    throw new EngineError(
      'config-limit-without-strict',
      'a limit of blocks per host needs strict affinity',
    );
  }
  if (!bounds) return;
  for (const name of ['maxBlocksPerHost', 'ipCooldownSeconds'] as const) {
    const value = settings[name];
    if (Number.isInteger(value) && value >= 0 && value <= bounds[name]) continue;
    throw new EngineError(
      'refused-by-schema',
      `${name} has to be between 0 and ${bounds[name]}, not ${value}`,
      {
        details: { field: name, value },
      },
    );
  }
}

import type { RowHead } from './resource.ts';

/** The IPAM configuration, with Calico's defaults filled in for absent fields of an existing row. */
export interface IpamConfigRow extends RowHead {
  readonly kind: 'IPAMConfig';
  readonly strictAffinity: boolean;
  readonly autoAllocateBlocks: boolean;
  /** 0 means Calico's own limit, see {@link DEFAULT_MAX_BLOCKS_PER_HOST}. */
  readonly maxBlocksPerHost: number;
  readonly kubeVirtVMAddressPersistence: 'Enabled' | 'Disabled';
  /** True when the row leaves the persistence out, which reads as enabled; Calico keeps the two apart. */
  readonly persistenceUnset?: boolean | undefined;
  /** Seconds, 0..1200. */
  readonly ipCooldownSeconds: number;
}

/** Name of the only configuration object that Calico reads. */
export const CONFIG_NAME = 'default';

/** Blocks per host and IP version where the configuration sets no limit. */
export const DEFAULT_MAX_BLOCKS_PER_HOST = 20;

/** What holds when there is no configuration object. */
export const DEFAULT_IPAM_CONFIG = {
  strictAffinity: false,
  autoAllocateBlocks: true,
  maxBlocksPerHost: 0,
  kubeVirtVMAddressPersistence: 'Enabled',
  ipCooldownSeconds: 0,
} as const;

import type { DocumentHead } from '../outcome.ts';

/** `IPAMConfiguration`: the document of `ipam show --show-configuration`, with the names of the stored fields. */
export interface ConfigurationDocument extends DocumentHead<'IPAMConfiguration'> {
  readonly configuration: {
    readonly strictAffinity: boolean;
    readonly autoAllocateBlocks: boolean;
    readonly maxBlocksPerHost: number;
    readonly kubeVirtVMAddressPersistence: string;
    readonly ipCooldownSeconds: number;
  };
  /** False when no object is stored and the built-in values hold. */
  readonly stored: boolean;
}

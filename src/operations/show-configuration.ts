import { DataError } from '../errors/data-error.ts';
import { CONFIG_NAME, DEFAULT_IPAM_CONFIG } from '../ipam/model/ipam-config.ts';
import type { ClusterState } from '../ipam/state/cluster-state.ts';
import type { OperationContext } from './context.ts';
import { documentSource } from './document-source.ts';
import type { ConfigurationDocument } from './documents/configuration-document.ts';
import { loadClusterState } from './load-cluster-state.ts';
import type { Outcome } from './outcome.ts';

/**
 * Tells the IPAM configuration that holds: the stored one with defaults filled in, or the built-in one.
 * @throws {@link DataError} when the configuration was not read or cannot be read, so that nobody knows what holds.
 */
export async function showConfiguration(
  context: OperationContext,
): Promise<Outcome<ConfigurationDocument>> {
  const state = await loadClusterState(context, { kinds: ['ClusterInformation', 'IPAMConfig'] });
  assertReadable(state);
  const {
    strictAffinity,
    autoAllocateBlocks,
    maxBlocksPerHost,
    kubeVirtVMAddressPersistence,
    ipCooldownSeconds,
  } = state.config ?? DEFAULT_IPAM_CONFIG;
  const document: ConfigurationDocument = {
    kind: 'IPAMConfiguration',
    schemaVersion: 1,
    source: documentSource(context, state),
    configuration: {
      strictAffinity,
      autoAllocateBlocks,
      maxBlocksPerHost,
      kubeVirtVMAddressPersistence,
      ipCooldownSeconds,
    },
    stored: state.config !== undefined,
  };
  return { document, verdict: 'ok' };
}

function assertReadable(state: ClusterState): void {
  if (!state.isLoaded('IPAMConfig')) {
    throw new DataError(
      'the IPAM configuration is not part of this snapshot, so what holds is not known',
      {
        hint: 'Take the snapshot again with IPAMConfig (or IPAMConfiguration) objects.',
      },
    );
  }
  const damaged = state.unreadable.find(
    (row) => row.kind === 'IPAMConfig' && row.key.name === CONFIG_NAME,
  );
  if (damaged) throw new DataError(`the IPAM configuration cannot be read: ${damaged.unreadable}`);
}

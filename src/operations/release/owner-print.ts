import type { BlockAttribute } from '../../ipam/model/block.ts';
import type { Allocation } from '../../ipam/state/cluster-state.ts';

/**
 * What an allocation records of its owner, as one text: equal texts mean the same owner. A sequence number does not tell
 * when the owner of an address changes, as in a live migration.
 */
export function ownerPrint(allocation: Allocation): string {
  const { pod, namespace, nodeAttribute, type, service, machine, timestamp, alternate } =
    allocation;
  return print([
    pod,
    namespace,
    nodeAttribute,
    type,
    service,
    machine,
    timestamp,
    alternate?.pod,
    alternate?.namespace,
  ]);
}

/** The same of a stored attribute record. */
export function attributePrint({ owner, alternateOwner }: BlockAttribute): string {
  const names = ['pod', 'namespace', 'node', 'type', 'service', 'vmi-name', 'timestamp'];
  return print([
    ...names.map((name) => owner[name]),
    alternateOwner?.['pod'],
    alternateOwner?.['namespace'],
  ]);
}

function print(parts: readonly (string | undefined)[]): string {
  return JSON.stringify(parts.map((part) => part ?? ''));
}

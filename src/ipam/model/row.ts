import type { AffinityRow } from './affinity.ts';
import type { BlockRow } from './block.ts';
import type { ClusterInformationRow, ControllersConfigurationRow } from './cluster-information.ts';
import type { HandleRow } from './handle.ts';
import type { IpamConfigRow } from './ipam-config.ts';
import type { NodeRow } from './node.ts';
import type { PoolRow } from './pool.ts';
import type { ReservationRow } from './reservation.ts';
import type { UnreadableRow } from './resource.ts';
import type { ServiceRow } from './service.ts';
import type { MachineRow } from './virtual-machine.ts';
import type { PodRow, WorkloadEndpointRow } from './workload-endpoint.ts';

/** A readable row of any kind. */
export type ReadableRow =
  | AffinityRow
  | BlockRow
  | ClusterInformationRow
  | ControllersConfigurationRow
  | HandleRow
  | IpamConfigRow
  | NodeRow
  | PoolRow
  | ReservationRow
  | ServiceRow
  | MachineRow
  | PodRow
  | WorkloadEndpointRow;

/** A short-lived decoded record, readable or not. */
export type Row = ReadableRow | UnreadableRow;

/** Whether a row could be read. */
export function isReadable(row: Row): row is ReadableRow {
  return !('unreadable' in row);
}

import type { MachineRow } from '../../ipam/model/virtual-machine.ts';
import { type ObjectHead, rowHead } from './object-head.ts';

/** Makes the row of a KubeVirt machine, of which only its being there counts. */
export function machineRow(head: ObjectHead, kind: MachineRow['kind']): MachineRow {
  return { ...rowHead(head), kind };
}

import type { RowHead } from './resource.ts';

/** A KubeVirt VirtualMachine or VirtualMachineInstance; being there is all that counts. */
export interface MachineRow extends RowHead {
  readonly kind: 'VirtualMachine' | 'VirtualMachineInstance';
}

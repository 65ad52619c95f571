import type { ResourceKind } from '../ipam/model/resource.ts';

/** Everything that shows who carries an address, and what decides which Services count. */
export const EVIDENCE_KINDS: readonly ResourceKind[] = [
  'KubeControllersConfiguration',
  'Node',
  'Pod',
  'WorkloadEndpoint',
  'Service',
  'VirtualMachine',
  'VirtualMachineInstance',
];

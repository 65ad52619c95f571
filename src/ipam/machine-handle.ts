import { createHash } from 'node:crypto';

/** What stands between the network and the machine in the handle of a KubeVirt address. */
export const MACHINE_INFIX = '.vmi.';

/** Longest handle that Calico makes for a machine. */
const LONGEST = 128;

/**
 * Handle of the addresses of a KubeVirt machine on one network; long ones are shortened with a hash.
 * Source: Calico libcalico-go lib/ipam, handle of a VM allocation.
 */
export function machineHandle(network: string, namespace: string, name: string): string {
  const prefix = `${network || 'k8s-pod-network'}${MACHINE_INFIX}`;
  const suffix = `${namespace}.${name}`;
  const whole = prefix + suffix;
  if (whole.length < LONGEST || (whole.length === LONGEST && !suffix.startsWith('_'))) return whole;
  const hash = createHash('sha256').update(suffix).digest('base64url');
  return prefix + `_${hash}`.slice(0, Math.max(0, LONGEST - prefix.length));
}

/** Every network that a machine's handle may name: a network may itself hold the infix. Empty for other handles. */
export function networksOfHandle(handleId: string): readonly string[] {
  const networks: string[] = [];
  for (
    let at = handleId.indexOf(MACHINE_INFIX);
    at >= 0;
    at = handleId.indexOf(MACHINE_INFIX, at + 1)
  )
    networks.push(handleId.slice(0, at));
  return networks;
}

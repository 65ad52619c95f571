import { assertNever } from '../../support/assert-never.ts';
import { LOAD_BALANCER_AFFINITY, WINDOWS_HANDLE } from '../model/block.ts';
import type { PoolUse } from '../model/pool.ts';

/** What an allocation serves. The first three are uses that a pool may allow, the others are pseudo-uses. */
export const ALLOCATION_KINDS = [
  'Workload',
  'Tunnel',
  'LoadBalancer',
  'WindowsReserved',
  'Unknown',
] as const;

/** One of {@link ALLOCATION_KINDS}. */
export type AllocationKind = (typeof ALLOCATION_KINDS)[number];

/**
 * Every `type` attribute that some part of Calico writes. {@link kindOfType} must name a kind for each: a type that is
 * added here without one does not compile.
 * Source: Calico libcalico-go lib/ipam attribute constants; `LoadBalancer` is the Service type of Kubernetes.
 */
export const ALLOCATION_TYPES = [
  'ipipTunnelAddress',
  'vxlanTunnelAddress',
  'vxlanV6TunnelAddress',
  'wireguardTunnelAddress',
  'wireguardV6TunnelAddress',
  'LoadBalancer',
] as const;

/** One of {@link ALLOCATION_TYPES}. */
export type AllocationType = (typeof ALLOCATION_TYPES)[number];

/** Whether the text is a type that Calico writes; case matters. */
export function isAllocationType(type: string): type is AllocationType {
  return (ALLOCATION_TYPES as readonly string[]).includes(type);
}

/** The use that an allocation of this type serves. */
export function kindOfType(type: AllocationType): PoolUse {
  switch (type) {
    case 'ipipTunnelAddress':
    case 'vxlanTunnelAddress':
    case 'vxlanV6TunnelAddress':
    case 'wireguardTunnelAddress':
    case 'wireguardV6TunnelAddress':
      return 'Tunnel';
    case 'LoadBalancer':
      return 'LoadBalancer';
    default:
      return assertNever(type);
  }
}

/** What decides the kind of an allocation. */
export interface KindFacts {
  /** Raw affinity text of the block. */
  readonly blockAffinity: string | undefined;
  /** Raw handle id; undefined when none was recorded, which differs from an empty one. */
  readonly handle: string | undefined;
  /** `type` owner attribute. */
  readonly type: string | undefined;
  /** Whether there are no active owner attributes at all. */
  readonly ownerIsEmpty: boolean;
}

/**
 * Kind of an assigned allocation; the first reason wins. Not for cooling ones, whose facts are cleared.
 * Source: Calico libcalico-go lib/ipam/accounting allocation.go, Kind.
 */
export function kindOfAllocation(facts: KindFacts): AllocationKind {
  if (isWindowsHandle(facts.handle)) return 'WindowsReserved';
  if (facts.blockAffinity === LOAD_BALANCER_AFFINITY) return 'LoadBalancer';
  if (!facts.type) return facts.ownerIsEmpty && facts.handle === undefined ? 'Tunnel' : 'Workload';
  return isAllocationType(facts.type) ? kindOfType(facts.type) : 'Unknown';
}

/** Whether the handle marks an address that a Windows node reserves; case does not matter. */
export function isWindowsHandle(handle: string | undefined): boolean {
  return (
    handle !== undefined &&
    handle.length === WINDOWS_HANDLE.length &&
    handle.toLowerCase() === WINDOWS_HANDLE
  );
}

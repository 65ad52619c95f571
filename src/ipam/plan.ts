import type { ResourceKind } from './model/resource.ts';

/** What an item of a plan does. Released names never change meaning. */
export const PLAN_ACTIONS = [
  'release-address',
  'delete-handle',
  'create-handle',
  'set-handle-count',
  'confirm-affinity',
  'create-affinity',
  'delete-affinity',
  'label-affinity',
  'delete-block',
  'collect-cooled',
  'purge-deleted',
  'assign-address',
  'restore-address',
  'create-pool',
  'disable-pool',
  'enable-pool',
  'delete-pool',
  'set-configuration',
  'lock',
  'unlock',
  'rename-block',
  'rename-affinity',
  'rename-handle',
  'create-object',
  'update-node',
] as const;

/** One of {@link PLAN_ACTIONS}. */
export type PlanAction = (typeof PLAN_ACTIONS)[number];

/** Kinds of Calico that are written as whole objects only; no row of them is read. */
export type WholeObjectKind =
  | 'BGPPeer'
  | 'Tier'
  | 'GlobalNetworkPolicy'
  | 'StagedGlobalNetworkPolicy'
  | 'GlobalNetworkSet'
  | 'HostEndpoint'
  | 'NetworkPolicy'
  | 'StagedNetworkPolicy'
  | 'StagedKubernetesNetworkPolicy'
  | 'NetworkSet'
  | 'BGPConfiguration'
  | 'FelixConfiguration'
  | 'BGPFilter'
  | 'CalicoNodeStatus';

/** What an item is about, in the form of a finding's subject. Addresses and prefixes are canonical text. */
export interface PlanSubject {
  readonly kind: ResourceKind | WholeObjectKind | 'Address' | 'CustomResourceDefinition';
  /** Name of the row, or the address itself for kind `Address`. */
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly address?: string | undefined;
  readonly cidr?: string | undefined;
  readonly node?: string | undefined;
  readonly handle?: string | undefined;
}

/**
 * Why an item is left alone. `already`: the wanted state was there. `harmless` skips leave the exit status as it is; a
 * `refusal` was asked for and kept for safety; `unjudged` lacked evidence.
 */
export type KeptAs = 'already' | 'harmless' | 'refusal' | 'unjudged';

/** One change of a plan, or one thing that was looked at and is left alone. */
export interface PlanItem {
  /** Absent for what no command of this sort changes. */
  readonly action?: PlanAction | undefined;
  readonly subject: PlanSubject;
  /** Rule whose finding it remedies. */
  readonly code?: string | undefined;
  /** What must still hold when it is written; empty for what is left alone. */
  readonly precondition: string;
  /** Why it is done, or why it is left alone. */
  readonly reason: string;
  /** Set for what is left alone. */
  readonly kept?: KeptAs | undefined;
}

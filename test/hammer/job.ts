/** What the parent and its workers say to each other. */
import type { BlockOwner } from '../../src/ipam/block-owner.ts';
import type { Family } from '../../src/net/address.ts';

/** An address that is held, as far as a worker needs it. */
export interface HeldAddress {
  readonly address: string;
  /** Prefix of its block. */
  readonly block: string;
  readonly handle: string;
}

/** What an address is for. */
export type Use = 'Workload' | 'LoadBalancer';

/** Owns the blocks from which Services get addresses; no node. */
export const BALANCER: BlockOwner = { type: 'virtual', host: 'load-balancer' };

/** What a worker is to do. */
export type Task =
  | {
      readonly op: 'assign';
      readonly host: string;
      readonly handle: string;
      readonly tag: string;
      readonly count: number;
      readonly family: Family;
      readonly use: Use;
    }
  | {
      readonly op: 'assign-given';
      readonly host: string;
      readonly handle: string;
      readonly tag: string;
      readonly address: string;
      readonly use: Use;
    }
  | {
      readonly op: 'release';
      readonly held: readonly HeldAddress[];
      /** Whether the numbers of the addresses go along. */
      readonly isNumbered: boolean;
    }
  | { readonly op: 'release-handle'; readonly handle: string }
  | {
      readonly op: 'change-owner';
      readonly held: HeldAddress;
      readonly tag: string;
      readonly host: string;
      /** Name of the pod that owns it now, and of the one that shall. */
      readonly from: string;
      readonly to: string;
      /** The owner is expected to be somebody else, so that the engine has to refuse. */
      readonly isWrong: boolean;
    }
  | { readonly op: 'claim'; readonly host: string; readonly block: string }
  | {
      readonly op: 'give-up';
      readonly host: string;
      /** All blocks of the host when absent. */
      readonly block?: string | undefined;
      readonly mustBeEmpty: boolean;
    };

/** A task as it is sent. */
export interface Job {
  readonly id: number;
  readonly task: Task;
  /** The worker kills itself after so many writes of this job, before their answers are seen; never when absent. */
  readonly dieAfterWrites?: number | undefined;
}

/** How a task failed. */
export interface JobError {
  /** Category of the engine, or code of the error. */
  readonly code: string;
  readonly message: string;
  /** Nothing that the rows or the datastore explain. */
  readonly isBug: boolean;
}

/** What a worker answers. */
export interface JobResult {
  readonly id: number;
  /** Assigned, or done with in a release. */
  readonly addresses: readonly string[];
  readonly error?: JobError | undefined;
  readonly conflicts: number;
  /** Answers that were lost, or requests that were not sent: the engine cannot know what was stored. */
  readonly outages: number;
}

/** How to start a worker. */
export interface WorkerSetup {
  readonly kubeconfig: string;
  readonly seed: number;
  readonly faults: FaultRates;
}

/** Probabilities of faults for each write. */
export interface FaultRates {
  /** A conflict is reported though there was none. */
  readonly conflict: number;
  /** Somebody else changes the row just before. */
  readonly interference: number;
  /** The request, or its answer, is lost. */
  readonly outage: number;
}

/** Attribute by which an address tells for which task it was assigned. */
export const TAG = 'ipamctl-hammer';

/** Namespace of all owners. */
export const NAMESPACE = 'hammer';

import type { DocumentHead } from '../outcome.ts';
import type { UnreadablePart } from './unreadable-entry.ts';

/** Who an address belongs to, as far as the allocation or a carrier says. */
export interface AddressOwner {
  readonly kind: 'Pod' | 'Node' | 'Service' | 'VirtualMachine';
  readonly namespace?: string | undefined;
  readonly name: string;
  readonly node?: string | undefined;
  /** Whether it exists and carries or may carry the address; absent when that cannot be known. */
  readonly alive?: boolean | undefined;
}

/** Something alive that shows the address. */
export interface AddressCarrier {
  readonly kind: 'Node' | 'Pod' | 'WorkloadEndpoint' | 'Service';
  readonly namespace?: string | undefined;
  readonly name: string;
  /** Where it runs; absent for nodes and Services. */
  readonly node?: string | undefined;
  /** Marked for deletion, and still alive. */
  readonly terminating?: true | undefined;
  /** RFC 3339; absent where it is not known, and for nodes and Services. */
  readonly createdAt?: string | undefined;
}

/** Two owners of the address, as one look shows them. */
export interface AddressConflict {
  readonly forms: readonly ('two-carriers' | 'two-blocks' | 'other-owner')[];
  /** In a sentence with a final full stop. */
  readonly reason: string;
}

/** One allocation of the address, when several blocks hold it. */
export interface AddressCandidate {
  readonly block: string;
  readonly handle?: string | undefined;
  readonly sequenceNumber: bigint;
  readonly cooling: boolean;
  readonly attributes: Readonly<Record<string, string>>;
}

/** `IPAMAddress`: the document of `ipam show --ip`. */
export interface AddressDocument extends DocumentHead<'IPAMAddress'>, UnreadablePart {
  readonly ip: string;
  readonly allocated: boolean;
  readonly cooling: boolean;
  readonly pool?: string | undefined;
  /** Block that holds it, or that contains it when it is not allocated. */
  readonly block?: string | undefined;
  /** Raw owner of that block. */
  readonly blockAffinity?: string | undefined;
  readonly handle?: string | undefined;
  readonly sequenceNumber?: bigint | undefined;
  readonly attributes: Readonly<Record<string, string>>;
  readonly alternateAttributes?: Readonly<Record<string, string>> | undefined;
  /** RFC 3339, for assigned ones that record it. */
  readonly allocatedAt?: string | undefined;
  /** RFC 3339, for cooling ones. */
  readonly releasedAt?: string | undefined;
  readonly reserved?: boolean | undefined;
  readonly owner?: AddressOwner | undefined;
  /**
   * How an assigned address stands: `carried` by something alive of its own use; `pending` because its owner exists and may
   * show it in a moment; `kept` on purpose; `unknown` for want of evidence; `leaked` when nothing alive of its use has it.
   */
  readonly standing?: 'carried' | 'pending' | 'kept' | 'unknown' | 'leaked' | undefined;
  /** Why it stands so, as a sentence part. */
  readonly standingReason?: string | undefined;
  /** Absent when it has one owner at most. */
  readonly conflict?: AddressConflict | undefined;
  /** Everything alive that shows the address. */
  readonly carriers: readonly string[];
  /** The same with their places and ages; absent when there are none. */
  readonly carriedBy?: readonly AddressCarrier[] | undefined;
  /** More than one when several blocks hold the address. */
  readonly candidates?: readonly AddressCandidate[] | undefined;
}

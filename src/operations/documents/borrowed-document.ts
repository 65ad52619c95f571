import type { DocumentHead } from '../outcome.ts';
import type { UnreadablePart } from './unreadable-entry.ts';

/** One borrowed address. Unknown texts are empty. */
export interface BorrowedAddress {
  readonly ip: string;
  readonly borrowingNode: string;
  readonly block: string;
  /** Owner's name without its type; empty when nobody owns the block. */
  readonly blockOwner: string;
  /** `pod`, `vmi`, or the allocation's own type. */
  readonly type: string;
  /** `namespace/name` of the workload; empty when not known. */
  readonly allocatedTo: string;
}

/** `IPAMBorrowed`: the document of `ipam show --show-borrowed`. */
export interface BorrowedDocument extends DocumentHead<'IPAMBorrowed'>, UnreadablePart {
  readonly borrowed: readonly BorrowedAddress[];
}

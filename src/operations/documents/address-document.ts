import type { DocumentHead } from '../outcome.ts';

/** Who an address belongs to, as far as the allocation or a carrier says. */
export interface AddressOwner {
  readonly kind: 'Pod' | 'Node' | 'Service' | 'VirtualMachine';
  readonly namespace?: string | undefined;
  readonly name: string;
  readonly node?: string | undefined;
  /** Whether it exists and carries or may carry the address; absent when that cannot be known. */
  readonly alive?: boolean | undefined;
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
export interface AddressDocument extends DocumentHead<'IPAMAddress'> {
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
  /** RFC 3339, for cooling ones. */
  readonly releasedAt?: string | undefined;
  readonly reserved?: boolean | undefined;
  readonly owner?: AddressOwner | undefined;
  /** Everything alive that shows the address. */
  readonly carriers: readonly string[];
  /** More than one when several blocks hold the address. */
  readonly candidates?: readonly AddressCandidate[] | undefined;
}

import { allocationSubject } from '../../check/facts.ts';
import {
  type Judgement,
  type JudgementContext,
  judgeAllocation,
} from '../../ipam/accounting/liveness.ts';
import type { ResourceKey } from '../../ipam/model/resource.ts';
import type { KeptAs, PlanItem } from '../../ipam/plan.ts';
import type { Allocation, ClusterState } from '../../ipam/state/cluster-state.ts';
import { type Address, compareAddresses, formatAddress } from '../../net/address.ts';
import { type Cidr, compareCidrs } from '../../net/cidr.ts';
import { ownerPrint } from './owner-print.ts';
import { standingText } from './standing-text.ts';

/** One address to release, and what must still be true when it is written. */
export interface AddressUnit {
  readonly item: PlanItem;
  readonly block: ResourceKey;
  readonly cidr: Cidr;
  readonly ordinal: number;
  readonly address: Address;
  /** Raw handle id; undefined for none. */
  readonly handle: string | undefined;
  /** Cut at the first control character. */
  readonly handleId: string | undefined;
  readonly sequenceNumber: bigint;
  /** What it records of its owner. */
  readonly owner: string;
}

/** What a selector makes of addresses that cannot be released. */
export interface ReleasePolicy {
  /** Takes what was named, whatever holds it, and nothing else. */
  readonly isForced: boolean;
  readonly alive: KeptAs;
  readonly young: KeptAs;
  /** Not judged for want of evidence. */
  readonly unjudged: KeptAs;
  /** Whether an earlier look offered the address too; a handle goes only when all of it was. */
  readonly isOffered?: ((allocation: Allocation) => boolean) | undefined;
}

/** Decides, address by address, what is released and what stays. */
export class ReleasePlanner {
  readonly #state: ClusterState;
  readonly #context: JudgementContext;
  readonly #policy: ReleasePolicy;
  readonly #units = new Map<string, AddressUnit>();
  readonly #kept = new Map<string, { readonly allocation: Allocation; readonly item: PlanItem }>();

  constructor(state: ClusterState, context: JudgementContext, policy: ReleasePolicy) {
    this.#state = state;
    this.#context = context;
    this.#policy = policy;
  }

  /** Takes an address that was asked for, with all addresses of its handle unless it is forced. */
  consider(allocation: Allocation): void {
    const judgement = judgeAllocation(this.#state, allocation, this.#context);
    const kept = this.#keptAs(allocation, judgement);
    if (kept !== undefined) {
      this.keep(allocation, kept.end, kept.reason);
      return;
    }
    this.#release(allocation, judgement, this.#policy.isForced);
    if (this.#policy.isForced) return;
    for (const sibling of this.#siblingsOf(allocation)) {
      this.#release(sibling, judgeAllocation(this.#state, sibling, this.#context), false);
    }
  }

  /** Leaves an address alone. */
  keep(allocation: Allocation, kept: KeptAs, reason: string): void {
    const item: PlanItem = {
      action: 'release-address',
      subject: allocationSubject(allocation),
      precondition: '',
      reason,
      kept,
    };
    this.#kept.set(keyOf(allocation), { allocation, item });
  }

  /** Addresses to release, by address. */
  get units(): readonly AddressUnit[] {
    return [...this.#units.values()].sort(
      (a, b) => compareAddresses(a.address, b.address) || compareCidrs(a.cidr, b.cidr),
    );
  }

  /** Items of all addresses, those that stay among them, by address. */
  get items(): readonly PlanItem[] {
    const released = this.units.map(({ address, item }) => ({ address, item }));
    const kept = [...this.#kept].flatMap(([key, { allocation, item }]) =>
      this.#units.has(key) ? [] : [{ address: allocation.address, item }],
    );
    return [...released, ...kept]
      .sort((a, b) => compareAddresses(a.address, b.address))
      .map(({ item }) => item);
  }

  #keptAs(
    allocation: Allocation,
    judgement: Judgement,
  ): { end: KeptAs; reason: string } | undefined {
    const { alive, young, unjudged, isForced } = this.#policy;
    const reason = standingText(allocation, judgement);
    if (allocation.cooling) return { end: 'already', reason };
    if (judgement.why === 'windows-reserved') return { end: alive, reason };
    if (isForced) return undefined;
    if (!judgement.releasable) {
      if (judgement.missing.length > 0 || judgement.keptBecause === 'evidence-missing')
        return { end: unjudged, reason };
      return { end: this.#isYoung(allocation, judgement) ? young : alive, reason };
    }
    const strange = this.#siblingsOf(allocation).find(
      (sibling) => this.#policy.isOffered?.(sibling) === false,
    );
    if (strange === undefined) return undefined;
    return {
      end: alive,
      reason: `its handle holds ${formatAddress(strange.address)} too, which an earlier look did not offer, and a handle goes whole or not at all`,
    };
  }

  /** Young itself, or held back by nothing but a young address of its handle. */
  #isYoung(allocation: Allocation, { keptBecause }: Judgement): boolean {
    if (keptBecause === 'young') return true;
    if (keptBecause !== 'shares-live-handle') return false;
    return this.#siblingsOf(allocation).every((sibling) => {
      const judgement = judgeAllocation(this.#state, sibling, this.#context);
      return judgement.standing === 'leaked' && judgement.keptBecause !== 'carried-otherwise';
    });
  }

  /** Other addresses of the handle that are not cooling. */
  #siblingsOf(allocation: Allocation): readonly Allocation[] {
    const { handleId } = allocation;
    if (handleId === undefined) return [];
    return this.#state
      .allocationsOf(handleId)
      .filter((sibling) => !sibling.cooling && keyOf(sibling) !== keyOf(allocation));
  }

  #release(allocation: Allocation, judgement: Judgement, isForced: boolean): void {
    const key = keyOf(allocation);
    if (this.#units.has(key)) return;
    const { block, ordinal, address, handle, handleId, sequenceNumber } = allocation;
    const text = standingText(allocation, judgement);
    const item: PlanItem = {
      action: 'release-address',
      subject: allocationSubject(allocation),
      precondition: preconditionOf(allocation),
      reason: isForced && !judgement.releasable ? `forced, although ${text}` : text,
    };
    const owner = ownerPrint(allocation);
    this.#units.set(key, {
      item,
      block: block.key,
      cidr: block.cidr,
      ordinal,
      address,
      handle,
      handleId,
      sequenceNumber,
      owner,
    });
  }
}

function preconditionOf({ handleId, sequenceNumber }: Allocation): string {
  const handle = handleId === undefined ? 'without handle' : `held by handle ${handleId}`;
  return `still ${handle}, with sequence number ${sequenceNumber}`;
}

function keyOf({ block, ordinal }: Allocation): string {
  return `${block.index} ${ordinal}`;
}

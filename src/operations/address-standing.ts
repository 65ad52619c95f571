import { carrierFact } from '../check/facts.ts';
import { conflictAt, conflictReason } from '../check/conflict.ts';
import { judgeAllocation } from '../ipam/accounting/liveness.ts';
import type { Allocation, Carrier, ClusterState } from '../ipam/state/cluster-state.ts';
import type { Address } from '../net/address.ts';
import { formatTime } from '../support/time.ts';
import type { AddressCarrier, AddressDocument } from './documents/address-document.ts';
import { standingText } from './release/standing-text.ts';

/** What is asked about. */
interface Asked {
  readonly address: Address;
  /** The allocation that counts for it. */
  readonly allocation: Allocation | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** How an address stands, by the same judgements as a check: who carries it, whether it is leaked or in conflict. */
export function standingPart(
  state: ClusterState,
  { address, allocation, now }: Asked,
): Pick<AddressDocument, 'standing' | 'standingReason' | 'conflict' | 'carriedBy'> {
  const conflict = conflictAt(state, address, { now, minAgeMs: 0 });
  const carriers = state.carriersOf(address);
  return {
    ...(allocation === undefined || allocation.cooling ? {} : stand(state, allocation, now)),
    ...(conflict ? { conflict: { forms: conflict.forms, reason: conflictReason(conflict) } } : {}),
    ...(carriers.length === 0
      ? {}
      : { carriedBy: carriers.map((carrier) => carrierOf(state, carrier)) }),
  };
}

function stand(
  state: ClusterState,
  allocation: Allocation,
  now: number,
): Pick<AddressDocument, 'standing' | 'standingReason'> {
  const judgement = judgeAllocation(state, allocation, { now, minAgeMs: 0 });
  return {
    standing: judgement.standing,
    standingReason: standingText(allocation, judgement),
  };
}

function carrierOf(state: ClusterState, carrier: Carrier): AddressCarrier {
  const { kind, namespace, name, node, terminating } = carrierFact(carrier);
  const createdAt = kind === 'Pod' ? state.pod(namespace ?? '', name)?.createdAt : undefined;
  return {
    kind,
    ...(namespace === undefined ? {} : { namespace }),
    name,
    ...(node === undefined ? {} : { node }),
    ...(terminating === undefined ? {} : { terminating }),
    ...(createdAt === undefined ? {} : { createdAt: formatTime(createdAt) }),
  };
}

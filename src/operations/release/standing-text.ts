import type { Judgement } from '../../ipam/accounting/liveness.ts';
import type { StandingReason } from '../../ipam/accounting/standing.ts';
import type { Allocation } from '../../ipam/state/cluster-state.ts';
import { carrierFact, ownerFact } from '../../check/facts.ts';
import { carriersText, listed, ownerText } from '../../check/wording.ts';

/** Sentence parts about an address whose owner is not seen to carry it. */
const TEXTS: Readonly<Record<Exclude<StandingReason, 'carried' | 'kind-not-loaded'>, string>> = {
  cooling: 'it is cooling already',
  'windows-reserved': 'a Windows node reserves it, and such an address is never released',
  'unknown-type': 'its type is unknown, so nobody can say whether it is in use',
  'owner-unreadable': 'its owner cannot be read, so it may be in use',
  'machine-exists': 'its virtual machine exists and keeps it',
  'alternate-owner': 'it belongs to the other side of a live migration too',
  'pod-starting': 'its pod exists and may show it in a moment',
  'family-not-shown': 'its pod runs and may carry it beside the address that it shows',
  'service-pending': 'its Service exists and may publish it in a moment',
  'pod-absent': 'its pod does not exist',
  'pod-finished': 'its pod has finished',
  'pod-on-host-network': 'its pod uses the network of its node',
  'pod-not-scheduled': 'its pod is placed on no node',
  'pod-elsewhere': 'its pod runs on another node',
  'pod-on-another-address': 'its pod lives on another address',
  'machine-absent': 'its virtual machine does not exist',
  'node-absent': 'its node does not exist',
  'node-without-address': 'its node does not use it',
  'service-absent': 'its Service does not exist',
  'service-on-another-address': 'its Service publishes another address',
  'service-unmanaged': 'its Service is served by another controller',
  'no-owner-data': 'it does not say whose it is, and nothing alive carries it',
};

/** Why an address may be taken, or must stay, as a sentence part. */
export function standingText(allocation: Allocation, judgement: Judgement): string {
  const { why, carriers, keptBecause, missing } = judgement;
  if (carriers.length > 0) {
    const verb = carriers.length === 1 ? 'carries' : 'carry';
    return `${carriersText(carriers.map(carrierFact))} ${verb} it`;
  }
  if (why === 'carried') return 'something alive carries it';
  if (why === 'kind-not-loaded') return `it cannot be judged without ${listed(missing)}`;
  const owner = ownerText(ownerFact(allocation));
  const text = owner === undefined ? TEXTS[why] : `${TEXTS[why]} (${owner})`;
  switch (keptBecause) {
    case 'young':
      return `${text}, but it was allocated only just now (see --min-age)`;
    case 'shares-live-handle':
      return `${text}, but another address of handle ${allocation.handleId ?? ''} is or may be alive, and a handle goes whole or not at all`;
    case 'evidence-missing':
      return `${text}, but not every kind that may carry it was read`;
    case 'carrier-unreadable':
      return `${text}, but something that cannot be read may carry it`;
    default:
      return text;
  }
}

import type { KeepReason } from '../../ipam/accounting/liveness.ts';
import type { StandingReason } from '../../ipam/accounting/standing.ts';
import { type Judgement, judgeAllocation } from '../../ipam/accounting/liveness.ts';
import { networksOfHandle } from '../../ipam/machine-handle.ts';
import type { ResourceKind } from '../../ipam/model/resource.ts';
import type { Allocation, ClusterState } from '../../ipam/state/cluster-state.ts';
import { formatAddress } from '../../net/address.ts';
import { parseCidr } from '../../net/cidr.ts';
import {
  type CarrierFact,
  type OwnerFact,
  allocationSubject,
  carrierFact,
  ownerFact,
} from '../facts.ts';
import { blockReferencesOf } from '../rests-on.ts';
import { rule } from '../rule.ts';
import { carriersText, ownerText, qualified } from '../wording.ts';

type LeakFacts = OwnerFact & {
  readonly address: string;
  readonly sequenceNumber: bigint;
  /** Stable word for why nothing holds it. */
  readonly why: StandingReason;
  /** Raw `timestamp` attribute. */
  readonly allocatedAt?: string | undefined;
  /** What shows the address although it is of another use; empty for most. */
  readonly carriers: readonly CarrierFact[];
  /** Why a release leaves it alone for now. */
  readonly keptBecause?: KeepReason | undefined;
};

/** Evidence that a verdict may lack, whatever the allocation. */
const EVIDENCE: readonly ResourceKind[] = [
  'Pod',
  'Node',
  'Service',
  'VirtualMachine',
  'VirtualMachineInstance',
];

/** An allocation that nothing alive of its own kind carries. */
export const leakedAddress = rule<LeakFacts>({
  code: 'leaked-address',
  severity: 'error',
  needs: ['IPAMBlock'],
  title: 'Allocated, but nothing alive carries it',
  why: 'The address is assigned, and what it was assigned for is gone or has another address now. It stays taken until somebody releases it; enough of them fill a block, a node or a pool, and new pods wait.',
  remedy:
    'Write a report with `ipamctl ipam check -o REPORT` and release what still is leaked then with `ipamctl ipam release --from-report REPORT`, or use `ipamctl ipam release --leaked`. Both look again before they write.',
  missingFor: missingEvidence,
  *evaluate(state, context) {
    for (const allocation of state.allocations()) {
      if (allocation.cooling) continue;
      const judgement = judgeAllocation(state, allocation, context);
      if (judgement.standing !== 'leaked') continue;
      yield {
        subject: allocationSubject(allocation),
        facts: factsOf(allocation, judgement),
        releasable: judgement.releasable,
      };
    }
  },
  reason: (facts) =>
    `${facts.address} is allocated${purposeOf(facts)}, but ${sentenceOf(facts)}.${keptSentence(facts)}`,
  remedyFor: remedyOf,
  // What held it was absent in between, so it is enough that the very same allocation is still there.
  restsOn: ({ subject }, state) => {
    const cidr = parseCidr(subject.cidr ?? '');
    return cidr ? blockReferencesOf(state, cidr).map((row) => ({ ...row, mayChange: true })) : [];
  },
});

function factsOf(allocation: Allocation, judgement: Judgement): LeakFacts {
  return {
    address: formatAddress(allocation.address),
    ...ownerFact(allocation),
    sequenceNumber: allocation.sequenceNumber,
    why: judgement.why,
    allocatedAt: allocation.timestamp,
    carriers: judgement.carriers.map(carrierFact),
    keptBecause: judgement.keptBecause,
  };
}

/** Kinds without which some allocation of this state cannot be judged; machines that are not installed may be among them. */
function missingEvidence(state: ClusterState): readonly ResourceKind[] {
  const absent = EVIDENCE.filter((kind) => !state.isLoaded(kind) || !state.isInstalled(kind));
  const isMachinesOnly = absent.every((kind) => kind.startsWith('VirtualMachine'));
  const missing = new Set<ResourceKind>();
  if (absent.length === 0) return [];
  for (const allocation of state.allocations()) {
    if (isMachinesOnly && !mayBeMachine(allocation)) continue;
    // The moment decides only what may be released, never what is missing.
    for (const kind of judgeAllocation(state, allocation, { now: 0, minAgeMs: 0 }).missing)
      missing.add(kind);
    if (missing.size === absent.length) break;
  }
  return absent.filter((kind) => missing.has(kind));
}

function mayBeMachine({ machine, handleId }: Allocation): boolean {
  return machine !== undefined || (handleId !== undefined && networksOfHandle(handleId).length > 0);
}

function purposeOf(facts: LeakFacts): string {
  const owner = ownerText(facts);
  return owner === undefined ? '' : ` for ${owner}`;
}

function sentenceOf(facts: LeakFacts): string {
  const node = facts.node ?? 'its node';
  const sentences: Partial<Record<StandingReason, string>> = {
    'pod-absent': 'there is no such pod',
    'pod-finished': 'that pod has finished',
    'pod-on-host-network': 'the pod of that name uses the network of its node',
    'pod-not-scheduled': 'the pod of that name is not placed on any node yet',
    'pod-elsewhere': `the pod of that name runs on another node than ${node}`,
    'pod-on-another-address': 'that pod lives on another address now',
    'machine-absent': 'there is no such virtual machine any more',
    'node-absent': `its node ${node} does not exist`,
    'node-without-address': `node ${node} does not use it as a tunnel address`,
    'service-absent': 'there is no such Service',
    'service-on-another-address': 'that Service publishes another address now',
    'service-unmanaged': 'that Service is served by another load-balancer controller',
    'no-owner-data': 'it does not say for what, and nothing alive of its kind carries it',
  };
  return sentences[facts.why] ?? 'nothing alive of its kind carries it';
}

function keptSentence({ keptBecause, carriers, handle }: LeakFacts): string {
  switch (keptBecause) {
    case 'carried-otherwise':
      return ` It cannot be released, because ${carriersText(carriers)} carries it all the same.`;
    case 'carrier-unreadable':
      return ' It cannot be released, because something that may carry it cannot be read.';
    case 'young':
      return ' It was allocated only just now, so it is left alone for a while.';
    case 'shares-live-handle':
      return ` It cannot be released, because another address of handle ${handle ?? ''} is or may be alive, and a handle goes whole or not at all.`;
    case 'evidence-missing':
      return ' It cannot be released, because not every kind that may carry it was read.';
    default:
      return '';
  }
}

function remedyOf(facts: LeakFacts): string {
  switch (facts.keptBecause) {
    case 'carried-otherwise':
      return `Leave the address alone: find out with \`ipamctl ipam show --ip ${facts.address}\` how ${carriersText(facts.carriers)} came by it, and give one of the two another address.`;
    case 'carrier-unreadable':
      return 'Correct or recreate first what `unreadable-object` names; a release takes the address once all that may carry it can be read.';
    case 'young':
      return 'Look again in a few minutes; a release takes it once it is old enough and still leaked.';
    case 'shares-live-handle':
      return `Leave it until the other addresses of the handle are gone too; when ${ownerOrHolder(facts)} goes away for good, all of them can be released.`;
    case 'evidence-missing':
      return 'Take a dump that also holds pods, nodes and Services, or check the live cluster.';
    default:
      return 'Release it with `ipamctl ipam release --from-report REPORT` (a report of `ipamctl ipam check -o REPORT`) or with `ipamctl ipam release --leaked`.';
  }
}

function ownerOrHolder({ namespace, pod, service }: LeakFacts): string {
  if (pod !== undefined) return `pod ${qualified(namespace, pod)}`;
  return service === undefined ? 'what holds them' : `Service ${qualified(namespace, service)}`;
}

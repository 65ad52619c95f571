import { formatAddress } from '../../net/address.ts';
import { type OwnerFact, allocationSubject, ownerFact } from '../facts.ts';
import { rule } from '../rule.ts';
import { quoted } from '../wording.ts';

type UnknownTypeFacts = OwnerFact & {
  readonly address: string;
  readonly type: string;
};

/** An allocation for a use that ipamctl does not know. */
export const unknownAllocationType = rule<UnknownTypeFacts>({
  code: 'unknown-allocation-type',
  severity: 'warning',
  needs: ['IPAMBlock'],
  title: 'An allocation of an unknown type',
  why: 'The `type` attribute of the allocation is none that Calico is known to write, so nobody can tell what carries the address. It counts as in use and is never called leaked.',
  remedy:
    'Find out what writes this type; a newer ipamctl may know it. If it is known to be unused, `ipamctl ipam release --ip ADDRESS --force` takes it.',
  *evaluate(state) {
    for (const allocation of state.allocations()) {
      if (allocation.cooling || allocation.kind !== 'Unknown') continue;
      yield {
        subject: allocationSubject(allocation),
        facts: {
          address: formatAddress(allocation.address),
          type: allocation.type ?? '',
          ...ownerFact(allocation),
        },
      };
    }
  },
  reason: ({ address, type }) =>
    `${address} is allocated with type ${quoted(type)}, which this ipamctl does not know, so it cannot tell whether the address is used.`,
  remedyFor: ({ address }) =>
    `Find out with \`ipamctl ipam show --ip ${address}\` what it was allocated for; a newer ipamctl may know the type. Only when you are sure that nothing uses it, release it with \`ipamctl ipam release --ip ${address} --force\`.`,
});

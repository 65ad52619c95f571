import { formatCidr } from '../../net/cidr.ts';
import { affinitiesByAddress, affinitySubject, blockOwnerText } from '../claims.ts';
import { rule } from '../rule.ts';

type LabelFacts = {
  readonly row: string;
  readonly block: string;
  readonly type: string;
  readonly host: string;
};

/** An affinity row without the labels by which its owner looks it up. */
export const missingHostLabel = rule<LabelFacts>({
  code: 'missing-host-label',
  severity: 'warning',
  // Where a datastore has no labels, no row lacks one.
  needs: ['BlockAffinity'],
  title: 'An affinity row without its host label',
  why: 'Calico finds the blocks of a host by a label that holds a hash of its name. Rows of old releases lack it until the host starts anew; until then the host does not see its block and claims another one.',
  remedy: 'Set the labels with `ipamctl ipam repair --only missing-host-label`.',
  *evaluate(state) {
    for (const row of affinitiesByAddress(state)) {
      if (row.labelled !== false) continue;
      const { key, cidr, type, host } = row;
      yield {
        subject: affinitySubject(row),
        facts: { row: key.name, block: formatCidr(cidr), type, host },
      };
    }
  },
  reason: ({ row, block, type, host }) =>
    `Row ${row}, by which ${blockOwnerText({ type, host })} owns block ${block}, lacks the label with the hash of the host name, or has a wrong one.`,
  remedyFor: () =>
    'Set the labels with `ipamctl ipam repair --only missing-host-label`; nothing else of the row changes.',
});

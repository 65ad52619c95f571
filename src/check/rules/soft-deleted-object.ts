import { type ResourceKind, keyText } from '../../ipam/model/resource.ts';
import type { SoftDeleted } from '../../ipam/state/soft-deleted.ts';
import { formatCidr } from '../../net/cidr.ts';
import { formatTime } from '../../support/time.ts';
import { notLoaded } from '../evidence.ts';
import { rule } from '../rule.ts';

type DeletedFacts = {
  readonly kind: ResourceKind;
  readonly row: string;
  /** Block of a block or affinity row. */
  readonly block?: string | undefined;
  /** RFC 3339; absent where no time is kept. */
  readonly createdAt?: string | undefined;
};

/** Kinds whose rows Calico marks before it removes them. */
const MARKED_KINDS: readonly ResourceKind[] = ['IPAMBlock', 'IPAMHandle', 'BlockAffinity'];

/** A row that was marked deleted and never removed. */
export const softDeletedObject = rule<DeletedFacts>({
  code: 'soft-deleted-object',
  severity: 'warning',
  needs: [],
  title: 'A row left behind in deletion',
  why: 'Calico deletes blocks, handles and affinities in two steps: it sets a mark, then removes the row. When the second step is lost, the row stays; it counts nowhere, but it stands in the way of a new one of its name.',
  remedy: 'Remove it with `ipamctl ipam repair --only soft-deleted-object`.',
  missingFor: (state) => notLoaded(state, MARKED_KINDS),
  *evaluate(state) {
    for (const deleted of state.softDeleted) {
      const cidr = deleted.cidr && formatCidr(deleted.cidr);
      yield {
        subject: { kind: deleted.kind, name: deleted.key.name, cidr },
        facts: factsOf(deleted),
      };
    }
  },
  reason: ({ kind, row, block }) => {
    const about = block === undefined || kind === 'IPAMHandle' ? '' : ` (${block})`;
    return `${kind} ${row}${about} is marked deleted, but it is still there.`;
  },
  remedyFor: () => 'Remove the row with `ipamctl ipam repair --only soft-deleted-object`.',
  // The two steps of a deletion are a moment apart: a list can come between them.
  restsOn: ({ subject: { kind, name } }) => (kind === 'Address' ? [] : [{ kind, key: { name } }]),
});

function factsOf({ kind, key, cidr, createdAt }: SoftDeleted): DeletedFacts {
  return {
    kind,
    row: keyText(key),
    block: cidr && formatCidr(cidr),
    createdAt: createdAt === undefined ? undefined : formatTime(createdAt),
  };
}

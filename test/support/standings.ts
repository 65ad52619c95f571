import { expect } from 'chai';
import { judgeAllocation } from '../../src/ipam/accounting/liveness.ts';
import type { BlockAttribute } from '../../src/ipam/model/block.ts';
import type { ResourceKind, UnreadableRow } from '../../src/ipam/model/resource.ts';
import type { Row } from '../../src/ipam/model/row.ts';
import { CONTEXT, aBlock, aNode, clusterOf } from './builders.ts';

/** An allocation, what there is beside it, and how it stands. */
export interface StandingCase {
  readonly slot: BlockAttribute;
  readonly rows?: readonly Row[];
  readonly without?: readonly ResourceKind[];
  readonly affinity?: string | undefined;
  /** standing, why */
  readonly is: readonly [string, string];
  /** `true`, or why not */
  readonly releasable?: true | string;
}

/** The nodes that exist in every case. */
export const NODES = [aNode('node-a'), aNode('node-b')];

/** A row of evidence that cannot be read. */
export function unreadable(
  kind: ResourceKind,
  name: string,
  more: Partial<UnreadableRow> = {},
): UnreadableRow {
  const key = kind === 'Node' ? { name } : { namespace: 'shop', name };
  return { kind, key, unreadable: 'status.podIP "x" is no address', ...more };
}

/** One test a case. */
export function itJudges(cases: Readonly<Record<string, StandingCase>>): void {
  for (const [title, { slot, rows = [], without = [], is, releasable, ...more }] of Object.entries(
    cases,
  )) {
    it(`judges ${title}: ${is.join(', ')}`, () => {
      const block = aBlock(
        '10.0.0.0/26',
        { 1: slot },
        'affinity' in more ? { affinity: more.affinity } : {},
      );
      const present = without.includes('Node') ? [] : NODES;
      const state = clusterOf([block, ...present, ...rows], { without });
      const [allocation] = state.allocations();
      const judgement = judgeAllocation(
        state,
        allocation as NonNullable<typeof allocation>,
        CONTEXT,
      );
      expect([judgement.standing, judgement.why]).to.deep.equal(is);
      expect(judgement.releasable).to.equal(releasable === true);
      expect(judgement.keptBecause).to.equal(
        typeof releasable === 'string' ? releasable : undefined,
      );
    });
  }
}

import { expect } from 'chai';
import { AccessDeniedError } from '../../../src/errors/access-denied-error.ts';
import { CancelledError } from '../../../src/errors/cancelled-error.ts';
import { ConflictError } from '../../../src/errors/conflict-error.ts';
import { EXIT_STATUSES } from '../../../src/errors/exit-status.ts';
import { UnavailableError } from '../../../src/errors/unavailable-error.ts';
import type { PlanItem, PlanSubject } from '../../../src/ipam/plan.ts';
import type { ItemEnd } from '../../../src/operations/item-ledger.ts';
import { judgeEnds } from '../../../src/operations/judge-ends.ts';

const item: PlanItem = {
  action: 'release-address',
  subject: { kind: 'Address', name: '10.0.0.1', address: '10.0.0.1' },
  precondition: '',
  reason: 'why',
};
const end = (end: ItemEnd['end'], error?: ItemEnd['error']): ItemEnd => ({
  item,
  end,
  reason: 'why',
  error,
});
const APPLIED = end('applied');
const ALREADY = end('already');
const HARMLESS = end('harmless');
const REFUSED = end('refusal');
const UNJUDGED = end('unjudged');
const LOST = end('failed', new ConflictError('lost'));
const DENIED = end('failed', new AccessDeniedError('denied'));
const GONE = end('failed', new UnavailableError('gone'));

const TABLE: readonly (readonly [string, readonly ItemEnd[], number])[] = [
  ['nothing at all', [], 0],
  ['everything applied', [APPLIED, APPLIED], 0],
  ['everything so already', [ALREADY], 0],
  ['harmless skips', [APPLIED, HARMLESS], 0],
  ['harmless skips alone', [HARMLESS], 0],
  ['a refusal and nothing applied', [REFUSED, ALREADY, HARMLESS], 6],
  ['a refusal beside what was applied', [APPLIED, REFUSED], 3],
  ['what could not be judged', [UNJUDGED], 3],
  ['a refusal beside what could not be judged', [UNJUDGED, REFUSED], 6],
  ['a failure beside what was applied', [APPLIED, LOST], 3],
  ['a lost race alone', [LOST, DENIED], 5],
  ['missing rights alone', [DENIED, LOST], 7],
  ['a datastore that is gone', [GONE, REFUSED], 8],
];

describe('operations/judge-ends', () => {
  for (const [title, ends, status] of TABLE) {
    it(`ends with ${status} for ${title}`, () => {
      const { verdict, error } = judgeEnds(ends, undefined);
      expect(EXIT_STATUSES[verdict].status).to.equal(status);
      if (error) expect(error.status).to.equal(status);
      expect(error === undefined).to.equal(
        status === 0 || (status === 3 && !ends.includes(APPLIED)),
      );
    });
  }

  it('ends with the signal when it was interrupted, whatever was applied', () => {
    const interruption = new CancelledError('stopped', { signal: 'SIGINT' });
    expect(judgeEnds([APPLIED, LOST], interruption)).to.deep.equal({
      verdict: 'interrupted',
      error: interruption,
    });
  });

  it('names rows and objects with their kind, since many have the same name', () => {
    const named = (subject: PlanSubject): ItemEnd => ({ ...REFUSED, item: { ...item, subject } });
    const { error } = judgeEnds(
      [
        named({ kind: 'ClusterInformation', name: 'default' }),
        named({ kind: 'IPAMBlock', name: '10-0-0-0-26', cidr: '10.0.0.0/26' }),
        named({ kind: 'IPAMHandle', name: 'a', handle: 'A' }),
        named({ kind: 'NetworkPolicy', name: 'default', namespace: 'shop' }),
      ],
      undefined,
    );
    expect(error?.message.split('\n').slice(1)).to.deep.equal([
      'ClusterInformation default: why',
      'block 10.0.0.0/26: why',
      'handle A: why',
      'NetworkPolicy shop/default: why',
    ]);
  });

  it('names some of many items in its message', () => {
    const { error } = judgeEnds(
      Array.from({ length: 9 }, (_, n) => {
        const address = `10.0.0.${n + 1}`;
        const subject: PlanSubject = { kind: 'Address', name: address, address };
        return { ...REFUSED, item: { ...item, subject } };
      }),
      undefined,
    );
    expect(error?.message).to.contain('10.0.0.1: why').and.to.contain('and 4 more');
  });

  it('counts addresses that were asked for by number alone', () => {
    const unnamed = (n: number, reason: string): ItemEnd => ({
      ...REFUSED,
      reason,
      item: { ...item, subject: { kind: 'Address', name: `IPv4 (${n} of 9)` } },
    });
    const reasons = ['full', 'full', 'full', 'lost'];
    const { error } = judgeEnds(
      reasons.map((reason, n) => unnamed(n, reason)),
      undefined,
    );
    expect(error?.message.split('\n').slice(1)).to.deep.equal([
      '3 x an address: full',
      'an address: lost',
    ]);
  });
});

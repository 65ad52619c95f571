import { expect } from 'chai';
import type { PlanItem } from '../../../../src/ipam/plan.ts';
import { outcomeView } from '../../../../src/render/views/outcome.ts';
import { planView } from '../../../../src/render/views/plan.ts';
import { lines, plainSurface } from '../../../support/surface.ts';
import { anOutcome, aPlan, aRelease, ended, releases } from '../../../support/writing-documents.ts';

const LETTERS = 'abcdefghijklmnopqrst';
const YOUNG = 'it was allocated only just now';

function kept(items: readonly PlanItem[], result: 'already' | 'skipped') {
  return items.map((item) => ({ ...item, result }));
}

async function planText(plan: ReturnType<typeof aPlan>, isComplete = false): Promise<string> {
  return planView({ isComplete }).text(plan, await plainSurface(100));
}

async function outcomeText(
  outcome: ReturnType<typeof anOutcome>,
  isComplete = false,
): Promise<string> {
  return outcomeView({ isComplete }).text(outcome, await plainSurface(100));
}

describe('render/views/plan', () => {
  it('lists few changes as they are, and what stays', async () => {
    const stays = [
      ...kept([aRelease(8, YOUNG)], 'skipped'),
      ...kept([aRelease(9, 'gone')], 'already'),
    ];
    expect(await planText(aPlan([aRelease(7)], stays, ['Mind the gap.']))).to.equal(
      lines(
        'Plan of ipam release for snapshot dump.yaml (cluster abc123): 1 to apply, 1 already done, 1 left',
        'alone.',
        '',
        '+-----------------+------------+------------------------------------------+',
        '| ACTION          | SUBJECT    | REASON                                   |',
        '+-----------------+------------+------------------------------------------+',
        '| release-address | 198.18.0.7 | its pod does not exist (Pod shop/cart-7) |',
        '+-----------------+------------+------------------------------------------+',
        '',
        'Left alone: 1',
        '  - 198.18.0.8: it was allocated only just now',
        '',
        'Already done: 1',
        '  - 198.18.0.9: gone',
        '',
        'Mind the gap.',
      ),
    );
  });

  it('has a line a reason for addresses that were asked for by number alone', async () => {
    const unnamed = ['full', 'full', 'lost'].map((reason, n): PlanItem => ({
      action: 'assign-address',
      subject: { kind: 'Address', name: `IPv4 (${n + 1} of 3)` },
      precondition: '',
      reason,
    }));
    const stays = kept([...unnamed, aRelease(8, YOUNG)], 'skipped');
    expect(await planText(aPlan([], stays, []))).to.contain(
      lines(
        'Left alone: 4',
        '  - 198.18.0.8: it was allocated only just now',
        '  - 2 addresses: full',
        '  - 1 address: lost',
      ),
    );
  });

  it('counts very many by action and reason, then shows the first of each', async () => {
    const more = Array.from({ length: 12 }, (_, n): PlanItem => ({
      action: 'delete-handle',
      subject: { kind: 'IPAMHandle', name: `h-${n}` },
      precondition: '',
      reason: 'no allocation refers to it',
    }));
    const plan = aPlan([...releases(3000), ...more], kept(releases(40, YOUNG), 'skipped'));
    const text = (await planText(plan)).split('\n');
    expect(text.slice(2, 5)).to.deep.equal([
      '  3,000  release-address: its pod does not exist',
      '     12  delete-handle: no allocation refers to it',
      '',
    ]);
    expect(text.filter((line) => line.startsWith('| release-address'))).to.have.length(10);
    expect(text.filter((line) => line.startsWith('| delete-handle'))).to.have.length(10);
    expect(text).to.include('  ... and 2,992 more; --verbose lists all');
    expect(text).to.include('  40  release-address: it was allocated only just now');
    expect(text).to.include('  ... and 30 more; --verbose lists all');
    expect(text.at(-1)).to.equal('In all: 3,012 to apply, 40 left alone.');
    expect(text.length).to.be.lessThan(60);
  });

  it('lists everything when that is asked for, counts first', async () => {
    const text = (await planText(aPlan(releases(1200)), true)).split('\n');
    expect(text).to.include('  1,200  release-address: its pod does not exist');
    expect(text.filter((line) => line.startsWith('| release-address'))).to.have.length(1200);
    expect(text.join('\n')).to.not.contain('more;');
  });

  it('lists more than a function takes as arguments', async () => {
    const plan = aPlan(releases(150_000, 'a reason that takes two lines'), [], ['a note']);
    const text = planView({ isComplete: true }).text(plan, await plainSurface(40));
    expect(text.match(/^ {2}- /gm)).to.have.length(150_000);
    const outcome = anOutcome(ended(plan.items, 'failed', { code: 'CONFLICT', message: 'no' }));
    expect((await outcomeText(outcome, true)).match(/^ {2}- /gm)).to.have.length(150_000);
  }).timeout(20_000);

  it('counts sorts beyond a few together', async () => {
    const plan = aPlan(
      Array.from({ length: 40 }, (_, n) => aRelease(n, `reason ${LETTERS[n % 20]}`)),
    );
    const text = await planText(plan);
    expect(text.match(/^ +\d+ {2}/gm)).to.have.length(9);
    expect(text).to.contain('\n  24  release-address, for various reasons\n');
  });

  it('counts objects by kind, and repairs by the rule', async () => {
    const made = (kind: 'IPAMHandle' | 'Tier', n: number): PlanItem => ({
      action: 'create-object',
      subject: { kind, name: `h-${n}` },
      precondition: '',
      reason: 'the target does not have it',
    });
    const repaired = { ...aRelease(1), action: 'set-handle-count', code: 'handle-count-mismatch' };
    const items = Array.from({ length: 90 }, (_, n) => made(n < 80 ? 'IPAMHandle' : 'Tier', n));
    const text = await planText(aPlan([...items, repaired as PlanItem]));
    expect(text).to.contain('  80  create-object IPAMHandle: the target does not have it\n');
    expect(text).to.contain('  10  create-object Tier: the target does not have it\n');
    expect(text).to.contain('   1  set-handle-count: handle-count-mismatch\n');
  });

  it('counts what is rare by its action', async () => {
    const rare = Array.from(LETTERS, (letter, n) => aRelease(n, `node ${letter} is gone`));
    const text = await planText(aPlan([...releases(980), ...rare]));
    expect(text).to.contain(
      '  980  release-address: its pod does not exist\n   20  release-address, for various reasons\n\n',
    );
  });

  it('counts together what differs in a name, an address or a number', async () => {
    const gone = Array.from({ length: 30 }, (_, n) =>
      aRelease(n, `node n-${n}, at 10.0.0.${n}, holds ${n} more`),
    );
    expect(await planText(aPlan(gone))).to.contain(
      '\n  30  release-address: node …, at …, holds … more\n',
    );
  });

  it('says once what all of one sort end with, and no name twice', async () => {
    const remedy = 'Release it with `ipamctl ipam release --leaked`.';
    const leak = (n: number): PlanItem => {
      const { subject } = aRelease(n);
      const reason = `${subject.name} is leaked. ${remedy}`;
      return { subject, precondition: '', code: 'leaked-address', reason };
    };
    const items = kept([leak(1), leak(2), aRelease(3, YOUNG)], 'skipped');
    expect((await planText(aPlan([], items))).split('\n').slice(2, 7)).to.deep.equal([
      'Left alone: 3',
      '  - 198.18.0.1 is leaked.',
      '  - 198.18.0.2 is leaked.',
      `    For each: ${remedy}`,
      '  - 198.18.0.3: it was allocated only just now',
    ]);
  });

  it('has a column for blocks and handles where the subjects do not say them', async () => {
    const address = aRelease(1, 'gone');
    const subject = { ...address.subject, cidr: '198.18.0.0/26', handle: 'h-1' };
    const row: PlanItem = {
      ...address,
      action: 'delete-handle',
      subject: { kind: 'IPAMHandle', name: 'h-2', handle: 'h-2' },
    };
    expect(await planText(aPlan([row]))).to.contain('| ACTION        | SUBJECT    | REASON |');
    expect(await planText(aPlan([{ ...address, subject }, row]))).to.contain(
      lines(
        '| ACTION          | SUBJECT    | BLOCK         | HANDLE | REASON |',
        '+-----------------+------------+---------------+--------+--------+',
        '| release-address | 198.18.0.1 | 198.18.0.0/26 | h-1    | gone   |',
        '| delete-handle   | handle h-2 |               |        | gone   |',
      ),
    );
  });

  it('says that there is nothing to write', async () => {
    expect(await planText(aPlan([]))).to.match(/\n\nThere is nothing to write\.$/);
  });
});

describe('render/views/outcome', () => {
  const error = { code: 'CONFLICT', message: 'somebody else was faster' };

  it('tells what went wrong first, what was done, and how to take it back', async () => {
    const items = [
      ...ended([aRelease(1, 'gone')], 'applied'),
      ...ended([aRelease(2)], 'failed', error),
      ...ended([aRelease(3, YOUNG)], 'skipped'),
      ...ended([aRelease(4, 'cooling')], 'already'),
    ];
    expect(await outcomeText(anOutcome(items, { undoFile: 'undo.jsonl' }))).to.equal(
      lines(
        'ipam release on snapshot dump.yaml (cluster abc123): 1 applied, 1 already done, 1 left alone, 1',
        'failed.',
        '',
        'Failed: 1',
        '  - 198.18.0.2: somebody else was faster',
        '',
        'Left alone: 1',
        '  - 198.18.0.3: it was allocated only just now',
        '',
        'Applied: 1',
        '+-----------------+------------+--------+',
        '| ACTION          | SUBJECT    | REASON |',
        '+-----------------+------------+--------+',
        '| release-address | 198.18.0.1 | gone   |',
        '+-----------------+------------+--------+',
        '',
        'Already done: 1',
        '  - 198.18.0.4: cooling',
        '',
        'To take it back: ipamctl ipam restore undo.jsonl --snapshot dump.yaml',
      ),
    );
  });

  it('counts very many by their ends, and ends with the totals', async () => {
    const items = [
      ...ended(releases(3000), 'applied'),
      ...ended(releases(500), 'failed', error),
      ...ended(releases(40, YOUNG), 'skipped'),
    ];
    const text = (await outcomeText(anOutcome(items, { undoFile: 'undo.jsonl' }))).split('\n');
    expect(text).to.include('  500  release-address: CONFLICT');
    expect(text).to.include('  ... and 490 more; --verbose lists all');
    expect(text).to.include('  3,000  release-address: its pod does not exist');
    expect(text).to.include('  ... and 2,990 more; the undo file records all');
    expect(text.slice(-3)).to.deep.equal([
      'In all: 3,000 applied, 40 left alone, 500 failed.',
      '',
      'To take it back: ipamctl ipam restore undo.jsonl --snapshot dump.yaml',
    ]);
    expect(text.length).to.be.lessThan(70);
    const whole = await outcomeText(anOutcome(items), true);
    expect(whole.split('\n').length).to.be.greaterThan(3540);
  });

  it('says that there was nothing to write', async () => {
    expect(await outcomeText(anOutcome([]))).to.match(/\n\nThere was nothing to write\.$/);
  });
});

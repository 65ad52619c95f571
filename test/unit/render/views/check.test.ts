import { expect } from 'chai';
import { checkView } from '../../../../src/render/views/check.ts';
import type { CheckDocument } from '../../../../src/operations/documents/check-document.ts';
import { aCheck, aLeak } from '../../../support/documents.ts';
import { lines, plainSurface, widest } from '../../../support/surface.ts';

const RULES = {
  'leaked-address': {
    title: 'Allocated, but nothing alive carries it',
    remedy: 'Release what still is leaked.',
  },
};

async function draw(document: CheckDocument, width: number, isComplete = false): Promise<string> {
  return checkView({ rules: RULES, isComplete }).text(document, await plainSurface(width));
}

function leaks(count: number): ReturnType<typeof aLeak>[] {
  return Array.from({ length: count }, (_, n) => aLeak(n));
}

const ORPHAN = aLeak(0, {
  code: 'orphan-handle',
  severity: 'warning',
  subject: { kind: 'IPAMHandle', name: 'x' },
  reason: 'No allocation refers to handle x\u001b[2J.',
  remedy: 'Delete the row.',
  releasable: false,
});

describe('render/views/check', () => {
  it('shows findings by severity and code, what was not evaluated, and the verdict first and last', async () => {
    const document = aCheck([ORPHAN, aLeak(1), aLeak(2)], {
      datastoreLocked: true,
      notEvaluated: [
        { code: 'missing-handle', missing: ['IPAMHandle'] },
        { code: 'malformed-handle-id', missing: ['IPAMHandle'] },
        { code: 'stuck-affinity', missing: ['BlockAffinity', 'IPAMBlock'] },
      ],
    });
    expect(await draw(document, 100)).to.equal(
      lines(
        '2 problems and 1 warning found.',
        'Check of snapshot dump.yaml (cluster abc123) at 2026-11-29T12:00:00Z.',
        'Looked at 1 pool, 4 blocks and 200 allocations (3 cooling). Carried by something alive: 190 workload',
        'and 4 tunnel addresses. Handles: 190 matched, 0 orphan, 0 missing.',
        'The datastore is locked: Calico assigns nothing until it is unlocked.',
        '',
        'Problems: 2',
        '',
        '  leaked-address: 2 (releasable)',
        '  Allocated, but nothing alive carries it',
        '    - 198.18.0.1 is allocated, but pod shop/cart-1 does not exist.',
        '    - 198.18.0.2 is allocated, but pod shop/cart-2 does not exist.',
        '    Remedy: Release it.',
        '',
        'Warnings: 1',
        '',
        '  orphan-handle: 1',
        '    - No allocation refers to handle x\\x1b[2J.',
        '    Remedy: Delete the row.',
        '',
        'Not evaluated, or in part only',
        '  - missing-handle, malformed-handle-id: IPAMHandle not read',
        '  - stuck-affinity: BlockAffinity, IPAMBlock not read',
        '',
        '2 problems and 1 warning found.',
        'Next: 2 findings can be cleared by a release, which looks again before it writes; --dry-run shows',
        'its plan:',
        '  ipamctl ipam check --output report.json --snapshot dump.yaml',
        '  ipamctl ipam release --from-report report.json --snapshot dump.yaml',
      ),
    );
  });

  it('fits width 60', async () => {
    const text = await draw(aCheck([ORPHAN, ...leaks(3)]), 60);
    expect(widest(text)).to.be.at.most(60);
    expect(text).to.contain(
      '    - 198.18.0.0 is allocated, but pod shop/cart-0 does not\n      exist.\n',
    );
  });

  it('says that nothing was found, and of how much', async () => {
    const text = await draw(aCheck(), 160);
    expect(
      text.match(/No problems found: 200 allocations in 4 blocks agree with all that was read\./g),
    ).to.have.length(1);
    expect(text).to.match(/^No problems found/);
  });

  it('sends who has nothing to mend to show, which tells of room', async () => {
    expect((await draw(aCheck(), 160)).split('\n').slice(-2)).to.deep.equal([
      'Whether there is room for more is another question:',
      '  ipamctl ipam show --snapshot dump.yaml',
    ]);
  });

  it('says by which rules nothing was found when not all were asked for', async () => {
    const two = aCheck([], { judgedCodes: ['a', 'b'] });
    expect(await draw(two, 160)).to.contain('No problems found by the 2 rules asked for.');
    expect(await draw(two, 160)).to.not.contain('agree with all');
    expect(await draw(aCheck([], { judgedCodes: ['orphan-handle'] }), 160)).to.contain(
      'No problems found by the one rule asked for (orphan-handle).',
    );
    const found = aCheck([aLeak(1)], { judgedCodes: ['leaked-address', 'b'] });
    expect(await draw(found, 160)).to.contain('1 problem found by the 2 rules asked for.');
  });

  it('counts a single address as one', async () => {
    const { summary } = aCheck();
    const inUse = { workload: 1, tunnel: 0, service: 0, virtualMachine: 0 };
    const text = await draw(aCheck([], { summary: { ...summary, inUse } }), 160);
    expect(text.replaceAll('\n', ' ')).to.contain(
      'Carried by something alive: 1 workload address.',
    );
  });

  it('does not call a check in part clean', async () => {
    const text = await draw(
      aCheck([], { notEvaluated: [{ code: 'missing-handle', missing: ['IPAMHandle'] }] }),
      160,
    );
    expect(text.split('\n').slice(-2)).to.deep.equal([
      'No problems found in what could be judged: 200 allocations in 4 blocks agree with all that was read.',
      'Next: add the missing kinds to the snapshot and check again, or accept it with --allow-partial.',
    ]);
  });

  it('sends who has only warnings to the remedies', async () => {
    expect((await draw(aCheck([ORPHAN]), 100)).split('\n').slice(-3)).to.deep.equal([
      'No problems found, but 1 warning.',
      'Next: follow the remedies above. More about one of them:',
      '  ipamctl ipam check --explain orphan-handle',
    ]);
  });

  it('points at the report when one was written, as a command to copy', async () => {
    const view = checkView({ rules: RULES, reportFile: "the day's report.json" });
    const live = aCheck([aLeak(1)], { source: { datastore: 'kubernetes', context: 'lab' } });
    expect(
      view
        .text(live, await plainSurface(160))
        .split('\n')
        .at(-1),
    ).to.equal("  ipamctl ipam release --from-report 'the day'\\''s report.json' --context lab");
  });

  it('sums up 20,000 leaks in a screenful', async () => {
    const text = await draw(aCheck(leaks(20_000)), 100);
    expect(text.split('\n')).to.have.length.below(30);
    expect(text).to.contain('leaked-address: 20,000 (releasable)');
    expect(text).to.contain('... and 19,990 more; --show-problem-ips lists all');
  });

  it('lists every finding when asked', async () => {
    const text = await draw(aCheck(leaks(25)), 100, true);
    expect(text.match(/ - 198\.18\.0\.\d+ /g)).to.have.length(25);
    expect(text).not.to.contain('more;');
  });

  const various = [0, 1, 2].map((n) => aLeak(n, { remedy: `Release number ${n}.` }));

  it('counts remedies while they are few, and falls back on that of the rule', async () => {
    const few = await draw(aCheck(various.slice(0, 2)), 100);
    expect(few).to.contain(
      '    Remedy for 1: Release number 0.\n    Remedy for 1: Release number 1.\n',
    );
    expect(await draw(aCheck(various), 100)).to.contain(
      '    Remedy: Release what still is leaked.\n',
    );
  });

  it('gives each finding of a complete list its own remedy where they differ', async () => {
    const text = await draw(aCheck(various), 100, true);
    for (const n of [0, 1, 2])
      expect(text).to.contain(`cart-${n} does not exist.\n      Remedy: Release number ${n}.`);
  });

  it('lists all addresses when the document has them', async () => {
    const addresses = [
      {
        ip: '198.18.0.1',
        sequenceNumber: 1n,
        inUse: true,
        owners: ['Workload(a/b)'],
        block: '198.18.0.0/26',
        node: 'n',
        findings: [],
      },
      {
        ip: '198.18.0.2',
        sequenceNumber: 1n,
        inUse: false,
        coolingDown: true,
        owners: null,
        block: '198.18.0.0/26',
        findings: [],
      },
      {
        ip: '198.18.0.3',
        sequenceNumber: 1n,
        inUse: false,
        borrowed: true,
        owners: null,
        block: '198.18.0.0/26',
        handle: 'h',
        findings: ['leaked-address'],
      },
    ] as const;
    expect(await draw(aCheck([], { addresses }), 160)).to.contain(
      lines(
        '| IP         | STATE                | NODE | OWNERS        | HANDLE | FINDINGS       |',
        '+------------+----------------------+------+---------------+--------+----------------+',
        '| 198.18.0.1 | in use               | n    | Workload(a/b) |        |                |',
        '| 198.18.0.2 | cooling              |      |               |        |                |',
        '| 198.18.0.3 | not in use, borrowed |      |               | h      | leaked-address |',
      ),
    );
  });

  it('makes a page with a summary and every finding, all of it escaped', () => {
    const page = checkView({ rules: RULES }).html?.(
      aCheck([aLeak(1, { reason: '<img src=x>' }), ...various, ORPHAN]),
    );
    for (const part of [
      '>Summary</h2>',
      'leaked-address',
      '&lt;img src=x&gt;',
      'Release number 2.',
      'Delete the row.',
    ]) {
      expect(page).to.contain(part);
    }
    expect(page).not.to.contain('<img');
  });
});

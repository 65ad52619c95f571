import { expect } from 'chai';
import type { BlockUtilization } from '../../../../src/operations/documents/utilization-document.ts';
import { mapSection } from '../../../../src/render/page/block-map.ts';
import { CELL_KINDS } from '../../../../src/render/page/cell-kinds.ts';
import { chooseBlocks } from '../../../../src/render/page/choose-blocks.ts';
import { findingsSection, shareOut } from '../../../../src/render/page/findings.ts';
import { usageBar } from '../../../../src/render/page/usage-bar.ts';
import { nodeSection, poolSection } from '../../../../src/render/page/usage-tables.ts';
import { groupFindings } from '../../../../src/render/views/check-groups.ts';
import { aCheck, aLeak, aPoolRow, aUtilization } from '../../../support/documents.ts';

function aBlock(cidr: string, cells: string | undefined): BlockUtilization {
  const counts = { inUse: 1, cooling: 0, reserved: 0n, free: 0n, borrowed: 0 };
  return { ...counts, cidr, total: BigInt(cells?.length ?? 0), affinity: 'host:node-a', cells };
}

const drawing = (...blockList: BlockUtilization[]): string =>
  mapSection(aUtilization({ pools: [aPoolRow({ blockList })] })).join('\n');

describe('render/page/block-map', () => {
  it('draws what is not free with its address and mark, of either family', () => {
    const text = drawing(aBlock('198.18.0.8/29', '.#crLb..'), aBlock('fd00::8/126', '..#.'));
    expect(text.match(/<i><\/i>/g)).to.have.length(6);
    for (const cell of [
      '<i class="u" title="198.18.0.9 in use"></i>',
      '<i class="c" title="198.18.0.10 cooling">c</i>',
      '<i class="l" title="198.18.0.12 leaked">L</i>',
      '<i class="u" title="fd00::a in use"></i>',
    ])
      expect(text).to.contain(cell);
    expect(text).to.contain('1 cooling, 1 reserved, 1 leaked, 1 borrowed');
  });

  it('has a legend of every kind of cell', () => {
    const text = drawing(aBlock('198.18.0.8/29', '........'));
    for (const { meaning } of CELL_KINDS) expect(text).to.contain(`</i>${meaning}</li>`);
  });

  it('says what is too large to draw, and draws nothing where there are no cells at all', () => {
    expect(drawing(aBlock('fd00::/100', undefined))).to.equal('');
    expect(drawing(aBlock('fd00::/100', undefined), aBlock('198.18.0.8/31', '..'))).to.contain(
      'too many addresses to draw',
    );
  });

  it('starts a line every sixteen cells, or sixty-four of a large block', () => {
    expect(drawing(aBlock('198.18.0.0/26', '.'.repeat(64))).match(/<s>\+\d+/g)).to.deep.equal([
      '<s>+0',
      '<s>+16',
      '<s>+32',
      '<s>+48',
    ]);
    expect(drawing(aBlock('198.18.0.0/23', '.'.repeat(512))).match(/<s>/g)).to.have.length(8);
  });

  it('draws those with most to see of very many blocks, and says how many it left out', () => {
    const plain = Array.from({ length: 1500 }, (_, at) =>
      aBlock(`10.${at >> 8}.${at & 255}.0/26`, '#'.repeat(64)),
    );
    const leaked = aBlock('192.168.0.0/26', 'L'.padEnd(64, '.'));
    const blocks = [...plain, leaked];
    const chosen = chooseBlocks(blocks);
    expect(chosen.size).to.equal(1024);
    expect(chosen.has(leaked)).to.equal(true);
    expect(drawing(...blocks)).to.contain('477 more blocks are not drawn here');
  });
});

describe('render/page/findings', () => {
  it('shares room fairly', () => {
    expect(shareOut([5, 100, 100], 105)).to.deep.equal([5, 50, 50]);
    expect(shareOut([5, 6], 100)).to.deep.equal([5, 6]);
    expect(shareOut([], 100)).to.deep.equal([]);
  });

  it('cuts what is too much for a browser, of each code its part, and says so', () => {
    const orphan = aLeak(1, { code: 'orphan-handle', severity: 'warning' });
    const leaks = Array.from({ length: 25_000 }, (_, at) => aLeak(at));
    const text = findingsSection(groupFindings(aCheck([...leaks, orphan])), {}).join('\n');
    expect(text.match(/<tr data/g)).to.have.length(20_000);
    expect(text).to.contain('id="code-orphan-handle"');
    expect(text).to.contain('19,999 of 25,000 are shown');
  });

  it('hides the filter until its script shows it', () => {
    const text = findingsSection(groupFindings(aCheck([aLeak(1)])), {}).join('\n');
    expect(text).to.contain('<form class="filter" hidden>');
  });

  it('shows commands of remedies as code', () => {
    const finding = aLeak(1, { remedy: 'Run `ipamctl <x>`.' });
    expect(findingsSection(groupFindings(aCheck([finding])), {}).join('\n')).to.contain(
      'Run <code>ipamctl &lt;x&gt;</code>.',
    );
  });
});

describe('render/page/usage', () => {
  it('draws shares, the smallest wide enough to be seen', () => {
    const { markup } = usageBar({ total: 1n << 80n, inUse: 1, reserved: 1n << 79n });
    expect(markup).to.contain('<rect class="u" x="0.0%" width="1.0%" height="100%"/>');
    expect(markup).to.contain('<rect class="r" x="1.0%" width="50.0%" height="100%"/>');
    expect(usageBar({ total: 0n, inUse: 0 }).markup).not.to.contain('<rect');
  });

  it('puts nodes that do not exist first, then the fullest', () => {
    const node = (name: string | undefined, assigned: number, exists = true) => ({
      name,
      exists,
      blocks: 1,
      assigned,
      borrowed: 0,
      freeInOwnBlocks: BigInt(64 - assigned),
    });
    const text = nodeSection([node('a', 1), node('b', 60), node('gone', 0, false)]).join('');
    const places = ['gone', '>b<', '>a<'].map((name) => text.indexOf(name));
    expect(places).to.deep.equal(places.toSorted((one, other) => one - other));
    expect(Math.min(...places)).to.be.greaterThan(0);
    expect(nodeSection([]).join('')).to.contain('No node owns a block');
    expect(nodeSection(undefined)).to.deep.equal([]);
  });

  it('tells pools without any block, and that there are none', () => {
    expect(poolSection(aUtilization()).join('')).to.contain('default').and.contain('220 (86%)');
    expect(poolSection(aUtilization({ pools: [] })).join('')).to.contain('There are no pools');
  });
});

import { expect } from 'chai';
import { largeTableLines } from '../../../src/render/large-table.ts';
import { layoutTable, tableWidth } from '../../../src/render/table-layout.ts';
import type { Cell, TableSpec } from '../../../src/render/table-spec.ts';
import { loadTableRenderer, SMALL_TABLE_ROWS } from '../../../src/render/table.ts';
import { loadTheme, PLAIN_THEME } from '../../../src/render/theme.ts';
import { lines, plainSurface } from '../../support/surface.ts';

const WIDE = Number.POSITIVE_INFINITY;

function aTable(rows: readonly (readonly Cell[])[]): TableSpec {
  return {
    columns: [
      { header: 'NAME' },
      { header: 'COUNT', align: 'right', dropOrder: 1 },
      { header: 'NOTE', dropOrder: 2 },
    ],
    rows,
  };
}

/** What the renderer for large tables draws, whatever the number of rows. */
function large(spec: TableSpec): string {
  return [...largeTableLines(spec, layoutTable(spec, WIDE), PLAIN_THEME)].join('\n');
}

describe('render/table', () => {
  it('draws a rule below the header and none between rows', async () => {
    const { table } = await plainSurface(WIDE);
    expect(
      table(
        aTable([
          ['a', '1', ''],
          ['b', '1,000', 'x'],
        ]),
      ),
    ).to.equal(
      lines(
        '+------+-------+------+',
        '| NAME | COUNT | NOTE |',
        '+------+-------+------+',
        '| a    |     1 |      |',
        '| b    | 1,000 | x    |',
        '+------+-------+------+',
      ),
    );
  });

  const tables: readonly (readonly [string, readonly (readonly Cell[])[]])[] = [
    [
      'plain cells',
      [
        ['a', '1', 'b'],
        ['longer than the header', '1,000,000', 'c'],
      ],
    ],
    ['no rows', []],
    ['empty cells', [['', '', '']]],
    [
      'wide characters',
      [
        ['日本語', '1', '한국'],
        ['ｆｕｌｌ', '2', 'é'],
      ],
    ],
    ['combining marks', [['e\u0301', '1', 'x']]],
    ['emoji', [['👍 ok', '1', '🇩🇪']]],
    ['control characters', [['a\nb', '\u001b[2J', 'c\u202ed']]],
    ['toned cells', [[{ text: 'bad', tone: 'problem' }, '1', '']]],
  ];
  for (const [title, rows] of tables) {
    it(`draws the same bytes with both renderers for ${title}`, async () => {
      const { table } = await plainSurface(WIDE);
      expect(table(aTable(rows))).to.equal(large(aTable(rows)));
    });
  }

  it('draws the same bytes on both sides of the limit', async () => {
    const { table } = await plainSurface(WIDE);
    const rows = Array.from({ length: SMALL_TABLE_ROWS + 1 }, (_, i) => [
      `name-${i}`,
      `${i * 7}`,
      '',
    ]);
    expect(table(aTable(rows))).to.equal(large(aTable(rows)));
    expect(table(aTable(rows.slice(1)))).to.equal(large(aTable(rows.slice(1))));
  });

  it('paints the text of a cell and not its padding, with both renderers', async () => {
    const theme = await loadTheme(true);
    const spec = aTable([[{ text: 'no', tone: 'problem' }, { text: '7', tone: 'ok' }, '']]);
    const table = (await loadTableRenderer(WIDE, theme))(spec);
    expect(table).to.contain('| \u001b[31mno\u001b[39m   |     \u001b[32m7\u001b[39m |');
    expect([...largeTableLines(spec, layoutTable(spec, WIDE), theme)].join('\n')).to.equal(table);
  });

  it('leaves out the columns with the highest order first and names them', async () => {
    const { table } = await plainSurface(18);
    expect(table(aTable([['a', '1', 'x']]))).to.equal(
      lines(
        '+------+-------+',
        '| NAME | COUNT |',
        '+------+-------+',
        '| a    |     1 |',
        '+------+-------+',
        '(too narrow for',
        'NOTE; a wider',
        'terminal shows',
        'all)',
      ),
    );
  });

  it('takes a narrow column back when a wider one had to go after it', () => {
    const spec = aTable([['a', '1'.repeat(40), 'x']]);
    expect(layoutTable(spec, 20).dropped).to.deep.equal(['COUNT']);
  });

  it('prints rows as records, without what is empty, where not even the first columns fit', async () => {
    const { table } = await plainSurface(12);
    expect(
      table(
        aTable([
          ['node-with-a-long-name', '1', 'x'],
          ['b', '2', ''],
        ]),
      ),
    ).to.equal(
      lines('NAME', '  node-with-a-long-name', 'COUNT  1', 'NOTE   x', '', 'NAME   b', 'COUNT  2'),
    );
  });

  it('knows the width of a table', () => {
    expect(tableWidth(aTable([['日本', '1', '']]))).to.equal(23);
  });
});

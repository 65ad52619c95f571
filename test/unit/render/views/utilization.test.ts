import { expect } from 'chai';
import { utilizationView } from '../../../../src/render/views/utilization.ts';
import { aPoolRow, aUtilization } from '../../../support/documents.ts';
import { lines, plainSurface, widest } from '../../../support/surface.ts';

const NONE = { affine: 0, virtual: 0, unaffined: 0, missingNode: 0 };
const SIX = aPoolRow({
  name: 'six',
  cidr: 'fd00:10::/48',
  disabled: true,
  total: 1n << 80n,
  free: (1n << 80n) - 70n,
  inUse: 70,
  reserved: 0n,
  cooling: 0,
  borrowed: 0,
  blocks: { inUse: 2, possible: 1n << 74n, byState: NONE },
});
const BLOCK = {
  cidr: '198.18.0.0/26',
  affinity: 'host:node-a',
  total: 64n,
  inUse: 37,
  cooling: 2,
  reserved: 4n,
  free: 23n,
  borrowed: 1,
};
const OUTSIDE = { inUse: 3, cooling: 0, borrowed: 0, blocks: { inUse: 1, byState: NONE } };

async function draw(
  document: Parameters<typeof utilizationView.text>[0],
  width: number,
): Promise<string> {
  return utilizationView.text(document, await plainSurface(width));
}

describe('render/views/utilization', () => {
  it('names what it could not read and therefore does not count', async () => {
    const unreadable = [
      { kind: 'IPPool', name: 'odd', problem: 'spec.blockSize 33 is no size' },
      { kind: 'Pod', namespace: 'shop', name: 'cart', problem: 'it has no status' },
      { kind: 'IPAMBlock', name: '', problem: 'it has no name' },
    ];
    const document = aUtilization({ unreadable });
    const text = await draw(document, 160);
    expect(text).to.contain(
      '3 rows cannot be read, and what such a row holds is not known here: IPPool odd, Pod shop/cart,\nIPAMBlock without readable name.\n',
    );
    expect(text).to.match(/What is wrong with each: ipamctl ipam check --only unreadable-object/);
    expect(utilizationView.html?.(document)).to.contain('3 rows cannot be read');
    expect(utilizationView.html?.(aUtilization())).to.not.contain('cannot be read');
  });

  it('shows every column of the pools at width 160', async () => {
    const text = await draw(aUtilization({ outsidePools: OUTSIDE }), 160);
    expect(text).to.equal(
      lines(
        '+----------+---------------+-----------+------------+--------------+-----------+-------------+----------+--------+---------+',
        '| GROUPING | CIDR          | IPS TOTAL | IPS IN USE | IPS RESERVED | IPS FREE  | IPS COOLING | BORROWED | BLOCKS | POOL    |',
        '+----------+---------------+-----------+------------+--------------+-----------+-------------+----------+--------+---------+',
        '| IP Pool  | 198.18.0.0/24 |       256 |   32 (12%) |       4 (2%) | 220 (86%) |      2 (1%) |        1 | 1 of 4 | default |',
        '| No pool  | (no pool)     |           |          3 |              |           |           0 |        0 |      1 |         |',
        '+----------+---------------+-----------+------------+--------------+-----------+-------------+----------+--------+---------+',
        '1 block lies in no pool; --show-blocks lists it.',
      ),
    );
  });

  it('drops what matters least at width 100, and says so', async () => {
    const hints = [
      {
        code: 'one-node-pool',
        message: 'Pool default has one block, and only its owner can use the pool.',
      } as const,
    ];
    const text = await draw(aUtilization({ pools: [aPoolRow(), SIX], hints }), 100);
    expect(text).to.equal(
      lines(
        '+---------------+------------+--------------+-------------------+-------------+----------------+',
        '| CIDR          | IPS IN USE | IPS RESERVED | IPS FREE          | IPS COOLING | POOL           |',
        '+---------------+------------+--------------+-------------------+-------------+----------------+',
        '| 198.18.0.0/24 |   32 (12%) |       4 (2%) |         220 (86%) |      2 (1%) | default        |',
        '| fd00:10::/48  |    70 (0%) |       0 (0%) | 1.2089e+24 (100%) |      0 (0%) | six (disabled) |',
        '+---------------+------------+--------------+-------------------+-------------+----------------+',
        '(too narrow for GROUPING, IPS TOTAL, BORROWED, BLOCKS; a wider terminal shows all)',
        'Large counts are rounded here; --format json has every digit.',
        '',
        'Hints',
        '  - Pool default has one block, and only its owner can use the pool.',
      ),
    );
    expect(widest(text)).to.be.at.most(100);
  });

  it('drops what has nothing to tell before all else', async () => {
    const quiet = { cooling: 0, borrowed: 0 };
    const text = await draw(aUtilization({ pools: [aPoolRow(quiet)] }), 88);
    expect(text).to.contain('| IPS RESERVED |').and.to.contain('| BLOCKS |');
    expect(text).to.contain('(too narrow for GROUPING, IPS COOLING, BORROWED;');
  });

  it('is a record a pool where the pools have no room', async () => {
    const text = await draw(aUtilization({ pools: [aPoolRow(), SIX] }), 60);
    expect(text).to.contain('\nPOOL          six (disabled)\n');
    expect(text).not.to.contain('too narrow');
    expect(widest(text)).to.be.at.most(60);
  });

  it('spells counts in full where nothing limits a line', async () => {
    const text = await draw(aUtilization({ pools: [SIX] }), Number.POSITIVE_INFINITY);
    expect(text).to.contain('| 1,208,925,819,614,629,174,706,106 (100%) |');
    expect(text).to.contain('| six (disabled) |');
  });

  it('lists blocks below their pool at width 100', async () => {
    const text = await draw(aUtilization({ pools: [aPoolRow({ blockList: [BLOCK] })] }), 100);
    expect(text).to.equal(
      lines(
        '+----------+---------------+------------+--------------+-----------+-------------+-------------+',
        '| GROUPING | CIDR          | IPS IN USE | IPS RESERVED | IPS FREE  | IPS COOLING | OWNER       |',
        '+----------+---------------+------------+--------------+-----------+-------------+-------------+',
        '| IP Pool  | 198.18.0.0/24 |   32 (12%) |       4 (2%) | 220 (86%) |      2 (1%) |             |',
        '| Block    | 198.18.0.0/26 |   37 (58%) |       4 (6%) |  23 (36%) |      2 (3%) | host:node-a |',
        '+----------+---------------+------------+--------------+-----------+-------------+-------------+',
        '(too narrow for IPS TOTAL, BORROWED, BLOCKS, POOL; a wider terminal shows all)',
      ),
    );
  });

  const cells = `${'#'.repeat(30)}ccrrrrLb${'.'.repeat(26)}`;
  const mapped = aUtilization({
    pools: [
      aPoolRow({
        blockList: [
          { ...BLOCK, cells },
          { ...BLOCK, cidr: 'fd00::/100' },
        ],
      }),
    ],
  });

  it('draws blocks as grids of 64 cells a line at width 100', async () => {
    expect(await draw(mapped, 100)).to.equal(
      lines(
        '. free  # in use  c cooling  r reserved  L leaked  b borrowed',
        '',
        'IP Pool default 198.18.0.0/24: 32 (12%) in use',
        '  198.18.0.0/26  host:node-a  37 of 64 in use',
        `    +0 ${cells}`,
        '  fd00::/100  host:node-a  37 of 64 in use',
        '    too many addresses to draw',
      ),
    );
  });

  it('draws narrower grids where a line is short', async () => {
    const text = await draw(mapped, 60);
    expect(text).to.contain(`    +0 ${cells.slice(0, 32)}\n   +32 ${cells.slice(32)}\n`);
  });

  it('shows nodes alone, with those that do not exist and what no node holds', async () => {
    const nodes = [
      { name: 'node-a', exists: true, blocks: 1, assigned: 30, borrowed: 0, freeInOwnBlocks: 34n },
      { name: 'node-b', exists: false, blocks: 1, assigned: 0, borrowed: 0, freeInOwnBlocks: 64n },
      { blocks: 0, assigned: 2, borrowed: 0, freeInOwnBlocks: 0n },
    ];
    expect(await draw(aUtilization({ nodes }), 100)).to.equal(
      lines(
        '+-----------------------+--------+----------+----------+--------------------+',
        '| NODE                  | BLOCKS | ASSIGNED | BORROWED | FREE IN OWN BLOCKS |',
        '+-----------------------+--------+----------+----------+--------------------+',
        '| node-a                |      1 |       30 |        0 |                 34 |',
        '| node-b (no such node) |      1 |        0 |        0 |                 64 |',
        '| (no node)             |      0 |        2 |        0 |                  0 |',
        '+-----------------------+--------+----------+----------+--------------------+',
      ),
    );
  });

  it('shows nodes and then blocks when both were asked for', async () => {
    const nodes = [
      { name: 'node-a', exists: true, blocks: 1, assigned: 30, borrowed: 0, freeInOwnBlocks: 34n },
    ];
    const text = await draw(
      aUtilization({ nodes, pools: [aPoolRow({ blockList: [BLOCK] })] }),
      160,
    );
    expect(text.indexOf('| NODE ')).to.be.greaterThan(0).and.below(text.indexOf('| GROUPING '));
  });

  it('shows namespaces', async () => {
    expect(
      await draw(
        aUtilization({ namespaces: [{ name: 'shop', assigned: 1200 }, { assigned: 3 }] }),
        60,
      ),
    ).to.equal(
      lines(
        '+----------------+----------+',
        '| NAMESPACE      | ASSIGNED |',
        '+----------------+----------+',
        '| shop           |    1,200 |',
        '| (no namespace) |        3 |',
        '+----------------+----------+',
      ),
    );
  });

  it('says in a sentence that there is nothing', async () => {
    expect(await draw(aUtilization({ pools: [] }), 80)).to.equal(
      'There are no IP pools, and no blocks.',
    );
    expect(await draw(aUtilization({ nodes: [] }), 80)).to.equal(
      'No node owns a block or holds an address.',
    );
  });

  it('makes a page that holds every section and escapes every name', () => {
    const page = utilizationView.html?.(
      aUtilization({
        pools: [aPoolRow({ name: '<b>&"', blockList: [{ ...BLOCK, cells }] })],
        nodes: [{ name: 'node-a', blocks: 1, assigned: 1, borrowed: 0, freeInOwnBlocks: 1n }],
        namespaces: [{ name: '<script>', assigned: 1 }],
        hints: [{ code: 'one-node-pool', message: "it's <full>" }],
      }),
    );
    for (const part of [
      '&lt;b&gt;&amp;&quot;',
      'node-a',
      '&lt;script&gt;',
      'it&#39;s &lt;full&gt;',
      '>Map of blocks</h2>',
      '</html>',
    ]) {
      expect(page).to.contain(part);
    }
    expect(page).not.to.match(/<script|https?:/);
  });
});

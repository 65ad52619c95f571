import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import type { Browser, Page } from 'puppeteer-core';
import type { CheckDocument } from '../../src/operations/documents/check-document.ts';
import type { UtilizationDocument } from '../../src/operations/documents/utilization-document.ts';
import { checkView } from '../../src/render/views/check.ts';
import {
  closeBrowser,
  openFile,
  type OpenPageOptions,
  requireBrowser,
} from '../support/browser.ts';
import { LOW_CONTRAST } from '../support/contrast.ts';
import { aCheck, aLeak, aPoolRow, aUtilization } from '../support/documents.ts';
import { runCli } from '../support/run-cli.ts';

const SNAPSHOT = 'examples/troubled-cluster.yaml.gz';
const WIDTHS = [400, 1000, 1600];
/** What ends an element or an attribute, runs a script, or turns the reading direction. */
const HOSTILE = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>\u0000\u202e\n&amp;`;
const MANY = 10_000;
/** Far more than it takes; a page that locks the browser up needs minutes. */
const OPENS_WITHIN_MS = 15_000;

const ROWS = '.findings tbody tr';
const FORM_IS_VISIBLE = `document.querySelector('form.filter').checkVisibility()`;
/** CIDR, number of cells and of leaked ones of each block. */
const DRAWN_BLOCKS = `[...document.querySelectorAll('.block')].map((block) => [
  block.querySelector('h4').textContent,
  block.querySelectorAll('.cells i').length,
  block.querySelectorAll('.cells i.l').length,
])`;
/** Class and text of cells, each combination once. */
const MARKS = `[...new Set(
  [...document.querySelectorAll('.cells i')].map((cell) => cell.className + ':' + cell.textContent),
)]`;

describe('HTML report', function () {
  this.timeout(120_000);
  const folder = mkdtempSync(join(tmpdir(), 'ipamctl-html-'));
  let browser: Browser;
  let check: CheckDocument;
  let show: UtilizationDocument;

  before(async function () {
    browser = await requireBrowser(this);
    for (const command of ['check', 'show']) {
      const page = await example(command, 'html');
      writeFileSync(join(folder, `${command}.html`), page);
    }
    check = JSON.parse(await example('check', 'json')) as CheckDocument;
    show = JSON.parse(await example('show', 'json', '--map')) as UtilizationDocument;
  });

  after(async () => {
    await closeBrowser();
    rmSync(folder, { recursive: true, force: true });
  });

  const open = (name: string, options?: OpenPageOptions) =>
    openFile(browser, pathToFileURL(join(folder, `${name}.html`)).href, options);

  function save(name: string, document: CheckDocument): void {
    const page = checkView({ rules: {} }).html?.(document) ?? '';
    writeFileSync(join(folder, `${name}.html`), page);
  }

  for (const name of ['check', 'show']) {
    for (const scheme of ['light', 'dark'] as const) {
      for (const width of WIDTHS) {
        it(`${name} reads well at ${width} pixels, ${scheme}`, async () => {
          const { page, deeds } = await open(name, { width, scheme });
          expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(width);
          expect(await page.evaluate(LOW_CONTRAST), 'low contrast').to.deep.equal([]);
          expect(deeds).to.deep.equal({ complaints: [], requests: [] });
          await page.close();
        });
      }
    }

    it(`${name} draws one cell for each address of each block`, async () => {
      const { page } = await open(name);
      const drawn = await ask<unknown[]>(page, DRAWN_BLOCKS);
      const blocks = [...show.pools, show.outsidePools].flatMap(({ blockList = [] }) => blockList);
      expect(blocks.length).to.be.greaterThan(0);
      expect(drawn).to.deep.equal(
        blocks.map(({ cidr, total, cells = '' }) => [
          cidr,
          Number(total),
          cells.split('L').length - 1,
        ]),
      );
      await page.close();
    });

    it(`${name} tells states of cells without colour`, async () => {
      const { page } = await open(name);
      const marks = await ask<string[]>(page, MARKS);
      const letters = marks.map((mark) => mark.split(':')[1]).filter((text) => text !== '');
      expect(new Set(letters).size).to.equal(letters.length).and.to.be.at.least(3);
      expect(marks).to.include.members([':', 'u:', 'l:L']);
      await page.close();
    });
  }

  it('lists every finding, with and without script', async () => {
    for (const script of [true, false]) {
      const { page, deeds } = await open('check', { script });
      expect(await visibleRows(page)).to.have.length(check.findings.length);
      expect(await ask(page, FORM_IS_VISIBLE)).to.equal(script);
      expect(deeds.complaints).to.deep.equal([]);
      await page.close();
    }
  });

  it('filters findings by code, severity, node and text', async () => {
    const { page, deeds } = await open('check');
    const count = (test: (finding: CheckDocument['findings'][number]) => boolean): number =>
      check.findings.filter(test).length;
    await page.select('select[name=code]', 'leaked-address');
    await settled(
      page,
      count(({ code }) => code === 'leaked-address'),
    );
    await page.click('button[type=reset]');
    await settled(page, check.findings.length);
    await page.select('select[name=severity]', 'warning');
    await settled(
      page,
      count(({ severity }) => severity === 'warning'),
    );
    await page.click('button[type=reset]');
    await page.type('input[name=node]', 'worker-04');
    await settled(
      page,
      count(({ subject }) => subject.node === 'worker-04'),
    );
    await page.click('button[type=reset]');
    await page.type('input[name=text]', 'GONE-3 pod');
    await settled(page, 1);
    await page.click('button[type=reset]');
    await page.click('input[name=releasable]');
    await settled(
      page,
      count(({ releasable }) => releasable),
    );
    await page.type('input[name=text]', 'no such thing anywhere');
    await settled(page, 0);
    expect(deeds).to.deep.equal({ complaints: [], requests: [] });
    await page.close();
  });

  it('shows hostile names as text', async () => {
    const subject = { kind: 'Node', name: HOSTILE, node: HOSTILE } as const;
    const block = { ...aPoolRow(), cidr: HOSTILE, affinity: HOSTILE, cells: '#L' };
    save(
      'hostile',
      aCheck([aLeak(1, { subject, reason: HOSTILE, remedy: HOSTILE })], {
        source: { datastore: 'snapshot', file: HOSTILE },
        utilization: aUtilization({
          pools: [aPoolRow({ name: HOSTILE, blockList: [block] })],
          nodes: [{ name: HOSTILE, blocks: 1, assigned: 1, borrowed: 0, freeInOwnBlocks: 1n }],
          hints: [{ code: 'one-node-pool', message: HOSTILE }],
        }),
      }),
    );
    const { page, deeds } = await open('hostile');
    expect(deeds).to.deep.equal({ complaints: [], requests: [] });
    expect(await page.$$('script')).to.have.length(1);
    expect(await page.$$('img')).to.deep.equal([]);
    const [row] = await visibleRows(page);
    expect(row).to.contain(`<script>alert(1)</script>"'><img src=x onerror=alert(1)>\\x00`);
    expect(row).to.contain('\\u{202e}\\n&amp;');
    await page.close();
  });

  it('lets no other script run and fetches nothing, whatever gets into the page', async () => {
    const text = checkView({ rules: {} }).html?.(aCheck([aLeak(1)])) ?? '';
    const foul = '<script>document.title = "taken"</script><img src="http://127.0.0.1:9/x.png">';
    writeFileSync(join(folder, 'foul.html'), text.replace('<footer>', `${foul}<footer>`));
    const { page, deeds } = await open('foul');
    expect(await page.title()).to.equal('Calico IPAM check');
    expect(deeds.complaints.join('\n')).to.contain('script-src').and.to.contain('img-src');
    await page.close();
  });

  it(`opens with ${MANY} findings, and filters them`, async () => {
    const leaks = Array.from({ length: MANY }, (_, n) => aLeak(n));
    save('many', aCheck(leaks));
    const started = performance.now();
    const { page } = await open('many');
    expect(await ask(page, `document.querySelectorAll('${ROWS}').length`)).to.equal(MANY);
    await page.type('input[name=text]', 'cart-9999');
    await settled(page, 1);
    expect(performance.now() - started).to.be.below(OPENS_WITHIN_MS);
    await page.close();
  });

  it('prints without the filter, on one page width', async () => {
    const { page } = await open('check');
    await page.emulateMediaType('print');
    expect(await ask(page, FORM_IS_VISIBLE)).to.equal(false);
    const pdf = await page.pdf({ format: 'A4' });
    expect(Buffer.from(pdf.subarray(0, 5)).toString()).to.equal('%PDF-');
    await page.close();
  });
});

async function example(command: string, format: string, ...flags: string[]): Promise<string> {
  const { stdout, stderr, status } = await runCli([
    'ipam',
    command,
    '--snapshot',
    SNAPSHOT,
    '--format',
    format,
    ...flags,
  ]);
  expect(status, stderr).to.equal(command === 'check' ? 1 : 0);
  return stdout;
}

/** The value of an expression in the page. In one call, since a handle for each of very many elements takes seconds. */
function ask<T>(page: Page, expression: string): Promise<T> {
  return page.evaluate(expression) as Promise<T>;
}

/** Texts of the findings that are visible. */
function visibleRows(page: Page): Promise<string[]> {
  return ask(
    page,
    `[...document.querySelectorAll('${ROWS}')].filter((row) => row.checkVisibility()).map((row) => row.textContent)`,
  );
}

/** Waits until so many findings are visible; the filter lets the reader finish typing. */
async function settled(page: Page, count: number): Promise<void> {
  await page.waitForFunction(
    `document.querySelector('form output').textContent.startsWith('${count} of ')`,
    { timeout: 10_000 },
  );
  expect(await visibleRows(page)).to.have.length(count);
}

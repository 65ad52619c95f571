import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { escapeHtml, htmlPage, htmlTable } from '../../../src/render/html.ts';

describe('render/html', () => {
  it('escapes markup and quotes, and spells what cannot be seen', () => {
    expect(escapeHtml(`<a href="x" title='y'>&\u0000\u202e\n`)).to.equal(
      '&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;\\x00\\u{202e}\\n',
    );
  });

  it('lets in its own style and script by their hashes and nothing else', () => {
    const script = 'document.title = 1;';
    const page = htmlPage('<T>', ['<p>body</p>'], { script });
    const policy = /Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1] ?? '';
    const style = /<style>([\s\S]*)<\/style>/.exec(page)?.[1] ?? '';
    expect(policy.split('; ')).to.deep.equal([
      "default-src 'none'",
      `style-src '${hashOf(style)}'`,
      `script-src '${hashOf(script)}'`,
      "base-uri 'none'",
      "form-action 'none'",
    ]);
    expect(page).to.contain('<title>&lt;T&gt;</title>');
    expect(htmlPage('T', [])).not.to.contain('script');
  });

  it('refers to no address outside the page', () => {
    expect(htmlPage('T', [])).not.to.match(/https?:|url\(|@import/);
  });

  it('cuts a table of too many rows and says how many there are', () => {
    const rows = Array.from({ length: 20_001 }, (_, at) => [`row-${at}`]);
    const table = htmlTable({ columns: [{ header: 'N' }], rows });
    expect(table.match(/<tr><td>/g)).to.have.length(20_000);
    expect(table).to.contain('20,000 of 20,001 are shown');
    expect(htmlTable({ columns: [{ header: 'N' }], rows: rows.slice(1) })).not.to.contain('Cut');
  });

  it('puts toned cells and markup of its own into tables', () => {
    const table = htmlTable({
      columns: [{ header: 'A', align: 'right' }, { header: 'B' }],
      rows: [[{ text: '<7>', tone: 'problem' }, { markup: '<b>7</b>' }]],
    });
    expect(table).to.contain(
      '<tr><td class="right"><span class="problem">&lt;7&gt;</span></td><td><b>7</b></td></tr>',
    );
  });
});

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

import type { Cell, TableSpec } from './table-spec.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Self-contained: no script, no font, no address outside the page. */
const STYLE = `
:root { color-scheme: light dark; --line: #8884; --red: #c62828; --amber: #9a6700; --green: #1a7f37; --blue: #0969da; }
@media (prefers-color-scheme: dark) { :root { --red: #ff7b72; --amber: #d29922; --green: #3fb950; --blue: #58a6ff; } }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 80rem; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin-top: 2rem; } h3 { font-size: 1rem; margin-bottom: .3rem; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; font-size: .9rem; }
th, td { border: 1px solid var(--line); padding: .25rem .6rem; text-align: left; vertical-align: top; }
th { background: #8881; white-space: nowrap; } td.right { text-align: right; white-space: nowrap; }
pre, code { font: .85rem/1.3 ui-monospace, monospace; }
.problem { color: var(--red); } .warning { color: var(--amber); } .ok { color: var(--green); } .note { color: var(--blue); }
.muted { opacity: .65; } .heading { font-weight: bold; }
details { margin: .4rem 0; } summary { cursor: pointer; }
`;

/** Text with everything replaced that HTML would read as markup, safe between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/** A whole page. The title is text, the body markup that is already escaped. */
export function htmlPage(title: string, body: readonly string[]): string {
  const safe = escapeHtml(title);
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${safe}</title>`,
    `<style>${STYLE}</style>`,
    '</head>',
    '<body>',
    `<h1>${safe}</h1>`,
    ...body,
    '</body>',
    '</html>',
  ].join('\n');
}

/** A table with every column; nothing is dropped, the page scrolls. */
export function htmlTable({ columns, rows }: TableSpec): string {
  const head = columns.map((column) => `<th>${escapeHtml(column.header)}</th>`).join('');
  const lines = rows.map((row) => {
    const cells = row.map(
      (cell, i) =>
        `<td${columns[i]?.align === 'right' ? ' class="right"' : ''}>${htmlCell(cell)}</td>`,
    );
    return `<tr>${cells.join('')}</tr>`;
  });
  return [
    '<div class="scroll"><table>',
    `<thead><tr>${head}</tr></thead>`,
    '<tbody>',
    ...lines,
    '</tbody></table></div>',
  ].join('\n');
}

/** A paragraph; text that is not yet escaped. */
export function htmlParagraph(text: string, className?: string): string {
  return `<p${className === undefined ? '' : ` class="${escapeHtml(className)}"`}>${escapeHtml(text)}</p>`;
}

/** A list of texts that are not yet escaped. */
export function htmlList(items: readonly string[]): string {
  return `<ul>\n${items.map((item) => `<li>${escapeHtml(item)}</li>`).join('\n')}\n</ul>`;
}

function htmlCell(cell: Cell): string {
  return typeof cell === 'string'
    ? escapeHtml(cell)
    : `<span class="${cell.tone}">${escapeHtml(cell.text)}</span>`;
}

import { createHash } from 'node:crypto';
import { groupDigits } from './numbers.ts';
import { PAGE_STYLE } from './page/page-style.ts';
import { printable } from './printable.ts';
import type { Cell, TableSpec } from './table-spec.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Rows that a table of a page has at most; a browser that has to lay out more gets slow. */
const MOST_ROWS = 20_000;

/** Markup that is already escaped, where a cell is more than text. */
export interface Markup {
  readonly markup: string;
}

/** A table of a page. */
export interface HtmlTableSpec extends Pick<TableSpec, 'columns'> {
  readonly rows: readonly (readonly (Cell | Markup)[])[];
}

/** What a page has beside its body. */
export interface PageOptions {
  /** Runs at the end of the page; only this very text may run there. */
  readonly script?: string | undefined;
}

/**
 * Text with everything replaced that HTML would read as markup, safe between tags and in quoted attributes. Control and
 * direction-changing characters are spelled as escapes, as on a terminal.
 */
export function escapeHtml(text: string): string {
  return printable(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/**
 * A whole page that needs nothing from outside: its policy forbids every request, and lets only its own style and script
 * in. The title is text, the body markup that is already escaped.
 */
export function htmlPage(
  title: string,
  body: readonly string[],
  { script }: PageOptions = {},
): string {
  const safe = escapeHtml(title);
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy(script)}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    `<title>${safe}</title>`,
    `<style>${PAGE_STYLE}</style>`,
    '</head>',
    '<body>',
    `<h1>${safe}</h1>`,
    ...body,
    ...(script === undefined ? [] : [`<script>${script}</script>`]),
    '</body>',
    '</html>',
  ].join('\n');
}

/** A table with every column; nothing is dropped, the page scrolls. Of very many rows the first, and it says so. */
export function htmlTable({ columns, rows }: HtmlTableSpec): string {
  const head = columns.map((column) => `<th scope="col">${escapeHtml(column.header)}</th>`);
  const lines = rows.slice(0, MOST_ROWS).map((row) => {
    const cells = row.map(
      (cell, i) =>
        `<td${columns[i]?.align === 'right' ? ' class="right"' : ''}>${htmlCell(cell)}</td>`,
    );
    return `<tr>${cells.join('')}</tr>`;
  });
  return [
    '<div class="scroll" tabindex="0"><table>',
    `<thead><tr>${head.join('')}</tr></thead>`,
    '<tbody>',
    ...lines,
    '</tbody></table></div>',
    ...cutNote(Math.min(rows.length, MOST_ROWS), rows.length),
  ].join('\n');
}

/** Says how many rows of how many are shown; nothing when all are. */
export function cutNote(shown: number, total: number): readonly string[] {
  if (shown >= total) return [];
  return [
    htmlParagraph(
      `Cut here: ${groupDigits(shown)} of ${groupDigits(total)} are shown. The same command with --format json has them all.`,
      'cut warning',
    ),
  ];
}

/** A paragraph; text that is not yet escaped. */
export function htmlParagraph(text: string, className?: string): string {
  return `<p${className === undefined ? '' : ` class="${escapeHtml(className)}"`}>${escapeHtml(text)}</p>`;
}

/** A list of texts that are not yet escaped. */
export function htmlList(items: readonly string[]): string {
  return `<ul>\n${items.map((item) => `<li>${escapeHtml(item)}</li>`).join('\n')}\n</ul>`;
}

/** A text in the colour of its meaning. */
export function htmlCell(cell: Cell | Markup): string {
  if (typeof cell === 'string') return escapeHtml(cell);
  if ('markup' in cell) return cell.markup;
  return `<span class="${cell.tone}">${escapeHtml(cell.text)}</span>`;
}

/** Nothing may be fetched, framed or sent anywhere; a script that got into the page by a name would not run. */
function policy(script: string | undefined): string {
  return [
    "default-src 'none'",
    `style-src ${hashOf(PAGE_STYLE)}`,
    ...(script === undefined ? [] : [`script-src ${hashOf(script)}`]),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

import type { BorrowedDocument } from '../../operations/documents/borrowed-document.ts';
import { htmlPage, htmlParagraph, htmlTable } from '../html.ts';
import { countOf } from '../numbers.ts';
import type { TableSpec } from '../table-spec.ts';
import type { Surface, View } from '../view.ts';
import { wrapText } from '../wrap.ts';
import { sourceText } from './source.ts';
import { unreadableLines, unreadableParagraphs } from './unreadable.ts';

const NONE = 'No borrowed addresses: every node holds addresses of its own blocks only.';

/** `ipam show --show-borrowed`: addresses that a node holds in a block of another. */
export const borrowedView: View<BorrowedDocument> = { text: borrowedText, html: borrowedPage };

function borrowedText(document: BorrowedDocument, surface: Surface): string {
  const { borrowed } = document;
  const lines =
    borrowed.length === 0
      ? wrapText(NONE, surface)
      : [surface.table(borrowedTable(document)), totalText(borrowed.length)];
  return [...lines, ...unreadableLines(document, surface)].join('\n');
}

function borrowedTable({ borrowed }: BorrowedDocument): TableSpec {
  return {
    columns: [
      { header: 'IP' },
      { header: 'BORROWING-NODE' },
      { header: 'BLOCK', dropOrder: 2 },
      { header: 'BLOCK OWNER' },
      { header: 'TYPE', dropOrder: 3 },
      { header: 'ALLOCATED-TO', dropOrder: 1 },
    ],
    rows: borrowed.map((row) => [
      row.ip,
      row.borrowingNode,
      row.block,
      row.blockOwner,
      row.type,
      row.allocatedTo,
    ]),
  };
}

function totalText(count: number): string {
  return `${countOf(count, 'address', 'addresses')} ${count === 1 ? 'is' : 'are'} borrowed.`;
}

function borrowedPage(document: BorrowedDocument): string {
  const count = document.borrowed.length;
  return htmlPage('Borrowed addresses', [
    htmlParagraph(`Read from ${sourceText(document.source)}.`),
    htmlParagraph(count === 0 ? NONE : totalText(count)),
    ...(count === 0 ? [] : [htmlTable(borrowedTable(document))]),
    ...unreadableParagraphs(document),
  ]);
}

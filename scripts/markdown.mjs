/** Pieces of Markdown that the generated pages are made of. */

const cell = (text) => text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ');
const row = (...cells) => `| ${cells.map((text) => cell(String(text))).join(' | ')} |`;

/** The lines of a table. */
export function table(head, rows) {
  return [row(...head), row(...head.map(() => '---')), ...rows.map((cells) => row(...cells))];
}

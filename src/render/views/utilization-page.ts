import type { UtilizationDocument } from '../../operations/documents/utilization-document.ts';
import { escapeHtml, htmlList, htmlPage, htmlParagraph, htmlTable } from '../html.ts';
import { countOf } from '../numbers.ts';
import { sourceText } from './source.ts';
import { namespaceTable, nodeTable } from './utilization-groups.ts';
import { hasOutside, utilizationTable } from './utilization-table.ts';

/** `ipam show` as a page: everything that the document has. */
export function utilizationPage(document: UtilizationDocument): string {
  const { pools, nodes, namespaces, hints } = document;
  return htmlPage('Calico IPAM utilization', [
    htmlParagraph(`Read from ${sourceText(document.source)}: ${countOf(pools.length, 'pool')}.`),
    ...(hints.length > 0 ? ['<h2>Hints</h2>', htmlList(hints.map((hint) => hint.message))] : []),
    '<h2>Pools</h2>',
    pools.length > 0 || hasOutside(document)
      ? htmlTable(utilizationTable(document, 'exact'))
      : htmlParagraph('There are none.'),
    ...(nodes ? ['<h2>Nodes</h2>', htmlTable(nodeTable(nodes))] : []),
    ...(namespaces ? ['<h2>Namespaces</h2>', htmlTable(namespaceTable(namespaces))] : []),
    ...mapSections(document),
  ]);
}

function mapSections({ pools, outsidePools }: UtilizationDocument): string[] {
  const blocks = [...pools, outsidePools]
    .flatMap((group) => group.blockList ?? [])
    .filter((block) => block.cells);
  if (blocks.length === 0) return [];
  const grids = blocks.map((block) => {
    const title = `${block.cidr} ${block.affinity ?? '(nobody)'}`;
    return `<h3>${escapeHtml(title)}</h3>\n<pre>${escapeHtml((block.cells ?? '').replace(/.{64}(?=.)/g, '$&\n'))}</pre>`;
  });
  return [
    '<h2>Map</h2>',
    htmlParagraph('. free, # in use, c cooling, r reserved, L leaked, b borrowed'),
    ...grids,
  ];
}

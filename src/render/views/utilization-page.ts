import type { UtilizationDocument } from '../../operations/documents/utilization-document.ts';
import { htmlPage, htmlParagraph, htmlTable } from '../html.ts';
import { countOf } from '../numbers.ts';
import { mapSection } from '../page/block-map.ts';
import { pageLinks, tiles } from '../page/page-parts.ts';
import { nodeSection, poolSection } from '../page/usage-tables.ts';
import { sourceText } from './source.ts';
import { unreadableParagraphs } from './unreadable.ts';
import { namespaceTable } from './utilization-groups.ts';

/** `ipam show` as a page: everything that the document has. */
export function utilizationPage(document: UtilizationDocument): string {
  const { pools, outsidePools, nodes, namespaces } = document;
  const blocks = [...pools, outsidePools].reduce((sum, group) => sum + group.blocks.inUse, 0);
  const inUse = [...pools, outsidePools].reduce((sum, group) => sum + group.inUse, 0);
  const sections = [
    ...poolSection(document),
    ...mapSection(document),
    ...nodeSection(nodes),
    ...(namespaces
      ? ['<h2 id="namespaces">Namespaces</h2>', htmlTable(namespaceTable(namespaces))]
      : []),
  ];
  return htmlPage('Calico IPAM utilization', [
    htmlParagraph(`Read from ${sourceText(document.source)}: ${countOf(pools.length, 'pool')}.`),
    tiles([
      ['pools', pools.length],
      ['blocks', blocks],
      ['addresses in use', inUse],
    ]),
    ...unreadableParagraphs(document),
    pageLinks(sections),
    ...sections,
    '<footer>Made by ipamctl. This page loads nothing from anywhere.</footer>',
  ]);
}

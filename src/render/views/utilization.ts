import type { UtilizationDocument } from '../../operations/documents/utilization-document.ts';
import { countOf } from '../numbers.ts';
import { printable } from '../printable.ts';
import { tableWidth } from '../table-layout.ts';
import type { TableSpec } from '../table-spec.ts';
import type { Surface, View } from '../view.ts';
import { wrapText } from '../wrap.ts';
import { namespaceTable, nodeTable } from './utilization-groups.ts';
import { unreadableLines } from './unreadable.ts';
import { hasMap, mapLines } from './utilization-map.ts';
import { utilizationPage } from './utilization-page.ts';
import { hasBlockList, hasLargeCounts, hasOutside, utilizationTable } from './utilization-table.ts';

/** `ipam show`: pools and blocks, or nodes, or namespaces, or the map, as the document has them; then the hints. */
export const utilizationView: View<UtilizationDocument> = {
  text: utilizationText,
  html: utilizationPage,
};

function utilizationText(document: UtilizationDocument, surface: Surface): string {
  return [
    ...bodyLines(document, surface),
    ...unreadableLines(document, surface),
    ...hintLines(document, surface),
  ].join('\n');
}

function bodyLines(document: UtilizationDocument, surface: Surface): string[] {
  const { nodes, namespaces } = document;
  const groups = [
    ...(nodes
      ? [groupText(nodeTable(nodes), 'No node owns a block or holds an address.', surface)]
      : []),
    ...(namespaces
      ? [groupText(namespaceTable(namespaces), 'No namespace holds an address.', surface)]
      : []),
  ];
  // Who asks for nodes or namespaces gets the pools only together with their blocks.
  if (groups.length > 0 && !hasBlockList(document)) return [groups.join('\n\n')];
  return [...groups.flatMap((group) => [group, '']), ...poolSection(document, surface)];
}

function poolSection(document: UtilizationDocument, surface: Surface): string[] {
  if (document.pools.length === 0 && !hasOutside(document))
    return ['There are no IP pools, and no blocks.'];
  if (hasMap(document)) return mapLines(document, surface);
  return poolLines(document, surface);
}

function poolLines(document: UtilizationDocument, surface: Surface): string[] {
  const exact = utilizationTable(document, 'exact');
  const mustRound = hasLargeCounts(document) && tableWidth(exact) > surface.width;
  const lines = [surface.table(mustRound ? utilizationTable(document, 'rounded') : exact)];
  if (mustRound)
    lines.push(
      ...wrapText('Large counts are rounded here; --format json has every digit.', surface),
    );
  const outside = document.outsidePools.blocks.inUse;
  if (outside > 0 && !hasBlockList(document))
    lines.push(...wrapText(outsideText(outside), surface));
  return lines;
}

function outsideText(blocks: number): string {
  const count = countOf(blocks, 'block');
  return blocks === 1
    ? `${count} lies in no pool; --show-blocks lists it.`
    : `${count} lie in no pool; --show-blocks lists them.`;
}

function groupText(spec: TableSpec, empty: string, surface: Surface): string {
  return spec.rows.length === 0 ? wrapText(empty, surface).join('\n') : surface.table(spec);
}

function hintLines({ hints }: UtilizationDocument, { width, theme }: Surface): string[] {
  if (hints.length === 0) return [];
  return [
    '',
    theme.heading('Hints'),
    ...hints.flatMap((hint) => wrapText(printable(hint.message), { width, first: '  - ' })),
  ];
}

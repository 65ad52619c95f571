import type {
  AddressCandidate,
  AddressDocument,
  AddressOwner,
} from '../../operations/documents/address-document.ts';
import { escapeHtml, htmlPage, htmlParagraph, htmlTable } from '../html.ts';
import { printable } from '../printable.ts';
import type { TableSpec } from '../table-spec.ts';
import type { Surface, View } from '../view.ts';
import { commandLines, labelLines, wrapText } from '../wrap.ts';
import { carrierTable, headlineOf, stepOf } from './address-standing.ts';
import { unreadableLines, unreadableParagraphs } from './unreadable.ts';

/** `ipam show --ip`: what is known of one address. */
export const addressView: View<AddressDocument> = { text: addressText, html: addressPage };

function addressText(document: AddressDocument, surface: Surface): string {
  const { theme } = surface;
  const { text, tone } = headlineOf(document);
  const lines = [
    ...wrapText(printable(text), surface).map(theme[tone]),
    ...factLines(document, surface),
    ...carrierLines(document, surface),
  ];
  if (document.allocated && !document.cooling)
    lines.push(...attributeLines('Active', document.attributes, surface));
  if (document.alternateAttributes)
    lines.push(...attributeLines('Alternate', document.alternateAttributes, surface));
  if (document.candidates && document.candidates.length > 1) {
    lines.push(
      '',
      theme.heading('Held in several blocks:'),
      surface.table(candidateTable(document.candidates)),
    );
  }
  lines.push(...unreadableLines(document, surface), ...stepLines(document, surface));
  return lines.join('\n');
}

/** Several carriers are told apart by place and age; of one the facts say all. */
function carrierLines({ carriedBy = [] }: AddressDocument, { table }: Surface): string[] {
  return carriedBy.length > 1 ? ['', table(carrierTable(carriedBy))] : [];
}

function stepLines(document: AddressDocument, surface: Surface): string[] {
  const step = stepOf(document);
  if (step === undefined) return [];
  const { text, command } = step;
  return [
    '',
    ...(command === undefined ? wrapText(text, surface) : commandLines(text, command, surface)),
  ];
}

/** Labels and values in the order of the text; absent facts are left out. */
function facts(document: AddressDocument): [string, string][] {
  const { allocated, cooling, attributes } = document;
  const isAssigned = allocated && !cooling;
  const all: [string, string | undefined][] = [
    ['Pool', document.pool ?? '<none>'],
    ['Block', document.block ?? '<none>'],
    [
      'Block owner',
      document.block === undefined ? undefined : (document.blockAffinity ?? '<none>'),
    ],
    ['Handle ID', isAssigned ? (document.handle ?? '<none>') : document.handle],
    ['Sequence number', document.sequenceNumber?.toString()],
    ['Held since', isAssigned ? (document.allocatedAt ?? attributes['timestamp']) : undefined],
    ['Released at', document.releasedAt],
    ['Reserved', document.reserved ? 'yes' : undefined],
    ['Owner', ownerText(document.owner, isAssigned)],
    ['Shown by', carrierText(document)],
  ];
  return all.filter((entry): entry is [string, string] => entry[1] !== undefined);
}

function factLines(document: AddressDocument, { width }: Surface): string[] {
  const entries = facts(document);
  const labels = Math.max(...entries.map(([label]) => label.length));
  return entries.flatMap(([label, value]) =>
    labelLines(`  ${`${label}:`.padEnd(labels + 1)} `, printable(value), width),
  );
}

function ownerText(owner: AddressOwner | undefined, isAssigned: boolean): string | undefined {
  if (!owner) return isAssigned ? 'not known' : undefined;
  const name = owner.namespace === undefined ? owner.name : `${owner.namespace}/${owner.name}`;
  const place = owner.node === undefined || owner.kind === 'Node' ? '' : ` on node ${owner.node}`;
  return `${owner.kind} ${name}${place} (${aliveText(owner.alive)})`;
}

function aliveText(alive: boolean | undefined): string {
  if (alive === undefined) return 'not known whether it is alive';
  return alive ? 'alive' : 'not alive';
}

function carrierText({ carriers, allocated }: AddressDocument): string | undefined {
  if (carriers.length > 0) return carriers.join(', ');
  return allocated ? 'no pod, node, Service or machine that was read' : undefined;
}

function attributeLines(
  which: string,
  attributes: Readonly<Record<string, string>>,
  { width }: Surface,
): string[] {
  const entries = sortedEntries(attributes);
  if (entries.length === 0) return ['', `No ${which} Owner Attributes`];
  return [
    '',
    `${which} Owner Attributes:`,
    ...entries.flatMap(([key, value]) =>
      labelLines(`  ${printable(key)}: `, printable(value), width),
    ),
  ];
}

function sortedEntries(attributes: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1));
}

function candidateTable(candidates: readonly AddressCandidate[]): TableSpec {
  return {
    columns: [
      { header: 'BLOCK' },
      { header: 'STATE', dropOrder: 1 },
      { header: 'HANDLE' },
      { header: 'SEQUENCE NUMBER', align: 'right', dropOrder: 2 },
    ],
    rows: candidates.map((candidate) => [
      candidate.block,
      candidate.cooling ? 'cooling' : 'assigned',
      candidate.handle ?? '<none>',
      candidate.sequenceNumber.toString(),
    ]),
  };
}

function addressPage(document: AddressDocument): string {
  const pairs = (rows: readonly [string, string][]): string =>
    htmlTable({ columns: [{ header: 'PROPERTY' }, { header: 'VALUE' }], rows });
  const { text, tone } = headlineOf(document);
  const step = stepOf(document);
  return htmlPage(`Address ${document.ip}`, [
    `<p class="${tone}">${escapeHtml(text)}</p>`,
    ...unreadableParagraphs(document),
    ...(step ? [htmlParagraph([step.text, step.command].join(' ').trimEnd())] : []),
    pairs(facts(document)),
    ...((document.carriedBy?.length ?? 0) > 1
      ? [htmlTable(carrierTable(document.carriedBy ?? []))]
      : []),
    '<h2>Active Owner Attributes</h2>',
    pairs(sortedEntries(document.attributes)),
    ...(document.alternateAttributes
      ? ['<h2>Alternate Owner Attributes</h2>', pairs(sortedEntries(document.alternateAttributes))]
      : []),
    ...(document.candidates
      ? ['<h2>Held in several blocks</h2>', htmlTable(candidateTable(document.candidates))]
      : []),
  ]);
}

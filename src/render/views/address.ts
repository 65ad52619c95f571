import type {
  AddressCandidate,
  AddressDocument,
  AddressOwner,
} from '../../operations/documents/address-document.ts';
import { escapeHtml, htmlPage, htmlTable } from '../html.ts';
import { printable } from '../printable.ts';
import type { TableSpec } from '../table-spec.ts';
import type { Tone } from '../theme.ts';
import type { Surface, View } from '../view.ts';
import { labelLines, wrapText } from '../wrap.ts';

/** `ipam show --ip`: what is known of one address. */
export const addressView: View<AddressDocument> = { text: addressText, html: addressPage };

function addressText(document: AddressDocument, surface: Surface): string {
  const { theme } = surface;
  const { text, tone } = headline(document);
  const lines = [...wrapText(text, surface).map(theme[tone]), ...factLines(document, surface)];
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
  return lines.join('\n');
}

/** The answer in one line. */
function headline(document: AddressDocument): { text: string; tone: Tone } {
  const { ip, allocated, cooling, owner, carriers } = document;
  if (cooling)
    return { text: `${ip} is cooling down: released, and not yet free again`, tone: 'note' };
  if (!allocated) {
    return carriers.length > 0
      ? { text: `${ip} is not assigned, yet something alive shows it`, tone: 'problem' }
      : { text: `${ip} is not assigned`, tone: 'muted' };
  }
  if (owner?.alive === false)
    return { text: `${ip} is in use, but its owner is not alive`, tone: 'warning' };
  return { text: `${ip} is in use`, tone: 'ok' };
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
    ['Held since', isAssigned ? attributes['timestamp'] : undefined],
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
  return allocated ? 'nothing that was read' : undefined;
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
  const { text, tone } = headline(document);
  return htmlPage(`Address ${document.ip}`, [
    `<p class="${tone}">${escapeHtml(text)}</p>`,
    pairs(facts(document)),
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

import type { PlanSubject } from '../../ipam/plan.ts';
import { printable } from '../printable.ts';
import { layoutTable } from '../table-layout.ts';
import type { TableSpec } from '../table-spec.ts';
import type { Surface } from '../view.ts';
import { wrapText } from '../wrap.ts';
import type { ShownItem } from './item-groups.ts';

/** What an item is about, in few words: the address, else the row; a pool with its range, which is what one knows it by. */
export function subjectText({ kind, name, namespace, address, cidr, handle }: PlanSubject): string {
  if (address !== undefined) return address;
  if (kind === 'IPAMHandle') return `handle ${handle ?? name}`;
  if (kind === 'IPAMBlock' && cidr !== undefined) return `block ${cidr}`;
  if (kind === 'IPPool' && cidr !== undefined) return `IPPool ${name} (${cidr})`;
  return namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}

/** What an item is and why, in a sentence; the finding of a rule names its subject itself. */
export function itemText(item: ShownItem): string {
  const { subject, reason, error } = item;
  if (error !== undefined) return `${subjectText(subject)}: ${error.message}`;
  return namesItself(item) ? reason : `${subjectText(subject)}: ${reason}`;
}

function namesItself({ subject, code, reason }: ShownItem): boolean {
  const name = subject.address ?? subject.cidr ?? subject.handle ?? subject.name;
  return code !== undefined && reason.includes(name);
}

/** Changes as a table, or as a list where even the reasons find no room: nobody should agree to what is not told why. */
export function changeLines(items: readonly ShownItem[], surface: Surface): readonly string[] {
  const spec = changeTable(items);
  if (layoutTable(spec, surface.width).fits) return [surface.table(spec)];
  return items.flatMap((item) =>
    wrapText(printable(`${item.action ?? ''}${namesItself(item) ? ':' : ''} ${itemText(item)}`), {
      width: surface.width,
      first: '  - ',
    }),
  );
}

/** Changes, one a row; blocks and handles only where the subjects do not say them. */
function changeTable(items: readonly ShownItem[]): TableSpec {
  const rows = items.map(({ action, subject, reason }) => {
    const name = subjectText(subject);
    const beside = (text = ''): string => (name.includes(text) ? '' : text);
    return [action ?? '', name, beside(subject.cidr), beside(subject.handle), reason];
  });
  const columns = [
    { header: 'ACTION' },
    { header: 'SUBJECT' },
    { header: 'BLOCK', dropOrder: 2 },
    { header: 'HANDLE', dropOrder: 3 },
    { header: 'REASON' },
  ];
  const shown = columns.map(
    ({ dropOrder }, at) => dropOrder === undefined || rows.some((row) => row[at] !== ''),
  );
  const isShown = (_: unknown, at: number): boolean => shown[at] === true;
  return { columns: columns.filter(isShown), rows: rows.map((row) => row.filter(isShown)) };
}

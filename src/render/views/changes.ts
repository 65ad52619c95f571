import type { PlanItem, PlanSubject } from '../../ipam/plan.ts';
import { groupDigits } from '../numbers.ts';
import { printable } from '../printable.ts';
import { layoutTable } from '../table-layout.ts';
import type { Cell, TableSpec } from '../table-spec.ts';
import type { Surface } from '../view.ts';
import { wrapText } from '../wrap.ts';

/** What an item is about, in few words: the address, else the row. */
export function subjectText({ kind, name, namespace, address, cidr, handle }: PlanSubject): string {
  if (address !== undefined) return address;
  if (kind === 'IPAMHandle') return `handle ${handle ?? name}`;
  if (kind === 'IPAMBlock' && cidr !== undefined) return `block ${cidr}`;
  return namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}

/** A change as a table shows it. */
type Change = Pick<PlanItem, 'action' | 'subject' | 'reason'>;

/** Objects of one kind that are made, of which a table lists the first ones only; the document has them all. */
const MANY = 50;
const SHOWN_OF_MANY = 10;

/** Changes as a table, or as a list where even the reasons find no room: nobody should agree to what is not told why. */
export function changeLines(items: readonly Change[], surface: Surface): readonly string[] {
  const spec = changeTable(items);
  if (layoutTable(spec, surface.width).fits) return [surface.table(spec)];
  return spec.rows.flatMap(([action, subject, , , reason]) =>
    wrapText(printable(`${cellOf(action)} ${cellOf(subject)}: ${cellOf(reason)}`), {
      width: surface.width,
      first: '  - ',
    }),
  );
}

function cellOf(cell: Cell | undefined): string {
  return typeof cell === 'object' ? cell.text : (cell ?? '');
}

/** Changes, one a row; of very many new objects of one kind the first, and how many more there are. */
export function changeTable(items: readonly Change[]): TableSpec {
  return {
    columns: [
      { header: 'ACTION' },
      { header: 'SUBJECT' },
      { header: 'BLOCK', dropOrder: 2 },
      { header: 'HANDLE', dropOrder: 3 },
      { header: 'REASON' },
    ],
    rows: folded(items),
  };
}

function folded(items: readonly Change[]): string[][] {
  const made = items.filter(({ action }) => action === 'create-object');
  const groups = Map.groupBy(made, ({ subject }) => subject.kind);
  const many = [...groups].filter(([, group]) => group.length > MANY);
  const left = new Map(
    many.map(([, group]) => [group[SHOWN_OF_MANY], group.length - SHOWN_OF_MANY]),
  );
  const hidden = new Set(many.flatMap(([, group]) => group.slice(SHOWN_OF_MANY)));
  return items.flatMap((item) => {
    const more = left.get(item);
    if (more !== undefined)
      return [
        ['create-object', `${groupDigits(more)} more of ${item.subject.kind}`, '', '', item.reason],
      ];
    return hidden.has(item) ? [] : [rowOf(item)];
  });
}

function rowOf({ action, subject, reason }: Change): string[] {
  return [action ?? '', subjectText(subject), subject.cidr ?? '', subject.handle ?? '', reason];
}

import type { PlanItem, PlanSubject } from '../../ipam/plan.ts';
import type { TableSpec } from '../table-spec.ts';

/** What an item is about, in few words: the address, else the row. */
export function subjectText({ kind, name, namespace, address, cidr, handle }: PlanSubject): string {
  if (address !== undefined) return address;
  if (kind === 'IPAMHandle') return `handle ${handle ?? name}`;
  if (kind === 'IPAMBlock' && cidr !== undefined) return `block ${cidr}`;
  return namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}

/** Changes, one a row. */
export function changeTable(
  items: readonly Pick<PlanItem, 'action' | 'subject' | 'reason'>[],
): TableSpec {
  return {
    columns: [
      { header: 'ACTION' },
      { header: 'SUBJECT' },
      { header: 'BLOCK', dropOrder: 2 },
      { header: 'HANDLE', dropOrder: 3 },
      { header: 'REASON', dropOrder: 1 },
    ],
    rows: items.map(({ action, subject, reason }) => [
      action ?? '',
      subjectText(subject),
      subject.cidr ?? '',
      subject.handle ?? '',
      reason,
    ]),
  };
}

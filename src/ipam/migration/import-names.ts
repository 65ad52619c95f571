import { formatCidr } from '../../net/cidr.ts';
import { isObjectName } from '../model/object-name.ts';
import type { RowKeys } from '../model/row-keys.ts';
import type { ImportedRow } from './import-equal.ts';

/** How a row is called in messages. */
export function rowText(row: ImportedRow): string {
  switch (row.kind) {
    case 'IPAMBlock':
      return `block ${formatCidr(row.cidr)}`;
    case 'IPAMHandle':
      return `handle ${JSON.stringify(row.id)}`;
    case 'BlockAffinity':
      return `affinity of ${row.type} ${JSON.stringify(row.host)} for ${formatCidr(row.cidr)}`;
    case 'IPAMConfig':
      return 'the IPAM configuration';
  }
}

/** The name that a row of IPAM has in Kubernetes. */
export function objectNameOf(row: ImportedRow, keys: RowKeys): string {
  switch (row.kind) {
    case 'IPAMBlock':
      return keys.block(row.cidr).name;
    case 'IPAMHandle':
      return keys.handle(row.id).name;
    case 'BlockAffinity':
      return keys.affinity(row, row.cidr).name;
    case 'IPAMConfig':
      return row.key.name;
  }
}

/**
 * What is wrong with the names that rows would have in Kubernetes, as sentences: names that it refuses, and names that two
 * rows share, such as handle ids that differ in case, or a host and a virtual owner of one name.
 */
export function* nameProblems(rows: Iterable<ImportedRow>, keys: RowKeys): Generator<string> {
  const holders = new Map<string, ImportedRow>();
  for (const row of rows) {
    const name = objectNameOf(row, keys);
    if (!isObjectName(name))
      yield `${rowText(row)} cannot be an object in Kubernetes: its name would be ${JSON.stringify(name)}`;
    const holder = holders.get(`${row.kind} ${name}`);
    if (holder === undefined) holders.set(`${row.kind} ${name}`, row);
    else yield `${rowText(holder)} and ${rowText(row)} would share the name ${name} in Kubernetes`;
  }
}

import type { CheckAddress } from '../../operations/documents/check-document.ts';
import type { TableSpec } from '../table-spec.ts';

/** Every allocated address with what holds it. */
export function addressTable(addresses: readonly CheckAddress[]): TableSpec {
  return {
    columns: [
      { header: 'IP' },
      { header: 'STATE' },
      { header: 'NODE', dropOrder: 1 },
      { header: 'OWNERS', dropOrder: 3 },
      { header: 'HANDLE', dropOrder: 4 },
      { header: 'FINDINGS', dropOrder: 2 },
    ],
    rows: addresses.map((address) => [
      address.ip,
      stateOf(address),
      address.node ?? '',
      (address.owners ?? []).join(', '),
      address.handle ?? '',
      address.findings.length === 0 ? '' : { text: address.findings.join(', '), tone: 'warning' },
    ]),
  };
}

function stateOf({ coolingDown, inUse, borrowed }: CheckAddress): string {
  if (coolingDown) return 'cooling';
  return `${inUse ? 'in use' : 'not in use'}${borrowed ? ', borrowed' : ''}`;
}

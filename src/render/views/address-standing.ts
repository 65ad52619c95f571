import type {
  AddressCarrier,
  AddressDocument,
} from '../../operations/documents/address-document.ts';
import type { TableSpec } from '../table-spec.ts';
import type { Tone } from '../theme.ts';
import { sourceFlags } from './source.ts';

/** The answer of `ipam show --ip` in one line. */
export interface Headline {
  readonly text: string;
  readonly tone: Tone;
}

/** What to do about an address, and what to run for it. */
export interface AddressStep {
  readonly text: string;
  readonly command?: string | undefined;
}

/** What an address is, the worst first: a conflict hides a use, and a leak looks like one. */
export function headlineOf(document: AddressDocument): Headline {
  const { ip, allocated, cooling, conflict } = document;
  if (conflict) return { text: `Conflict: ${conflict.reason.replace(/\.$/, '')}`, tone: 'problem' };
  if (cooling)
    return { text: `${ip} is cooling down: released, and not yet free again`, tone: 'note' };
  return allocated ? assignedHeadline(document) : freeHeadline(document);
}

function freeHeadline({ ip, carriers, unreadable = [] }: AddressDocument): Headline {
  if (carriers.length > 0)
    return { text: `${ip} is not assigned, yet something alive shows it`, tone: 'problem' };
  return unreadable.some(({ kind }) => kind === 'IPAMBlock')
    ? { text: `${ip} is not assigned in any block that can be read`, tone: 'warning' }
    : { text: `${ip} is not assigned`, tone: 'muted' };
}

function assignedHeadline(document: AddressDocument): Headline {
  const { ip, standing, standingReason = '', owner, carriers } = document;
  if (standing === 'leaked') {
    return carriers.length === 0
      ? { text: `${ip} is assigned, but nothing alive uses it: ${standingReason}`, tone: 'warning' }
      : {
          text: `${ip} is assigned to something that does not use it, and ${standingReason}`,
          tone: 'warning',
        };
  }
  if (standing === 'unknown')
    return { text: `${ip} is assigned: ${standingReason}`, tone: 'warning' };
  if (owner?.alive === false)
    return { text: `${ip} is in use, but its owner is not alive`, tone: 'warning' };
  return { text: `${ip} is in use`, tone: 'ok' };
}

/** The next step for a conflict or a leak; undefined where none is due. */
export function stepOf(document: AddressDocument): AddressStep | undefined {
  const { ip, conflict, standing, carriers, source } = document;
  const flags = sourceFlags(source);
  if (conflict) return conflictStep(document, flags);
  if (standing !== 'leaked' || carriers.length > 0) return undefined;
  return {
    text: 'Next: a release looks again before it writes, and takes all addresses of the handle:',
    command: `ipamctl ipam release --ip ${ip} --dry-run${flags}`,
  };
}

function conflictStep({ ip, conflict }: AddressDocument, flags: string): AddressStep {
  return conflict?.forms.every((form) => form === 'two-blocks')
    ? {
        text: 'Next: find out which of the blocks below is in use, and release the address in the other one:',
        command: `ipamctl ipam release --ip ${ip} --block CIDR --dry-run${flags}`,
      }
    : {
        text: 'Next: decide who keeps the address, by place and age, and recreate the other one, so that it gets an address of its own. Release nothing while anything carries it.',
      };
}

/** Who shows the address, with places and ages, where there are several. */
export function carrierTable(carriers: readonly AddressCarrier[]): TableSpec {
  return {
    columns: [
      { header: 'SHOWN BY' },
      { header: 'NODE' },
      { header: 'CREATED', dropOrder: 1 },
      { header: 'STATE', dropOrder: 2 },
    ],
    rows: carriers.map(({ kind, namespace, name, node, createdAt, terminating }) => [
      `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`,
      node ?? (kind === 'Node' ? name : ''),
      createdAt ?? '',
      terminating ? 'terminating' : 'alive',
    ]),
  };
}

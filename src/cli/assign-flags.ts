import { randomBytes } from 'node:crypto';
import { Flags } from '@oclif/core';
import { addressFlag } from './address-flag.ts';
import { unaskedWriteFlags } from './write-flags.ts';

const WHAT = 'WHAT TO ASSIGN';

/** More in one run would be a mistake rather than a wish. */
const MOST = 65_536;

/** Flags of `ipam assign`. */
export const assignFlags = {
  node: Flags.string({
    helpGroup: WHAT,
    helpValue: 'NAME',
    summary: 'Node that gets the addresses; needed for every use but LoadBalancer.',
  }),
  use: Flags.string({
    helpGroup: WHAT,
    options: ['Workload', 'Tunnel', 'LoadBalancer'],
    default: 'Workload',
    summary: 'What they are for; a pool has to allow it.',
  }),
  ip: addressFlag({ helpGroup: WHAT, summary: 'This very address.', exclusive: ['count'] }),
  count: Flags.integer({
    helpGroup: WHAT,
    helpValue: 'N',
    min: 1,
    max: MOST,
    summary: 'So many free addresses, if not one.',
  }),
  'ip-version': Flags.string({
    helpGroup: WHAT,
    options: ['4', '6'],
    summary: 'IP version; IPv4 unless only IPv6 pools can serve.',
  }),
  pool: Flags.string({
    helpGroup: WHAT,
    helpValue: 'NAME|CIDR',
    multiple: true,
    multipleNonGreedy: true,
    summary: 'Take from this pool, whichever nodes it selects; with several, in this order.',
  }),
  handle: Flags.string({
    helpGroup: WHAT,
    helpValue: 'ID',
    summary: 'Handle that holds the addresses; a new one if absent.',
  }),
  attr: Flags.string({
    helpGroup: WHAT,
    helpValue: 'NAME=VALUE',
    multiple: true,
    multipleNonGreedy: true,
    summary: 'Attribute to record, such as pod=cart-0; node and timestamp are set anyway.',
  }),
  ...unaskedWriteFlags,
};

/** A handle that nobody else has. */
export function newHandle(): string {
  return `ipamctl-${randomBytes(8).toString('hex')}`;
}

import { Flags } from '@oclif/core';
import { addressFlag } from './address-flag.ts';
import { minAgeFlag, undoFlag, writeFlags, yesFlag } from './write-flags.ts';

const WHAT = 'WHAT TO RELEASE';

/** Flags of `ipam release`. */
export const releaseFlags = {
  ip: addressFlag({
    helpGroup: WHAT,
    summary: 'This address, with all addresses of its handle; with --force it alone.',
  }),
  block: Flags.string({
    helpGroup: WHAT,
    helpValue: 'CIDR',
    summary: 'Which block is meant, if the address is allocated in two.',
  }),
  'from-report': Flags.string({
    helpGroup: WHAT,
    helpValue: 'FILE',
    multiple: true,
    multipleNonGreedy: true,
    summary: 'What this report of ipam check offers; with several, what all of them do.',
  }),
  handle: Flags.string({
    helpGroup: WHAT,
    helpValue: 'ID',
    summary: 'All addresses of a handle, or its row if it has none.',
  }),
  node: Flags.string({
    helpGroup: WHAT,
    helpValue: 'NAME',
    summary: 'Leaked addresses of this node.',
  }),
  pod: Flags.string({
    helpGroup: WHAT,
    helpValue: 'NAMESPACE/NAME',
    summary: 'Addresses that were made for a pod.',
  }),
  leaked: Flags.boolean({ helpGroup: WHAT, summary: 'Every address that is leaked in two looks.' }),
  force: Flags.boolean({
    summary:
      'With --ip, --handle and --pod: release even what is, or may be, in use, and nothing beside what was named.',
  }),
  'min-age': minAgeFlag,
  ...writeFlags,
  yes: yesFlag('Do not ask before writing; with --ip and --from-report nothing is asked.'),
  ...undoFlag,
};

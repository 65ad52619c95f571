import { Flags } from '@oclif/core';
import type { ShowUtilizationOptions } from '../operations/show-utilization.ts';
import { FORMATS, type Format } from '../render/format.ts';
import { addressFlag } from './address-flag.ts';
import { formatFlag } from './flags.ts';

/** Flags that ask for a document of their own, so that only one of them can be answered. */
const OTHER_DOCUMENTS = ['ip', 'show-borrowed', 'show-configuration'];

/** Flags of `ipam show`. */
export const showFlags = {
  ip: addressFlag({
    summary: 'Who holds this address, since when, and is that alive.',
    exclusive: ['show-borrowed', 'show-configuration', 'show-blocks', 'by', 'map', 'pool', 'node'],
  }),
  'show-borrowed': Flags.boolean({
    summary: 'Addresses that a node holds in a block of another.',
    exclusive: ['show-configuration', 'show-blocks', 'by', 'map', 'pool', 'node'],
  }),
  'show-configuration': Flags.boolean({
    summary: 'The IPAM configuration.',
    exclusive: ['show-blocks', 'by', 'map', 'pool', 'node'],
  }),
  'show-blocks': Flags.boolean({ summary: 'List the blocks of each pool too.' }),
  by: Flags.option({
    options: ['pool', 'node', 'namespace'] as const,
    summary: 'What to group the counts by.',
    exclusive: OTHER_DOCUMENTS,
  })(),
  map: Flags.boolean({
    summary: 'Draw every block, one letter an address.',
    exclusive: OTHER_DOCUMENTS,
  }),
  pool: Flags.string({ helpValue: 'NAME', summary: 'Only this pool.' }),
  node: Flags.string({ helpValue: 'NAME', summary: 'Only this node and its blocks.' }),
  format: formatFlag(FORMATS),
};

/** Values of {@link showFlags} that decide what is counted and listed. */
export interface ShowFlags {
  readonly by?: ShowUtilizationOptions['by'];
  readonly 'show-blocks': boolean;
  readonly map: boolean;
  readonly pool?: string | undefined;
  readonly node?: string | undefined;
  readonly format: Format;
}

/** Options of the operation that counts. A page shows everything unless a grouping was chosen. */
export function utilizationOptionsFrom({
  'show-blocks': showBlocks,
  format,
  ...flags
}: ShowFlags): ShowUtilizationOptions {
  const { by, map, pool, node } = flags;
  const everything = format === 'html' && by === undefined;
  return { by, showBlocks, map, everything, pool, node };
}

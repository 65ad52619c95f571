import { Flags } from '@oclif/core';
import { UsageError } from '../errors/usage-error.ts';
import { durationFlag } from './flags.ts';
import { unaskedWriteFlags } from './write-flags.ts';

const WHEN = 'WHEN';
const METRICS = 'METRICS';

/** As long as Calico's own collector waits. */
const DEFAULT_GRACE_MS = 900_000;

/** A shorter time between rounds would do nothing but ask the server. */
const SHORTEST_INTERVAL_MS = 1000;

/** Flags of `ipam gc`. */
export const gcFlags = {
  once: Flags.boolean({
    helpGroup: WHEN,
    summary:
      'One round, then end. Waits the grace period between its two looks, or has the first from the state file.',
    exclusive: ['interval'],
  }),
  interval: durationFlag({ helpGroup: WHEN, summary: 'A round each time that this has passed.' }),
  'leak-grace': durationFlag({
    helpGroup: WHEN,
    default: DEFAULT_GRACE_MS,
    defaultHelp: () => Promise.resolve('15m'),
    summary:
      'How long a leak or an empty block of a live node has to be seen; 0 leaves both alone.',
  }),
  'state-file': Flags.string({
    helpGroup: WHEN,
    helpValue: 'FILE',
    summary: 'Remember in this file what was seen, from run to run.',
  }),
  'metrics-file': Flags.string({
    helpGroup: METRICS,
    helpValue: 'FILE',
    summary: 'Write metrics to this file after each round.',
  }),
  'metrics-listen': Flags.string({
    helpGroup: METRICS,
    helpValue: '[ADDRESS:]PORT',
    summary: 'Serve metrics at /metrics, on this machine only.',
  }),
  ...unaskedWriteFlags,
  'undo-file': Flags.string({
    helpGroup: 'WRITING',
    helpValue: 'FILE',
    summary: 'With --once: record the changes for ipam restore in this file; otherwise nowhere.',
  }),
};

/** Values of the flags that say when rounds are made. */
export interface RoundFlags {
  readonly once: boolean;
  readonly interval?: number | undefined;
  readonly 'undo-file'?: string | undefined;
  readonly 'dry-run': boolean;
}

/** @throws {@link UsageError} unless it is said, once, when to make rounds. */
export function assertRounds(flags: RoundFlags): void {
  const { once, interval } = flags;
  if (!once && interval === undefined)
    throw new UsageError('it is not said when to collect', { hint: 'use --once or --interval 5m' });
  if (once) return;
  if (interval !== undefined && interval < SHORTEST_INTERVAL_MS)
    throw new UsageError('--interval: the shortest time is 1s');
  if (flags['undo-file'] !== undefined) throw new UsageError('--undo-file goes with --once');
  if (flags['dry-run']) throw new UsageError('--dry-run goes with --once');
}

import type { Cooling } from '../ipam/allocator/collect-cooled.ts';
import { DEFAULT_IPAM_CONFIG, type IpamConfigRow } from '../ipam/model/ipam-config.ts';
import type { RowStore } from './row-store.ts';

/** Time for the engine. */
export interface EngineClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Nanoseconds since 1970; made from {@link EngineClock.now} when absent. Two calls must not give one number. */
  nanoseconds?(): bigint;
}

/** What every operation of the engine works with. */
export interface EngineContext {
  readonly store: RowStore;
  readonly clock: Required<EngineClock>;
}

/** The settings of IPAM that the engine obeys. */
export type EngineConfig = Pick<
  IpamConfigRow,
  'strictAffinity' | 'autoAllocateBlocks' | 'maxBlocksPerHost' | 'ipCooldownSeconds'
>;

/** How often an operation starts over after a lost race, as in Calico. Nothing waits in between. */
export const RETRIES = 100;

/** The stored configuration as it is, or Calico's defaults where there is none. */
export async function readConfig(context: EngineContext): Promise<EngineConfig> {
  return (await context.store.config()) ?? DEFAULT_IPAM_CONFIG;
}

/** What decides now whether released addresses may be given out again. */
export function coolingOf(
  context: EngineContext,
  config: Pick<EngineConfig, 'ipCooldownSeconds'>,
): Cooling {
  return { now: context.clock.now(), cooldownSeconds: config.ipCooldownSeconds };
}

/** A number for a new block: the time in nanoseconds, which no block has had before. */
export function firstSequenceNumber({ clock }: EngineContext): bigint {
  return clock.nanoseconds();
}

/** Nanoseconds of a millisecond, and more updates than a block can see in one. */
const NANOSECONDS = 1_000_000n;

/** A clock whose nanoseconds go on where its milliseconds stand still: a block that is made anew must not repeat numbers. */
export function withNanoseconds(clock: EngineClock): Required<EngineClock> {
  let last = 0n;
  return {
    now: () => clock.now(),
    nanoseconds() {
      if (clock.nanoseconds) return clock.nanoseconds();
      const now = BigInt(Math.trunc(clock.now())) * NANOSECONDS;
      last = now > last ? now : last + NANOSECONDS;
      return last;
    },
  };
}

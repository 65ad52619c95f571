import { UsageError } from '../../errors/usage-error.ts';
import {
  NEWER_GROUP_BOUNDS,
  OLDER_GROUP_BOUNDS,
  type SettingBounds,
} from '../../ipam/allocator/config-rules.ts';
import type { IpamConfigRow } from '../../ipam/model/ipam-config.ts';
import type { UndoHistory } from '../undo/undo-log.ts';

/** Settings to change; the others keep their value. */
export type SettingChanges = Partial<
  Pick<
    IpamConfigRow,
    | 'strictAffinity'
    | 'autoAllocateBlocks'
    | 'maxBlocksPerHost'
    | 'kubeVirtVMAddressPersistence'
    | 'ipCooldownSeconds'
  >
>;

/** How to configure. */
export interface ConfigureOptions {
  /** Undefined takes the stored configuration away, so that the built-in values hold. */
  readonly changes: SettingChanges | undefined;
  readonly isMismatchAllowed: boolean;
  /** What the undo file says that this run goes on with. */
  readonly history?: UndoHistory | undefined;
}

/** Flags of `ipam configure`, as texts. */
export interface SettingFlags {
  readonly strictaffinity?: string | undefined;
  readonly 'auto-allocate-blocks'?: string | undefined;
  readonly 'max-blocks-per-host'?: string | undefined;
  readonly 'kubevirt-ip-persistence'?: string | undefined;
  readonly 'ip-cooldown-seconds'?: string | undefined;
  readonly reset: boolean;
}

/** Truth values as calicoctl takes them. */
const TRUTHS: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'TRUE', 'true', 'True'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'FALSE', 'false', 'False'].map((text) => [text, false] as const),
]);

/** Settings that are whole numbers, by their flags. */
const INTEGERS = {
  'max-blocks-per-host': 'maxBlocksPerHost',
  'ip-cooldown-seconds': 'ipCooldownSeconds',
} as const;

/**
 * What the flags ask for; undefined for `--reset`.
 * @throws {@link UsageError} when nothing is asked for, or a value has the wrong form or is out of any bounds.
 */
export function settingChangesFrom(flags: SettingFlags): SettingChanges | undefined {
  const changes = {
    ...defined('strictAffinity', truthOf(flags, 'strictaffinity')),
    ...defined('autoAllocateBlocks', truthOf(flags, 'auto-allocate-blocks')),
    ...defined('maxBlocksPerHost', integerOf(flags, 'max-blocks-per-host')),
    ...defined('kubeVirtVMAddressPersistence', persistenceOf(flags)),
    ...defined('ipCooldownSeconds', integerOf(flags, 'ip-cooldown-seconds')),
  } as SettingChanges;
  const isEmpty = Object.keys(changes).length === 0;
  if (flags.reset && isEmpty) return undefined;
  if (flags.reset)
    throw new UsageError('--reset takes all settings away and goes with no other setting', {
      hint: 'reset first, then set what should differ',
    });
  if (isEmpty)
    throw new UsageError('nothing to configure was given', {
      hint: 'use one of --strictaffinity, --auto-allocate-blocks, --max-blocks-per-host, --kubevirt-ip-persistence, --ip-cooldown-seconds and --reset',
    });
  assertBounds(changes, OLDER_GROUP_BOUNDS);
  return changes;
}

/**
 * Refuses values that the datastore would refuse, or store as something else.
 * @throws {@link UsageError}
 */
export function assertBounds(changes: SettingChanges, bounds: SettingBounds): void {
  const flags = {
    maxBlocksPerHost: '--max-blocks-per-host',
    ipCooldownSeconds: '--ip-cooldown-seconds',
  } as const;
  for (const name of ['maxBlocksPerHost', 'ipCooldownSeconds'] as const) {
    const value = changes[name];
    if (value === undefined || (value >= 0 && value <= bounds[name])) continue;
    throw outOfBounds(flags[name], value, bounds[name]);
  }
}

function outOfBounds(flag: string, value: number | string, bound: number): UsageError {
  return new UsageError(`${flag}: ${value} is not between 0 and ${bound}`);
}

/** Bounds of the API group that an object or a connection names; etcd has none of its own and gets the newer group's. */
export function boundsOf(apiVersion: string | undefined, form: 'object' | 'entry'): SettingBounds {
  const isOlder = form === 'object' && apiVersion?.startsWith('projectcalico.org/') !== true;
  return isOlder ? OLDER_GROUP_BOUNDS : NEWER_GROUP_BOUNDS;
}

function defined<T>(name: keyof SettingChanges, value: T | undefined): Record<string, T> {
  return value === undefined ? {} : { [name]: value };
}

function truthOf(
  flags: SettingFlags,
  name: 'strictaffinity' | 'auto-allocate-blocks',
): boolean | undefined {
  const text = flags[name];
  if (text === undefined) return undefined;
  const truth = TRUTHS.get(text);
  if (truth !== undefined) return truth;
  throw new UsageError(`--${name}: "${text}" is neither true nor false`);
}

function integerOf(
  flags: SettingFlags,
  name: 'max-blocks-per-host' | 'ip-cooldown-seconds',
): number | undefined {
  const text = flags[name];
  if (text === undefined) return undefined;
  if (!/^[+-]?\d+$/.test(text)) throw new UsageError(`--${name}: "${text}" is no whole number`);
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  // Told as it was typed: as a number it would be another one.
  throw outOfBounds(`--${name}`, text, OLDER_GROUP_BOUNDS[INTEGERS[name]]);
}

function persistenceOf(flags: SettingFlags): 'Enabled' | 'Disabled' | undefined {
  const text = flags['kubevirt-ip-persistence'];
  if (text === undefined || text === 'Enabled' || text === 'Disabled') return text;
  throw new UsageError(`--kubevirt-ip-persistence: "${text}" is neither Enabled nor Disabled`);
}

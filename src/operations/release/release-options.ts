import { type ReadReport } from '../../check/read-report.ts';
import { UsageError } from '../../errors/usage-error.ts';
import type { Address } from '../../net/address.ts';
import { type Cidr, parseCidr } from '../../net/cidr.ts';
import type { UndoHistory } from '../undo/undo-log.ts';

/** What to release; one kind of selector a run. */
export type ReleaseSelector =
  | { readonly by: 'address'; readonly address: Address; readonly block?: Cidr | undefined }
  | { readonly by: 'handle'; readonly handle: string }
  | { readonly by: 'pod'; readonly namespace: string; readonly name: string }
  | { readonly by: 'node'; readonly node: string }
  | { readonly by: 'leaked' }
  | { readonly by: 'reports'; readonly reports: readonly ReadReport[] };

/** How to release. */
export interface ReleaseOptions {
  readonly selector: ReleaseSelector;
  /** What is younger is left alone, in milliseconds. */
  readonly minAgeMs: number;
  /** Takes what was named although it is or may be alive; counts with address, handle and pod only. */
  readonly isForced: boolean;
  readonly isMismatchAllowed: boolean;
  /** What the undo file says that this run goes on with. */
  readonly history?: UndoHistory | undefined;
}

/** Flags of `ipam release` that choose what is released. */
export interface SelectorFlags {
  readonly ip?: Address | undefined;
  readonly block?: string | undefined;
  readonly 'from-report'?: readonly string[] | undefined;
  readonly handle?: string | undefined;
  readonly node?: string | undefined;
  readonly pod?: string | undefined;
  readonly leaked: boolean;
}

/**
 * The selector that the flags ask for.
 * @param reports The reports of `--from-report`, read.
 * @throws {@link UsageError} when it is none or several, or a value has the wrong form.
 */
export function selectorFrom(
  flags: SelectorFlags,
  reports: readonly ReadReport[],
): ReleaseSelector {
  if (flags.block !== undefined && flags.ip === undefined)
    throw new UsageError('--block belongs to --ip');
  const selectors = selectorsIn(flags, reports);
  const [only] = selectors;
  if (only !== undefined && selectors.length === 1) return only;
  throw new UsageError(
    only === undefined
      ? 'nothing to release was named'
      : 'only one kind of selector can be used in a run',
    { hint: 'use one of --ip, --from-report, --handle, --node, --pod and --leaked' },
  );
}

function selectorsIn(
  flags: SelectorFlags,
  reports: readonly ReadReport[],
): readonly ReleaseSelector[] {
  const { ip, handle, node, pod, leaked } = flags;
  const selectors: ReleaseSelector[] = [];
  if (ip !== undefined) selectors.push({ by: 'address', address: ip, block: blockOf(flags.block) });
  if (reports.length > 0) selectors.push({ by: 'reports', reports });
  if (handle !== undefined) selectors.push({ by: 'handle', handle: named(handle, 'handle') });
  if (node !== undefined) selectors.push({ by: 'node', node: named(node, 'node') });
  if (pod !== undefined) selectors.push({ by: 'pod', ...podOf(pod) });
  if (leaked) selectors.push({ by: 'leaked' });
  return selectors;
}

function blockOf(text: string | undefined): Cidr | undefined {
  if (text === undefined) return undefined;
  const cidr = parseCidr(text);
  if (cidr === undefined)
    throw new UsageError(`--block: "${text}" is no block`, { hint: 'write it as 198.18.0.0/26' });
  return cidr;
}

function podOf(text: string): { readonly namespace: string; readonly name: string } {
  const [namespace, name, ...rest] = text.split('/');
  if (namespace && name && rest.length === 0) return { namespace, name };
  throw new UsageError(`--pod: "${text}" is no pod`, { hint: 'write it as NAMESPACE/NAME' });
}

function named(text: string, flag: string): string {
  if (text === '') throw new UsageError(`--${flag} is empty`);
  return text;
}

/** Whether the selector names one thing, so that `--force` counts and keeping it is a refusal. */
export function isNamed({ by }: ReleaseSelector): boolean {
  return by === 'address' || by === 'handle' || by === 'pod';
}

/** Whether the user is asked first: what calicoctl has too is never asked about. */
export function isAsked({ by }: ReleaseSelector): boolean {
  return by !== 'address' && by !== 'reports';
}

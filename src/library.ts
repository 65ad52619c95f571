/**
 * What the package offers to programs: Calico's IPAM library, the check, and counts that are kept current while rows change,
 * on a live cluster or on a dump of one.
 * Everything else in it may change from one version to the next.
 */
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import type { WritableDatastore } from './datastore/datastore.ts';
import { openDatastore } from './datastore/open-datastore.ts';
import type { CheckDocument } from './operations/documents/check-document.ts';
import { type CheckOptions, runCheck } from './operations/run-check.ts';
import type { Clock } from './support/clock.ts';

export type { WritableDatastore } from './datastore/datastore.ts';
export type { AssignAddressRequest } from './engine/assign-address.ts';
export type { AutoAssignRequest, AutoAssignResult, FamilyRequest } from './engine/auto-assign.ts';
export type { AssignmentAttributes, OwnerRequest } from './engine/assignment-attributes.ts';
export type { ClaimResult } from './engine/claim-range.ts';
export type { EngineClock } from './engine/engine-context.ts';
export type { EnsureRequest } from './engine/ensure-block.ts';
export type { EngineOptions } from './engine/ipam-engine.ts';
export { IpamEngine } from './engine/ipam-engine.ts';
export type { FamilyAssignment, ShortfallReason } from './engine/partial-result.ts';
export { describeShortfall } from './engine/partial-result.ts';
export type { ReleaseOption, ReleaseResult } from './engine/release-addresses.ts';
export type { EngineErrorCategory } from './errors/engine-error.ts';
export { EngineError, isEngineError } from './errors/engine-error.ts';
export { ToolError } from './errors/tool-error.ts';
export { nearlyFullPercent } from './ipam/accounting/nearly-full.ts';
export type { PoolName, PoolSummary, TrackedBlockCounts } from './ipam/accounting/tracker.ts';
export { OUTSIDE_POOLS, UsageTracker } from './ipam/accounting/tracker.ts';
export type { IpamSettings } from './ipam/allocator/config-rules.ts';
export type { PoolUsage } from './ipam/allocator/pool-usage.ts';
export type { BlockOwner } from './ipam/block-owner.ts';
export type { Finding } from './check/finding.ts';
export type { BlockRow } from './ipam/model/block.ts';
export type { Address, Family } from './net/address.ts';
export { formatAddress, parseAddress } from './net/address.ts';
export type { Cidr } from './net/cidr.ts';
export { formatCidr, parseCidr } from './net/cidr.ts';
export type { CheckDocument } from './operations/documents/check-document.ts';
export type { CheckOptions } from './operations/run-check.ts';
export type { Clock } from './support/clock.ts';

/** Where a cluster is found. */
export interface ClusterSource {
  /** File of credentials; where `KUBECONFIG` and the home folder say when absent. */
  readonly kubeconfig?: string | undefined;
  /** Context in it; the current one when absent. */
  readonly context?: string | undefined;
  /** A dump, a file or folder, to open in place of a live cluster. */
  readonly snapshot?: string | undefined;
  /** At most so many requests a second. */
  readonly qps?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Opens a cluster; whoever opens it closes it.
 * @throws {@link ToolError} when it cannot be opened.
 */
export async function openCluster(source: ClusterSource = {}): Promise<WritableDatastore> {
  return openDatastore({ ...source, env: process.env, homeDir: homedir() });
}

/** How to check, beside what `ipamctl ipam check` takes. */
export interface LibraryCheckOptions extends Partial<CheckOptions> {
  /** The system's clock when absent. */
  readonly clock?: Clock | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Takes sentences that a user should see. */
  readonly warn?: ((text: string) => void) | undefined;
}

const CHECK_DEFAULTS: CheckOptions = {
  failOn: 'error',
  only: [],
  skip: [],
  minAgeMs: 300_000,
  allowPartial: false,
  showAllIps: false,
  report: false,
};

/** Judges a cluster by all rules, as `ipamctl ipam check` does, and gives its document. */
export async function checkCluster(
  datastore: WritableDatastore,
  options: LibraryCheckOptions = {},
): Promise<CheckDocument> {
  const { clock = SYSTEM_CLOCK, signal, warn, ...rest } = options;
  const context = {
    datastore,
    clock,
    progress: { step: () => undefined, warn: (text: string) => warn?.(text) },
    signal: signal ?? new AbortController().signal,
    toolVersion: packageVersion(),
  };
  return (await runCheck(context, { ...CHECK_DEFAULTS, ...rest })).document;
}

const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) =>
    setTimeout(milliseconds, undefined, signal === undefined ? {} : { signal }),
};

function packageVersion(): string {
  const manifest = createRequire(import.meta.url)('../package.json') as {
    readonly version: string;
  };
  return manifest.version;
}

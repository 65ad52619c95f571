import { DEFAULT_IPAM_CONFIG } from '../ipam/model/ipam-config.ts';
import type { OperationContext } from './context.ts';
import { assertVersion } from './guards.ts';
import { type Mutation, mutationOf } from './mutation.ts';
import { applyRelease } from './release/apply-release.ts';
import { deselectedClaims } from './release/claim-unit.ts';
import { HandleTally } from './release/handle-tally.ts';
import { pendingLowerings } from './release/pending-lowerings.ts';
import { isNamed, type ReleaseOptions } from './release/release-options.ts';
import type { ReleaseSelection } from './release/release-selection.ts';
import { selectLeaked } from './release/select-leaked.ts';
import { selectAddress, selectHandle, selectPod } from './release/select-named.ts';
import { selectReported } from './release/select-reported.ts';

/**
 * Plans the release of addresses and of handles that hold none. Nothing alive is taken, and a handle goes whole or not at
 * all, unless it is forced: then exactly what was named goes.
 * @throws {@link NotFoundError}, {@link PreconditionError}, {@link UnsupportedError} when the selector cannot be served.
 */
export async function planRelease(
  context: OperationContext,
  options: ReleaseOptions,
): Promise<Mutation> {
  const selection = await select(context, options);
  const { look, units, handles } = selection;
  assertVersion(look.state, options.isMismatchAllowed);
  const cooldownSeconds = (look.state.config ?? DEFAULT_IPAM_CONFIG).ipCooldownSeconds;
  const claims = deselectedClaims(look.state, units, cooldownSeconds);
  const pending = pendingLowerings(options.history, look.state);
  const tally = new HandleTally();
  for (const { handleId, cidr, count, item } of pending) tally.add(handleId, { cidr, count }, item);
  const changedHands =
    options.selector.by === 'leaked' || options.selector.by === 'node' ? 'harmless' : 'refusal';
  const isForced = options.isForced && isNamed(options.selector);
  return mutationOf({
    context,
    state: look.state,
    command: 'ipam release',
    items: [
      ...selection.items,
      ...claims.map(({ item }) => item),
      ...pending.map(({ item }) => item),
    ],
    reports: selection.reports,
    history: options.history,
    notes: [...(selection.notes ?? []), ...idleForceNotes(options)],
    notesIfApplied: cooldownNotes(selection, cooldownSeconds),
    run: ({ ledger, writer }) =>
      applyRelease(
        { units, handles, claims, tally, changedHands, isForced },
        { context, look, ledger, writer },
      ),
  });
}

function select(
  context: OperationContext,
  { selector, minAgeMs, isForced }: ReleaseOptions,
): Promise<ReleaseSelection> {
  switch (selector.by) {
    case 'address':
      return selectAddress(context, selector, { minAgeMs, isForced });
    case 'handle':
      return selectHandle(context, selector.handle, { minAgeMs, isForced });
    case 'pod':
      return selectPod(context, selector, { minAgeMs, isForced });
    case 'node':
      return selectLeaked(context, { minAgeMs, node: selector.node });
    case 'leaked':
      return selectLeaked(context, { minAgeMs });
    case 'reports':
      return selectReported(context, selector.reports, { minAgeMs });
  }
}

/** Whoever gives --force should know when it does nothing. */
function idleForceNotes({ isForced, selector }: ReleaseOptions): readonly string[] {
  if (!isForced || isNamed(selector)) return [];
  return ['--force counts with --ip, --handle and --pod only: here it lifts nothing.'];
}

function cooldownNotes({ units }: ReleaseSelection, cooldownSeconds: number): readonly string[] {
  if (cooldownSeconds <= 0 || units.length === 0) return [];
  return [
    `A cooldown of ${cooldownSeconds} seconds is configured: released addresses can be assigned after that.`,
  ];
}

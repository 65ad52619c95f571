import { PreconditionError } from '../errors/precondition-error.ts';
import {
  collectorMetrics,
  metricNode,
  metricPool,
  type Reclamations,
  withReclamations,
} from '../ipam/collector/collector-metrics.ts';
import {
  type CollectorScan,
  type ScanContext,
  scanCluster,
} from '../ipam/collector/collector-scan.ts';
import { observe, type Observed } from '../ipam/collector/observations.ts';
import { DEFAULT_IPAM_CONFIG } from '../ipam/model/ipam-config.ts';
import type { JsonObject } from '../ipam/model/resource.ts';
import type { Row } from '../ipam/model/row.ts';
import type { ClusterState } from '../ipam/state/cluster-state.ts';
import { parseCidr } from '../net/cidr.ts';
import type { OperationContext } from './context.ts';
import type { OutcomeDocument } from './documents/outcome-document.ts';
import { applyCollection } from './gc/apply-collection.ts';
import { type CollectionPlan, planCollection } from './gc/collection-plan.ts';
import {
  type CollectorMemory,
  type CollectorMetrics,
  EMPTY_MEMORY,
  memoryDocument,
} from './gc/collector-memory.ts';
import type { CollectorOptions } from './gc/collector-options.ts';
import { rowsOf } from './gc/collector-rows.ts';
import { unfinishedReleases } from './gc/unfinished-releases.ts';
import { assertBlocksLoaded, assertSameCluster, assertVersion } from './guards.ts';
import { type Look, takeLook } from './look.ts';
import { type Mutation, mutationOf } from './mutation.ts';
import { pendingLowerings } from './release/pending-lowerings.ts';
import type { UndoSink } from './undo/undo-log.ts';

const COMMAND = 'ipam gc';

const LOCKED_NOTE =
  'The datastore is locked, or not marked ready: nothing was looked for, and nothing was written. ipamctl datastore migrate status says who locked it.';

const NAMELESS =
  'the cluster does not say which it is, so what is seen of it cannot be kept in a state file';

/** Without these nothing can be called leaked, and no node absent. */
const EVIDENCE = ['Node', 'Pod', 'Service'] as const;

/** One round: what it would clean up, and what it saw. */
export interface CollectorRound {
  readonly mutation: Mutation;
  /** The datastore is locked, or not marked ready: nothing is done. */
  readonly isLocked: boolean;
  /** Leaks or empty blocks have to be seen for longer before anything is done about them. */
  readonly isWaiting: boolean;
}

/**
 * Cleans up what pods, machines and nodes that are gone have left behind, as Calico's own collector does, for clusters that
 * run none. It remembers what it has seen from round to round.
 * Source: Calico kube-controllers, node controller, IPAM garbage collection.
 */
export class GarbageCollector {
  readonly #context: OperationContext;
  readonly #options: CollectorOptions;
  #memory: CollectorMemory;
  #metrics: CollectorMetrics = [];
  #moment = 0;

  constructor(context: OperationContext, options: CollectorOptions) {
    this.#context = context;
    this.#options = options;
    this.#memory = options.memory ?? EMPTY_MEMORY;
  }

  /** What has been seen up to now, as a state file holds it. */
  get document(): JsonObject {
    return memoryDocument(this.#memory);
  }

  /** Metrics of the last round; none after one that found the datastore locked. */
  get metrics(): CollectorMetrics {
    return this.#metrics;
  }

  /**
   * Looks at the cluster and plans a round. What is to be released is looked at once more.
   * @param waitedMs How long was waited since the look before, at least; a clock that stands still does not show it.
   * @throws {@link PreconditionError} when what was remembered is of another cluster.
   */
  async round(waitedMs = 0): Promise<CollectorRound> {
    const { live } = this.#context.datastore.capabilities;
    const look = await takeLook(this.#context, live ? undefined : isClaim);
    this.#admit(look.state);
    if (isLocked(look.state)) return this.#lockedRound(look.state);
    const context = this.#scanContext(look);
    const scan = scanCluster(look.state, context);
    const observed = this.#observe(look, scan, waitedMs);
    const last = await this.#lastLook(look, scan, observed);
    if (isLocked(last.state)) return this.#lockedRound(last.state);
    const plan = planCollection(last, observed, this.#scanContext(last));
    const { leakGraceMs } = this.#options;
    return {
      mutation: this.#mutation(last, plan),
      isLocked: false,
      isWaiting: leakGraceMs > 0 && isAnyUnconfirmed(observed),
    };
  }

  #admit(state: ClusterState): void {
    const { memoryName, isMismatchAllowed } = this.#options;
    assertBlocksLoaded(state);
    const { clusterGUID } = state.clusterInformation ?? {};
    if (memoryName !== undefined && !clusterGUID) throw new PreconditionError(NAMELESS);
    // A cluster may be rebuilt behind its address while this runs.
    if (this.#memory.clusterGUID !== undefined)
      assertSameCluster(state, this.#memory.clusterGUID, memoryName ?? 'what was seen up to now');
    assertVersion(state, isMismatchAllowed);
    this.#memory = { ...this.#memory, clusterGUID };
  }

  #scanContext({ state, now }: Look): ScanContext {
    const { leakGraceMs, minAgeMs } = this.#options;
    const { ipCooldownSeconds } = state.config ?? DEFAULT_IPAM_CONFIG;
    return { now, leakGraceMs, minAgeMs, cooldownSeconds: ipCooldownSeconds };
  }

  #observe(look: Look, scan: CollectorScan, waitedMs: number): Observed {
    const { state } = look;
    this.#moment = Math.max(look.now, this.#moment === 0 ? 0 : this.#moment + waitedMs);
    const context = { ...this.#scanContext(look), now: this.#moment };
    const observed = observe(this.#memory.observations, scan, context);
    const reclamations = ofKnownNodes(this.#memory.reclamations, state);
    this.#memory = { ...this.#memory, observations: observed.observations, reclamations };
    this.#metrics = collectorMetrics(state, scan, reclamations);
    return observed;
  }

  /** Fresh eyes on what would be written; a source that stands still would show the same. */
  async #lastLook(look: Look, scan: CollectorScan, observed: Observed): Promise<Look> {
    const isIdle =
      observed.confirmedLeaks.size + observed.confirmedEmpty.size === 0 &&
      scan.coldBlocks.length + scan.absentNodes.length === 0 &&
      unfinishedReleases(look.state).length === 0;
    if (isIdle || !this.#context.datastore.capabilities.live) return look;
    const rows = rowsOf(scan, look.state);
    return takeLook(this.#context, ({ kind, key }) => rows.has(`${kind} ${key.name}`));
  }

  #lockedRound(state: ClusterState): CollectorRound {
    this.#metrics = [];
    const context = this.#context;
    const run = () => Promise.resolve();
    const parts = { context, state, command: COMMAND, items: [], notes: [LOCKED_NOTE], run };
    return { mutation: mutationOf(parts), isLocked: true, isWaiting: false };
  }

  #mutation(look: Look, plan: CollectionPlan): Mutation {
    const { state } = look;
    const { history } = this.#options;
    const context = this.#context;
    const { cooldownSeconds } = this.#scanContext(look);
    const pending = pendingLowerings(history, state);
    const unjudged = unjudgedNotes(state);
    const mutation = mutationOf({
      context,
      state,
      command: COMMAND,
      items: [...plan.items, ...pending.map(({ item }) => item)],
      notes: unjudged,
      isPartial: unjudged.length > 0,
      history,
      run: ({ ledger, writer }) =>
        applyCollection({ ...plan, pending }, { context, look, ledger, writer, cooldownSeconds }),
    });
    return {
      ...mutation,
      apply: async (undo?: UndoSink) => {
        const outcome = await mutation.apply(undo);
        const reclamations = reclaimed(state, outcome.document, this.#memory.reclamations);
        this.#memory = { ...this.#memory, reclamations };
        this.#metrics = withReclamations(this.#metrics, reclamations);
        return outcome;
      },
    };
  }
}

/** Rows that a round may write. */
function isClaim({ kind }: Row): boolean {
  return kind === 'IPAMBlock' || kind === 'IPAMHandle' || kind === 'BlockAffinity';
}

/** A cluster that does not say that it is ready is not, unless the source leaves that kind out altogether. */
function isLocked(state: ClusterState): boolean {
  const { clusterInformation } = state;
  if (clusterInformation) return clusterInformation.datastoreReady === false;
  return state.isLoaded('ClusterInformation');
}

function isAnyUnconfirmed({ observations, confirmedLeaks, confirmedEmpty }: Observed): boolean {
  const { leaks, emptyBlocks } = observations;
  return leaks.size > confirmedLeaks.size || emptyBlocks.size > confirmedEmpty.size;
}

function unjudgedNotes(state: ClusterState): readonly string[] {
  const missing = EVIDENCE.filter((kind) => !state.isLoaded(kind));
  if (missing.length === 0) return [];
  return [`Leaks and absent nodes were not looked for without ${missing.join(', ')}.`];
}

/** Counts of nodes that are gone with all that they had are dropped, or they would pile up. */
function ofKnownNodes(counts: Reclamations, state: ClusterState): Reclamations {
  if (!state.isLoaded('Node')) return counts;
  const owners = new Set(state.blocks.map(({ node }) => metricNode(node)));
  return new Map(
    [...counts].filter(([, { node }]) => state.node(node) !== undefined || owners.has(node)),
  );
}

/** Released leaks, added to those of earlier rounds. */
function reclaimed(
  state: ClusterState,
  { items }: OutcomeDocument,
  before: Reclamations,
): Reclamations {
  const counts = new Map(before);
  for (const { action, result, subject } of items) {
    if (action !== 'release-address' || result !== 'applied') continue;
    const cidr = parseCidr(subject.cidr ?? '');
    const pool = metricPool(state, cidr);
    const node = metricNode(subject.node);
    const id = `${pool} ${node}`;
    counts.set(id, { pool, node, count: (counts.get(id)?.count ?? 0) + 1 });
  }
  return counts;
}

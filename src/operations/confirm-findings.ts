import { Fingerprints } from '../check/fingerprint.ts';
import { findingIdentity } from '../check/identity.ts';
import type { Rule, RowReference, RuleContext } from '../check/rule.ts';
import { type RuleResult, runRules } from '../check/run-rules.ts';
import type { NodeRow } from '../ipam/model/node.ts';
import {
  RESOURCE_KINDS,
  type ResourceKey,
  type ResourceKind,
  keyText,
} from '../ipam/model/resource.ts';
import type { Row } from '../ipam/model/row.ts';
import { ClusterStateBuilder } from '../ipam/state/builder.ts';
import type { ClusterState } from '../ipam/state/cluster-state.ts';
import { mapLimit } from '../support/map-limit.ts';
import type { OperationContext } from './context.ts';
import { Denials } from './denials.ts';
import { eachRow } from './load-rows.ts';
import { UnchangedRows } from './unchanged-rows.ts';

/** Up to so many rows of a kind are read one by one; beyond that their revisions, or the kind, are listed once more. */
const SINGLE_READS = 50;

/** Requests in flight while rows are read one by one. */
const CONCURRENCY = 8;

/** How often rows are read again because they changed between two looks. */
const ROUNDS = 4;

interface Suspect {
  readonly rule: Rule;
  readonly identity: string;
  readonly rows: readonly RowReference[];
}

/**
 * Confirms before blaming: two lists of a live datastore are of two moments, and their difference may be a fault that
 * never was. The rows on which such a finding rests are read again and judged alone. It stands when two looks that
 * follow each other both show it and all its rows are the same in both, for then they were so at one moment.
 */
export async function confirmFindings(
  context: OperationContext,
  judged: {
    readonly state: ClusterState;
    readonly results: readonly RuleResult[];
    readonly rules: RuleContext;
  },
): Promise<readonly RuleResult[]> {
  if (!context.datastore.capabilities.live) return judged.results;
  const suspects = suspectsOf(judged.results, judged.state);
  if (suspects.length === 0) return judged.results;
  const confirmed = await new Confirmation(context, judged.state, judged.rules).run(suspects);
  return judged.results.map(({ rule, findings }) => ({
    rule,
    findings: rule.restsOn
      ? findings.filter(({ subject, facts }) =>
          confirmed.has(findingIdentity(rule.code, subject, facts)),
        )
      : findings,
  }));
}

function suspectsOf(results: readonly RuleResult[], state: ClusterState): readonly Suspect[] {
  return results.flatMap(({ rule, findings }) => {
    const { restsOn } = rule;
    if (!restsOn) return [];
    return findings.map((finding) => ({
      rule,
      identity: findingIdentity(rule.code, finding.subject, finding.facts),
      rows: restsOn(finding, state),
    }));
  });
}

/** A state that is being read, and the rows that it has from before. */
interface FreshLook {
  readonly builder: ClusterStateBuilder;
  readonly known: readonly Row[];
}

class Confirmation {
  private readonly context: OperationContext;
  private readonly first: ClusterState;
  private readonly ruleContext: RuleContext;

  constructor(context: OperationContext, first: ClusterState, ruleContext: RuleContext) {
    this.context = context;
    this.first = first;
    this.ruleContext = ruleContext;
  }

  /** Identities of the suspects that stand. A suspect without rows to read again stands as it is. */
  async run(suspects: readonly Suspect[]): Promise<ReadonlySet<string>> {
    let before = new Fingerprints(this.first);
    const unchanged = await this.unchangedRows(suspects, before);
    const settled = suspects.filter(({ rows }) => rows.every((row) => unchanged.has(row)));
    const confirmed = new Set(settled.map(({ identity }) => identity));
    let open = suspects.filter(({ identity }) => !confirmed.has(identity));
    for (let round = 0; open.length > 0 && round < ROUNDS; round++) {
      this.context.progress.step(`confirming ${open.length} findings`);
      const look = await this.lookAgain(open);
      const now = new Fingerprints(look);
      const still = this.stillShown(look, open);
      for (const { identity, rows } of still) {
        if (rows.every((row) => row.mayChange || before.of(row) === now.of(row)))
          confirmed.add(identity);
      }
      open = still.filter(({ identity }) => !confirmed.has(identity));
      before = now;
    }
    return confirmed;
  }

  /** Rows of large kinds that are as they were, so that they need not be read and judged again. */
  private unchangedRows(
    suspects: readonly Suspect[],
    before: Fingerprints,
  ): Promise<UnchangedRows> {
    this.context.progress.step(`confirming ${suspects.length} findings`);
    const rows = suspects.flatMap((suspect) => suspect.rows);
    return UnchangedRows.list(this.context, rows, { before, moreThan: SINGLE_READS });
  }

  /** The suspects that this look shows too. What they rest on now is looked at as well from here on. */
  private stillShown(look: ClusterState, suspects: readonly Suspect[]): readonly Suspect[] {
    const rules = [...new Set(suspects.map(({ rule }) => rule))];
    const { results } = runRules(rules, look, this.ruleContext);
    const shown = new Map(
      suspectsOf(results, look).map((suspect) => [suspect.identity, suspect.rows]),
    );
    return suspects.flatMap((suspect) => {
      const rows = shown.get(suspect.identity);
      return rows ? [{ ...suspect, rows: union(suspect.rows, rows) }] : [];
    });
  }

  /** A state of nothing but the rows concerned, read now, beside pools and configuration as they were. */
  private async lookAgain(suspects: readonly Suspect[]): Promise<ClusterState> {
    const builder = new ClusterStateBuilder(this.first.keys);
    for (const kind of RESOURCE_KINDS) if (this.first.isLoaded(kind)) builder.markLoaded(kind);
    const byKind = Map.groupBy(
      suspects.flatMap(({ rows }) => rows),
      ({ kind }) => kind,
    );
    const whole = this.kindsToList(new Set(byKind.keys()));
    const nodesAgain = new Set(byKind.get('Node')?.map(({ key }) => key.name));
    const otherNodes = whole.has('Node') ? [] : this.otherNodes(nodesAgain);
    const known = [...this.settledRows(), ...otherNodes];
    for (const row of known) builder.add(row);
    const single = [...byKind].filter(([kind]) => !whole.has(kind));
    const denials = new Denials();
    await Promise.all([
      ...[...whole].map((kind) => denials.take(this.list(kind, { builder, known }))),
      ...single.map(([kind, rows]) => denials.take(this.read(kind, rows, { builder, known }))),
    ]);
    denials.assertNone();
    return builder.build();
  }

  /**
   * Kinds of etcd of which single rows do not tell enough: a Calico node counts by the node of Kubernetes that it refers
   * to, and which endpoints a pod has shows none of their names.
   */
  private kindsToList(concerned: ReadonlySet<ResourceKind>): ReadonlySet<ResourceKind> {
    const kinds = new Set<ResourceKind>();
    if (this.first.hasCalicoNodes && this.first.isLoaded('Node')) kinds.add('Node');
    const hasWorkloads = concerned.has('Pod') || concerned.has('WorkloadEndpoint');
    if (hasWorkloads && this.first.isLoaded('WorkloadEndpoint')) kinds.add('WorkloadEndpoint');
    return kinds;
  }

  private settledRows(): readonly Row[] {
    const { pools, reservations, config, clusterInformation, controllersConfiguration } =
      this.first;
    const single = [config, clusterInformation, controllersConfiguration].filter(
      (row) => row !== undefined,
    );
    return [...pools, ...reservations, ...single];
  }

  /** Nodes of Kubernetes that are not read again, as they were: rules ask whether the node of a pod exists. */
  private otherNodes(readAgain: ReadonlySet<string>): readonly NodeRow[] {
    return this.first.nodes
      .filter(({ name }) => !readAgain.has(name))
      .map(({ key, kubernetesName, tunnels, unreadableTunnels, labels }) => ({
        kind: 'Node',
        key,
        origin: 'kubernetes',
        kubernetesName,
        tunnels,
        unreadableTunnels,
        labels,
      }));
  }

  private async read(
    kind: ResourceKind,
    rows: readonly RowReference[],
    look: FreshLook,
  ): Promise<void> {
    const keys = new Map<string, ResourceKey>(rows.map(({ key }) => [keyText(key), key]));
    if (keys.size > SINGLE_READS) {
      await this.list(kind, look, (row) => keys.has(keyText(row.key)));
      return;
    }
    const { signal } = this.context;
    await mapLimit(keys.values(), { limit: CONCURRENCY, signal }, async (key) => {
      const row = await this.context.datastore.get(kind, key, { signal });
      if (row) look.builder.add(row);
    });
  }

  /** Takes the rows as they come, since together they would be as large as all that was read before. */
  private async list(
    kind: ResourceKind,
    { builder, known }: FreshLook,
    isWanted: (row: Row) => boolean = () => true,
  ): Promise<void> {
    await eachRow(this.context, kind, {
      take: (rows) => {
        for (const row of rows) if (isWanted(row)) builder.add(row);
      },
      drop: () => {
        builder.drop(kind);
        builder.markLoaded(kind);
        for (const row of known) if (row.kind === kind) builder.add(row);
      },
    });
  }
}

/** Rows of both lists, each once. A row that was not looked at before is absent there, so it has to be read again. */
function union(a: readonly RowReference[], b: readonly RowReference[]): readonly RowReference[] {
  const known = new Set(a.map(({ kind, key }) => `${kind} ${keyText(key)}`));
  return [...a, ...b.filter(({ kind, key }) => !known.has(`${kind} ${keyText(key)}`))];
}

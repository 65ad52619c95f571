import type { Definition } from '../../datastore/definitions.ts';
import { OBJECT_KINDS } from '../../datastore/object-store.ts';
import { DataError } from '../../errors/data-error.ts';
import { PreconditionError } from '../../errors/precondition-error.ts';
import { ownerOfAffinity } from '../../ipam/block-owner.ts';
import type { ClusterInformationRow } from '../../ipam/model/cluster-information.ts';
import { objectOf } from '../../ipam/model/object-metadata.ts';
import type { JsonObject } from '../../ipam/model/resource.ts';
import { isReadable } from '../../ipam/model/row.ts';
import { type Cidr, cidrsEqual, containsCidr, formatCidr, parseCidr } from '../../net/cidr.ts';
import { type FileContents, ROW_KINDS } from './file-contents.ts';
import type { Target } from './target.ts';

/** Kinds that calicoctl's exports list, too; only ours list node statuses. */
const EXPECTED = OBJECT_KINDS.filter((kind) => kind !== 'CalicoNodeStatus');

/**
 * Kinds of the file that the target has no definition for, so that nothing of them can be written.
 * @returns their names; whether the row that carries the lock has one is not looked at.
 */
export function missingDefinitions(
  { objects, rows }: FileContents,
  { notInstalled }: Target,
): string[] {
  const needed = [
    ...OBJECT_KINDS.filter((kind) => (objects.get(kind)?.length ?? 0) > 0),
    ...ROW_KINDS.filter((kind) => (rows.get(kind)?.length ?? 0) > 0),
  ];
  return needed.filter((kind) => notInstalled.has(kind));
}

/**
 * Kinds without definition must be among those that are installed first.
 * @throws {@link PreconditionError} naming the others.
 */
export function assertDefined(
  missing: readonly string[],
  definitions: readonly Definition[] = [],
): void {
  const installed = new Set(definitions.map(kindOf));
  const lacking = missing.filter((kind) => !installed.has(kind));
  if (lacking.length === 0) return;
  throw new PreconditionError(
    `the cluster has no definitions of Calico's ${lacking.join(', ')}; nothing was written`,
    {
      hint: "install Calico's custom resource definitions first, or name them with --crds PATH",
      details: { kinds: lacking },
    },
  );
}

/** The kind that a definition is of, as documents call it. */
function kindOf({ object }: Definition): string {
  const { kind } = objectOf(objectOf(object['spec'])['names']);
  if (typeof kind !== 'string') return '';
  return kind === 'IPAMConfiguration' ? 'IPAMConfig' : kind;
}

/**
 * What a dump does not hold cannot be compared with.
 * @throws {@link DataError} naming kinds that decide over addresses and are not part of the dump.
 */
export function assertLoaded({ notLoaded }: Target): void {
  const missing = [...ROW_KINDS, 'IPPool', 'IPReservation'].filter((kind) => notLoaded.has(kind));
  if (missing.length === 0) return;
  throw new DataError(
    `this source does not hold ${missing.join(', ')}, so nobody knows what the import would meet`,
    { hint: 'take a dump that lists these kinds too, be they empty', details: { kinds: missing } },
  );
}

/** Blocks of the target that share addresses with blocks of the file and are not the same ones, as sentences. */
export function overlapProblems({ state }: FileContents, { rows }: Target): readonly string[] {
  const problems: string[] = [];
  for (const row of rows.get('IPAMBlock')?.values() ?? []) {
    if (!isReadable(row) || row.kind !== 'IPAMBlock' || row.deleted) continue;
    for (const { cidr } of state.blocksOverlapping(row.cidr)) {
      if (cidrsEqual(cidr, row.cidr)) continue;
      problems.push(
        `block ${formatCidr(cidr)} shares addresses with block ${formatCidr(row.cidr)} of the target`,
      );
    }
  }
  return problems;
}

/** Kinds that the file should list and does not, as happens when an export could not read them. */
export function missingLists({ lists }: FileContents): readonly string[] {
  return EXPECTED.filter((kind) => !lists.has(kind));
}

/**
 * What the blocks of the file need and neither the file nor the target has, as sentences: pools, nodes, an identity. Only
 * what the file does not list at all is looked for in the target.
 */
export function missingGround(
  contents: FileContents,
  target: Target,
  row: ClusterInformationRow | undefined,
): readonly string[] {
  const { lists, clusterInformation } = contents;
  const problems = [
    ...(lists.has('IPPool') ? [] : blocksWithoutPool(contents, target)),
    ...(lists.has('Node') ? [] : hostsWithoutNode(contents, target)),
  ];
  const isBlank = Object.keys(clusterInformation).length === 0;
  if (isBlank && (row?.clusterGUID ?? '') === '') {
    problems.push('the file does not say which cluster it is of, and the target neither');
  }
  return problems;
}

function blocksWithoutPool({ state }: FileContents, target: Target): readonly string[] {
  const pools = [...(target.objects.get('IPPool')?.values() ?? [])].flatMap((pool) => cidrOf(pool));
  return state.blocks
    .filter(({ cidr }) => !pools.some((pool) => containsCidr(pool, cidr)))
    .map(
      ({ cidr }) =>
        `the file lists no pools, and the target has none for block ${formatCidr(cidr)}`,
    );
}

function cidrOf(pool: JsonObject): Cidr[] {
  const { cidr } = objectOf(pool['spec']);
  const parsed = typeof cidr === 'string' ? parseCidr(cidr) : undefined;
  return parsed === undefined ? [] : [parsed];
}

function hostsWithoutNode({ rows }: FileContents, target: Target): readonly string[] {
  const hosts = new Set<string>();
  for (const row of rows.get('IPAMBlock') ?? []) {
    const owner = row.kind === 'IPAMBlock' ? ownerOfAffinity(row.affinity) : undefined;
    if (owner?.type === 'host') hosts.add(owner.host);
  }
  for (const row of rows.get('BlockAffinity') ?? []) {
    if (row.kind === 'BlockAffinity' && row.type === 'host') hosts.add(row.host);
  }
  const nodes = target.objects.get('Node');
  return [...hosts]
    .filter((host) => nodes?.has(host) !== true)
    .map(
      (host) => `the file lists no nodes, and Kubernetes has none named ${JSON.stringify(host)}`,
    );
}

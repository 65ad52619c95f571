import { OBJECT_KINDS, OBJECT_TYPES, type ObjectKind } from '../../datastore/object-store.ts';
import { DataError } from '../../errors/data-error.ts';
import { NotFoundError } from '../../errors/not-found-error.ts';
import { ownerOfAffinity } from '../../ipam/block-owner.ts';
import type { EntryKind } from '../../ipam/migration/entry-path.ts';
import { HealingTally } from '../../ipam/migration/healing.ts';
import { LoweredCounts } from '../../ipam/migration/lowered-counts.ts';
import { NodeNames, readNodeNames } from '../../ipam/migration/node-names.ts';
import { type Refusal, shownName } from '../../ipam/migration/refusal.ts';
import type { CarryRules } from '../../ipam/migration/carry-row.ts';
import { type JsonObject, keyText, type ResourceKey } from '../../ipam/model/resource.ts';
import { isReadable, type ReadableRow } from '../../ipam/model/row.ts';
import { KindCounts } from './kind-counts.ts';
import {
  exportedObjects,
  exportRow,
  LISTED_IF_ANY,
  sourceObjects,
  sourceRows,
} from './export-rows.ts';
import type { ExportSource } from './export-source.ts';
import { judgeRow, judgeUnreadable, type RefusalReason, rowText } from './judge-row.ts';
import { NameRegister } from './name-register.ts';
import { overlapsAmong, type PlacedBlock } from './overlaps.ts';

/** Everything that is known of an export before its first byte is written. */
export interface Survey {
  readonly names: NodeNames;
  /** Objects and rows that the file will hold. */
  readonly counts: KindCounts;
  readonly leftOut: KindCounts;
  readonly tally: HealingTally;
  readonly refusals: readonly Refusal[];
  /** Kinds of objects that the source does not hold. */
  readonly notHeld: readonly ObjectKind[];
  /** Addresses of nodes that are left out, freed in blocks which stay. */
  readonly freedAddresses: number;
  /** Blocks of nodes that are left out, which stay for other nodes' addresses. */
  readonly disownedBlocks: number;
}

/** Rows in the order in which they are surveyed: what blocks lose is known before the handles. */
const ROW_KINDS: readonly EntryKind[] = ['IPAMBlock', 'BlockAffinity', 'IPAMHandle', 'IPAMConfig'];

/**
 * Reads everything once and finds all that stands against an export.
 * @throws {@link NotFoundError} when a node to leave out is neither a node nor the owner of anything, {@link DataError} when
 * the source does not hold its nodes or the rows of IPAM.
 */
export async function surveyExport(
  source: ExportSource,
  skipNodes: readonly string[],
): Promise<Survey> {
  const skipped = new Set(skipNodes);
  const nodes = await readNodes(source);
  const { names, refusals } = readNodeNames(nodes, skipped);
  const surveyor = new Surveyor(source, new NodeNames(names, skipped), refusals);
  for (const kind of OBJECT_KINDS) await surveyor.surveyObjects(kind);
  for (const kind of ROW_KINDS) await surveyor.surveyRows(kind);
  surveyor.assertKnown(skipNodes);
  return surveyor;
}

async function readNodes(source: ExportSource): Promise<readonly JsonObject[]> {
  source.context.progress.step('reading Node');
  const objects = await sourceObjects(source, 'Node');
  if (objects === undefined) {
    throw new DataError(
      'this source does not hold the nodes, so nobody knows their names in Kubernetes',
      {
        hint: 'export the live datastore, or a dump that holds every kind',
      },
    );
  }
  const nodes: JsonObject[] = [];
  for await (const node of objects) nodes.push(node);
  return nodes;
}

class Surveyor implements Survey {
  readonly names: NodeNames;
  readonly counts = new KindCounts();
  readonly leftOut = new KindCounts();
  readonly tally = new HealingTally();
  readonly refusals: Refusal[];
  readonly notHeld: ObjectKind[] = [];
  freedAddresses = 0;
  disownedBlocks = 0;
  readonly #source: ExportSource;
  readonly #rules: CarryRules;
  /** Nodes to leave out that were met, as a node or as the owner of something. */
  readonly #met = new Set<string>();
  /** Blocks that stay, until they are compared. */
  readonly #blocks: PlacedBlock[] = [];

  constructor(source: ExportSource, names: NodeNames, refusals: readonly Refusal[]) {
    this.names = names;
    this.refusals = [...refusals];
    this.#source = source;
    this.#rules = { names, tally: this.tally, lowered: new LoweredCounts() };
  }

  async surveyObjects(kind: ObjectKind): Promise<void> {
    this.#source.context.progress.step(`reading ${kind}`);
    const objects = await sourceObjects(this.#source, kind);
    if (objects === undefined) {
      // Migration files list these only where there are any.
      if (!LISTED_IF_ANY.has(kind)) this.notHeld.push(kind);
      return;
    }
    this.counts.add(kind, 0);
    try {
      await this.#takeObjects(kind, objects);
    } catch (error) {
      // The list ends there; the other kinds are judged all the same.
      if (!(error instanceof DataError)) throw error;
      this.refusals.push({ code: 'unreadable', subject: kind, reason: error.message });
    }
  }

  async #takeObjects(kind: ObjectKind, objects: AsyncIterable<JsonObject>): Promise<void> {
    const register = new NameRegister();
    // Nodes of one name were refused as such.
    const isJudged = kind !== 'Node';
    for await (const { object, carried } of exportedObjects(objects, kind, this.names)) {
      const key = keyOf(kind, object);
      const subject = `${kind} ${shownName(keyText(key))}`;
      if (kind === 'Node') this.#meet(key.name);
      if (carried === undefined) this.leftOut.add(kind, 1);
      else {
        this.counts.add(kind, 1);
        if (isJudged) this.#refuse(subject, register.take(keyOf(kind, carried), subject));
      }
    }
  }

  async surveyRows(kind: EntryKind): Promise<void> {
    this.#source.context.progress.step(`reading ${kind}`);
    this.counts.add(kind, 0);
    const register = new NameRegister();
    for await (const row of sourceRows(this.#source, kind)) {
      if (isReadable(row)) this.#surveyRow(row, register);
      else this.#refuse(rowText(row), judgeUnreadable(row));
    }
    if (kind === 'IPAMBlock') this.refusals.push(...overlapsAmong(this.#blocks.splice(0)));
  }

  /** @throws {@link NotFoundError} */
  assertKnown(skipNodes: readonly string[]): void {
    const unknown = skipNodes.filter((name) => !this.#met.has(name));
    if (unknown.length === 0) return;
    const list = unknown.map(shownName).join(', ');
    throw new NotFoundError(`--skip-node: no node and no owner of a block is called ${list}`, {
      hint: 'nodes are named as in etcd; ipamctl ipam show --by node lists those that have addresses',
      details: { nodes: unknown },
    });
  }

  #surveyRow(row: ReadableRow, register: NameRegister): void {
    this.#meetOwner(row);
    const { carried, block } = exportRow(row, this.#rules);
    this.freedAddresses += block?.freedAddresses ?? 0;
    if (block?.isDisowned) this.disownedBlocks++;
    const subject = rowText(row);
    if (carried === undefined) this.leftOut.add(row.kind, 1);
    else {
      this.counts.add(row.kind, 1);
      const shared = register.take({ name: carried.objectName }, subject);
      this.#refuse(subject, shared);
      // Two keys of one block are refused as such.
      if (row.kind === 'IPAMBlock' && shared === undefined) {
        this.#blocks.push({ name: row.key.name, cidr: row.cidr });
      }
    }
    for (const reason of judgeRow(row, this.names)) this.#refuse(subject, reason);
  }

  #meetOwner(row: ReadableRow): void {
    const owner =
      row.kind === 'IPAMBlock'
        ? ownerOfAffinity(row.affinity)
        : row.kind === 'BlockAffinity'
          ? row
          : undefined;
    if (owner?.type === 'host') this.#meet(owner.host);
  }

  #meet(host: string): void {
    if (this.names.isSkipped(host)) this.#met.add(host);
  }

  #refuse(subject: string, reason: RefusalReason | undefined): void {
    if (reason !== undefined) this.refusals.push({ ...reason, subject });
  }
}

function keyOf(kind: ObjectKind, { metadata }: JsonObject): ResourceKey {
  const { name, namespace } = (metadata ?? {}) as JsonObject;
  const isNamespaced = OBJECT_TYPES[kind].isNamespaced && typeof namespace === 'string';
  return {
    name: typeof name === 'string' ? name : '',
    namespace: isNamespaced ? namespace : undefined,
  };
}

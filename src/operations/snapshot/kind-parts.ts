import { InternalError } from '../../errors/internal-error.ts';
import { trimObject } from '../../ipam/redaction/read-members.ts';
import type { Redactor } from '../../ipam/redaction/redactor.ts';
import {
  keyText,
  RESOURCE_KINDS,
  type ResourceKind,
  type StoredEntry,
} from '../../ipam/model/resource.ts';
import { isReadable, type Row } from '../../ipam/model/row.ts';
import { stringifyJson } from '../../support/json.ts';
import type { RowSink } from '../read-kinds.ts';
import type { SnapshotPiece, SnapshotTarget } from './snapshot-target.ts';

/** The two lists of a snapshot: whole objects, and keys of etcd with their values. */
type ListName = 'items' | 'entries';

/** Put in front of each element; the comma of the first one of a list is left out. */
const LEAD = ',\n';

/** Takes rows and leaves them, one a line, in the parts of a target: two for each kind. */
export class KindParts implements RowSink {
  readonly #target: SnapshotTarget | undefined;
  readonly #redactor: Redactor | undefined;
  readonly #counts = new Map<ResourceKind, number>();
  readonly #read = new Set<ResourceKind>();
  readonly #notInstalled = new Set<ResourceKind>();
  readonly #filled = new Set<string>();
  #clusterGUID: string | undefined;

  /** @param target Absent when rows are only counted. */
  constructor(target: SnapshotTarget | undefined, redactor: Redactor | undefined) {
    this.#target = target;
    this.#redactor = redactor;
  }

  /** Identity of the cluster as it was read. */
  get clusterGUID(): string | undefined {
    return this.#clusterGUID;
  }

  /** Kinds that were read, in their usual order. */
  get kinds(): readonly ResourceKind[] {
    return RESOURCE_KINDS.filter((kind) => this.#read.has(kind));
  }

  get notInstalledKinds(): readonly ResourceKind[] {
    return RESOURCE_KINDS.filter((kind) => this.#notInstalled.has(kind));
  }

  countOf(kind: ResourceKind): number {
    return this.#counts.get(kind) ?? 0;
  }

  take(kind: ResourceKind, rows: readonly Row[]): Promise<void> | undefined {
    this.#counts.set(kind, this.countOf(kind) + rows.length);
    for (const row of rows) this.#note(row);
    return this.#target && this.#write(this.#target, kind, rows);
  }

  loaded(kind: ResourceKind): void {
    this.#read.add(kind);
  }

  notInstalled(kind: ResourceKind): void {
    this.#notInstalled.add(kind);
  }

  async drop(kind: ResourceKind): Promise<void> {
    this.#counts.delete(kind);
    this.#read.delete(kind);
    for (const list of ['items', 'entries'] as const) {
      const part = partOf(list, kind);
      if (this.#filled.delete(part)) await this.#target?.reset(part);
    }
  }

  /** The elements of one of the lists of the file; none when there are none. */
  pieces(list: ListName): readonly SnapshotPiece[] {
    const parts = RESOURCE_KINDS.map((kind) => partOf(list, kind)).filter((part) =>
      this.#filled.has(part),
    );
    return parts.map((part, i) => ({ part, from: i === 0 ? 1 : 0 }));
  }

  async #write(target: SnapshotTarget, kind: ResourceKind, rows: readonly Row[]): Promise<void> {
    const lines: Record<ListName, string> = { items: '', entries: '' };
    for (const row of rows) {
      const list = row.entry === undefined ? 'items' : 'entries';
      lines[list] += LEAD + this.#lineOf(row);
    }
    for (const list of ['items', 'entries'] as const) {
      if (lines[list] === '') continue;
      const part = partOf(list, kind);
      this.#filled.add(part);
      await target.write(part, lines[list]);
    }
  }

  #lineOf(row: Row): string {
    if (row.entry !== undefined)
      return lineOf(entryOf(this.#redactor?.entry(row, row.entry) ?? row.entry));
    if (row.object === undefined) {
      throw new InternalError(`${row.kind} ${keyText(row.key)} came without its object`);
    }
    return lineOf(this.#redactor?.object(row, row.object) ?? trimObject(row.kind, row.object));
  }

  #note(row: Row): void {
    if (row.kind === 'ClusterInformation' && isReadable(row) && row.key.name === 'default')
      this.#clusterGUID = row.clusterGUID;
  }
}

function partOf(list: ListName, kind: ResourceKind): string {
  return `${list}-${kind}`;
}

/** Members are called as in the IPAM part of a migration file. */
function entryOf({ path, value }: StoredEntry): object {
  return { Key: path, Value: value };
}

/** One line; only values that hold long integers need more than the language's own printer. */
function lineOf(value: object): string {
  try {
    return JSON.stringify(value);
  } catch {
    return stringifyJson(value);
  }
}

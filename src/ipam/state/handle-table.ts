import { type Cidr, parseCidr } from '../../net/cidr.ts';
import { comparableHandleId } from '../handle-id.ts';
import type { HandleCount, HandleRow } from '../model/handle.ts';
import type { ResourceKey, Revision } from '../model/resource.ts';
import type { Handle } from './cluster-state.ts';
import { float64Column, int32Column, orNaN, orUndefined } from './columns.ts';
import type { StringTable } from './string-table.ts';

/** Handle rows in columns, found by their cut id. */
export class HandleTable {
  private readonly strings: StringTable;
  private readonly names = int32Column();
  private readonly ids = int32Column();
  private readonly handleIds = int32Column();
  private readonly createdAt = float64Column();
  private readonly revisions: (string | undefined)[] = [];
  private readonly uids: (string | undefined)[] = [];
  private readonly countStarts = int32Column();
  private readonly countTexts = int32Column();
  private readonly counts = float64Column();
  private readonly byId = new Map<number, number | number[]>();
  private readonly prefixes = new Map<number, Cidr | undefined>();
  private order: Int32Array | undefined;

  constructor(strings: StringTable) {
    this.strings = strings;
  }

  /** Takes a handle that is not soft-deleted and keeps nothing of the row. */
  add(row: HandleRow): void {
    const position = this.names.length;
    const id = this.strings.intern(row.id);
    const cut = comparableHandleId(row.id);
    const handleId = cut === row.id ? id : this.strings.intern(cut);
    this.names.push(row.key.name === row.id ? id : this.strings.intern(row.key.name));
    this.ids.push(id);
    this.handleIds.push(handleId);
    this.createdAt.push(orNaN(row.createdAt));
    this.revisions.push(row.revision);
    this.uids.push(row.uid);
    this.countStarts.push(this.countTexts.length);
    for (const count of row.counts) {
      this.countTexts.push(this.strings.intern(count.text));
      this.counts.push(count.count);
    }
    const known = this.byId.get(handleId);
    if (known === undefined) this.byId.set(handleId, position);
    else if (typeof known === 'number') this.byId.set(handleId, [known, position]);
    else known.push(position);
  }

  /** Number of rows. */
  get length(): number {
    return this.names.length;
  }

  /** Rows by name. */
  *all(): Generator<Handle> {
    for (const position of this.sortedPositions()) yield this.view(position);
  }

  /** Whether there is a row whose cut id has this number in the string table. */
  has(handleNumber: number): boolean {
    return this.byId.has(handleNumber);
  }

  /** Rows whose cut id has this number in the string table. */
  of(handleNumber: number): readonly Handle[] {
    const known = this.byId.get(handleNumber);
    if (known === undefined) return [];
    return (typeof known === 'number' ? [known] : known).map((position) => this.view(position));
  }

  /** Servers list by name, so the rows mostly are in order already, and that is cheap to see. */
  private sortedPositions(): Int32Array {
    if (!this.order) {
      this.order = Int32Array.from({ length: this.length }, (_, position) => position);
      const name = (position: number) => this.strings.text(this.names.at(position));
      const isSorted = this.order.every(
        (position) => position === 0 || name(position - 1) <= name(position),
      );
      if (!isSorted) this.order.sort((a, b) => (name(a) < name(b) ? -1 : 1));
    }
    return this.order;
  }

  private view(position: number): Handle {
    return new HandleView(this, position);
  }

  nameAt(position: number): string {
    return this.strings.text(this.names.at(position));
  }

  idAt(position: number): string {
    return this.strings.text(this.ids.at(position));
  }

  handleIdAt(position: number): string {
    return this.strings.text(this.handleIds.at(position));
  }

  isCut(position: number): boolean {
    return this.ids.at(position) !== this.handleIds.at(position);
  }

  createdAtOf(position: number): number | undefined {
    return orUndefined(this.createdAt.at(position));
  }

  revisionAt(position: number): Revision | undefined {
    return this.revisions[position] as Revision | undefined;
  }

  uidAt(position: number): string | undefined {
    return this.uids[position];
  }

  countsAt(position: number): readonly HandleCount[] {
    const end =
      position + 1 < this.length ? this.countStarts.at(position + 1) : this.countTexts.length;
    const counts: HandleCount[] = [];
    for (let at = this.countStarts.at(position); at < end; at++) {
      const text = this.countTexts.at(at);
      counts.push({
        text: this.strings.text(text),
        cidr: this.prefixOf(text),
        count: this.counts.at(at),
      });
    }
    return counts;
  }

  /** Few texts stand in many rows: each is read once. */
  private prefixOf(text: number): Cidr | undefined {
    let cidr = this.prefixes.get(text);
    if (cidr === undefined && !this.prefixes.has(text)) {
      cidr = parseCidr(this.strings.text(text));
      this.prefixes.set(text, cidr);
    }
    return cidr;
  }
}

/** Reads one row of the columns. */
class HandleView implements Handle {
  private readonly table: HandleTable;
  private readonly position: number;

  constructor(table: HandleTable, position: number) {
    this.table = table;
    this.position = position;
  }

  get key(): ResourceKey {
    return { name: this.table.nameAt(this.position) };
  }

  get revision(): Revision | undefined {
    return this.table.revisionAt(this.position);
  }

  get uid(): string | undefined {
    return this.table.uidAt(this.position);
  }

  get createdAt(): number | undefined {
    return this.table.createdAtOf(this.position);
  }

  get id(): string {
    return this.table.idAt(this.position);
  }

  get handleId(): string {
    return this.table.handleIdAt(this.position);
  }

  get isCut(): boolean {
    return this.table.isCut(this.position);
  }

  get counts(): readonly HandleCount[] {
    return this.table.countsAt(this.position);
  }
}

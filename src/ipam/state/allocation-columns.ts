import { InternalError } from '../../errors/internal-error.ts';
import { ALLOCATION_KINDS, type AllocationKind, kindOfAllocation } from '../accounting/kind.ts';
import { comparableHandleId } from '../handle-id.ts';
import type { BlockAttribute, BlockRow } from '../model/block.ts';
import type { Allocation } from './cluster-state.ts';
import {
  BigColumn,
  float64Column,
  int32Column,
  orNaN,
  orUndefined,
  uint8Column,
} from './columns.ts';
import { RepeatedTexts, type StringTable } from './string-table.ts';

const COOLING = 1;
const OWNER_EMPTY = 2;

/** The other owner of an allocation that is on the move. */
export type Alternate = NonNullable<Allocation['alternate']>;

/** Columns that hold texts by their number. */
export type TextColumn =
  | 'handles'
  | 'handleIds'
  | 'nodes'
  | 'pods'
  | 'namespaces'
  | 'types'
  | 'services'
  | 'machines'
  | 'timestamps';

/** Which texts are kept of allocations: all of them, or the nodes alone where addresses are only counted. */
export type KeptTexts = 'all' | 'nodes';

/** Well-formed allocations in columns, in the order in which their blocks came, by ordinal within a block. */
export class AllocationColumns {
  private readonly strings: StringTable;
  private readonly ordinals = int32Column();
  private readonly kinds = uint8Column();
  private readonly flags = uint8Column();
  private readonly texts = {
    handles: int32Column(),
    handleIds: int32Column(),
    nodes: int32Column(),
    pods: int32Column(),
    namespaces: int32Column(),
    types: int32Column(),
    services: int32Column(),
    machines: int32Column(),
    timestamps: int32Column(),
  } satisfies Record<TextColumn, unknown>;
  private readonly releasedAt = float64Column();
  private readonly sequenceNumbers = new BigColumn();
  private readonly alternates = new Map<number, Alternate>();

  /** The addresses of a block mostly are used on its node. */
  private readonly nodeTexts: RepeatedTexts;

  private readonly kept: KeptTexts;

  constructor(strings: StringTable, kept: KeptTexts) {
    this.strings = strings;
    this.kept = kept;
    this.nodeTexts = new RepeatedTexts(strings);
  }

  /** Takes the allocation of a well-formed slot; keeps nothing of the row. */
  push(row: BlockRow, ordinal: number, attribute: BlockAttribute): void {
    const { handle, owner, releasedAt } = attribute;
    const ownerIsEmpty = isEmpty(owner);
    const facts = { blockAffinity: row.affinity, handle, type: owner['type'], ownerIsEmpty };
    this.addAlternate(attribute);
    this.ordinals.push(ordinal);
    this.kinds.push(ALLOCATION_KINDS.indexOf(kindOfAllocation(facts)));
    this.flags.push((releasedAt === undefined ? 0 : COOLING) | (ownerIsEmpty ? OWNER_EMPTY : 0));
    this.pushNode(owner);
    if (this.kept === 'all') {
      this.pushHandle(handle);
      this.pushOwner(owner);
    }
    this.releasedAt.push(orNaN(releasedAt));
    this.sequenceNumbers.push(row.sequenceNumbers.get(ordinal) ?? 0n);
  }

  private pushHandle(handle: string | undefined): void {
    const number = this.strings.internOptional(handle);
    const id = handle === undefined ? undefined : comparableHandleId(handle);
    this.texts.handles.push(number);
    // Most ids are sound, and looking one up is what costs most here.
    this.texts.handleIds.push(id && id === handle ? number : this.number(id));
  }

  private pushNode({ node }: BlockAttribute['owner']): void {
    this.texts.nodes.push(node ? this.nodeTexts.intern(node) : -1);
  }

  private pushOwner(owner: BlockAttribute['owner']): void {
    this.texts.pods.push(this.number(owner['pod']));
    this.texts.namespaces.push(this.number(owner['namespace']));
    this.texts.types.push(this.number(owner['type']));
    this.texts.services.push(this.number(owner['service']));
    this.texts.machines.push(this.number(owner['vmi-name']));
    this.texts.timestamps.push(this.number(owner['timestamp']));
  }

  /** Number of a text, -1 for an empty or absent one. */
  private number(text: string | undefined): number {
    return text ? this.strings.intern(text) : -1;
  }

  private addAlternate({ alternateOwner }: BlockAttribute): void {
    if (!alternateOwner || isEmpty(alternateOwner)) return;
    this.alternates.set(this.ordinals.length, {
      pod: alternateOwner['pod'] || undefined,
      namespace: alternateOwner['namespace'] || undefined,
    });
  }

  /** Number of allocations, cooling included. */
  get length(): number {
    return this.ordinals.length;
  }

  ordinalAt(position: number): number {
    return this.ordinals.at(position);
  }

  kindAt(position: number): AllocationKind {
    return ALLOCATION_KINDS[this.kinds.at(position)] ?? 'Unknown';
  }

  isCooling(position: number): boolean {
    return (this.flags.at(position) & COOLING) !== 0;
  }

  ownerIsEmpty(position: number): boolean {
    return (this.flags.at(position) & OWNER_EMPTY) !== 0;
  }

  isHandleCut(position: number): boolean {
    this.assertKept('handles');
    return this.texts.handles.at(position) !== this.texts.handleIds.at(position);
  }

  /** Number of the cut handle id in the string table, or -1. */
  handleNumber(position: number): number {
    this.assertKept('handleIds');
    return this.texts.handleIds.at(position);
  }

  /** Text of a column; undefined when it is absent or empty (an empty raw handle id stays empty). */
  textAt(column: TextColumn, position: number): string | undefined {
    this.assertKept(column);
    return this.strings.optionalText(this.texts[column].at(position));
  }

  /** Else a text that was not kept would look like one that is not there. */
  private assertKept(column: TextColumn): void {
    if (this.kept === 'all' || column === 'nodes') return;
    throw new InternalError(`the ${column} of allocations were not kept`);
  }

  releasedAtOf(position: number): number | undefined {
    return orUndefined(this.releasedAt.at(position));
  }

  sequenceNumberAt(position: number): bigint {
    return this.sequenceNumbers.at(position);
  }

  alternateAt(position: number): Alternate | undefined {
    return this.alternates.get(position);
  }
}

function isEmpty(attributes: Readonly<Record<string, string>>): boolean {
  for (const key in attributes) if (Object.hasOwn(attributes, key)) return false;
  return true;
}

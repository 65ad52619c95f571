import { type Address, addressAt } from '../../net/address.ts';
import { parseGoTime } from '../../support/time.ts';
import type { AllocationKind } from '../accounting/kind.ts';
import type { AllocationColumns, Alternate } from './allocation-columns.ts';
import type { Allocation, Block } from './cluster-state.ts';

/** One allocation, read from the columns when it is asked for. */
export class AllocationView implements Allocation {
  readonly block: Block;
  private readonly columns: AllocationColumns;
  private readonly position: number;

  constructor(columns: AllocationColumns, block: Block, position: number) {
    this.columns = columns;
    this.block = block;
    this.position = position;
  }

  get ordinal(): number {
    return this.columns.ordinalAt(this.position);
  }

  get address(): Address {
    return addressAt(this.block.cidr.base, this.ordinal);
  }

  get cooling(): boolean {
    return this.columns.isCooling(this.position);
  }

  get releasedAt(): number | undefined {
    return this.columns.releasedAtOf(this.position);
  }

  get kind(): AllocationKind {
    return this.columns.kindAt(this.position);
  }

  get handle(): string | undefined {
    return this.columns.textAt('handles', this.position);
  }

  get isHandleCut(): boolean {
    return this.columns.isHandleCut(this.position);
  }

  get handleId(): string | undefined {
    return this.columns.textAt('handleIds', this.position);
  }

  get sequenceNumber(): bigint {
    return this.columns.sequenceNumberAt(this.position);
  }

  get nodeAttribute(): string | undefined {
    return this.columns.textAt('nodes', this.position);
  }

  get node(): string | undefined {
    return this.nodeAttribute ?? this.block.node;
  }

  get pod(): string | undefined {
    return this.columns.textAt('pods', this.position);
  }

  get namespace(): string | undefined {
    return this.columns.textAt('namespaces', this.position);
  }

  get type(): string | undefined {
    return this.columns.textAt('types', this.position);
  }

  get service(): string | undefined {
    return this.columns.textAt('services', this.position);
  }

  get machine(): string | undefined {
    return this.columns.textAt('machines', this.position);
  }

  get alternate(): Alternate | undefined {
    return this.columns.alternateAt(this.position);
  }

  get timestamp(): string | undefined {
    return this.columns.textAt('timestamps', this.position);
  }

  get allocatedAt(): number | undefined {
    const text = this.timestamp;
    return text === undefined ? undefined : parseGoTime(text);
  }

  get ownerIsEmpty(): boolean {
    return this.columns.ownerIsEmpty(this.position);
  }

  get borrowed(): boolean {
    const node = this.nodeAttribute;
    return node !== undefined && !this.cooling && node !== this.block.node;
  }
}

/** Blocks and handles of a cluster in etcd while it is being made up. */
import type { JsonObject } from '../../../src/ipam/model/resource.ts';
import { ENTRY_KEYS } from '../../../src/ipam/model/row-keys.ts';
import { addressAt, formatAddress } from '../../../src/net/address.ts';
import { type Cidr, cidrSize, formatCidr } from '../../../src/net/cidr.ts';
import { net } from '../builders.ts';

const IPAM = '/calico/ipam/v2/';
const WINDOWS = 'windows-reserved-ipam-handle';

/** A key with its value; a text stands for itself. */
export interface DraftEntry {
  readonly key: string;
  readonly value: JsonObject | string;
}

/** A block whose slots are filled one by one. */
export class BlockDraft {
  readonly cidr: Cidr;
  readonly size: number;
  /** As in the field `affinity`. */
  readonly owner: string | undefined;
  readonly slots = new Map<number, JsonObject>();
  /** Turns the value into one of an old release. */
  age: (value: JsonObject) => JsonObject = (value) => value;

  constructor(cidr: string, owner: string | undefined) {
    this.cidr = net(cidr);
    this.size = Number(cidrSize(this.cidr));
    this.owner = owner;
  }

  /** Takes a slot, the lowest free one when none is named, and tells its address. */
  take(attribute: JsonObject, ordinal: number = this.#free()): string {
    if (this.slots.has(ordinal)) throw new Error(`${formatCidr(this.cidr)}: ${ordinal} is taken`);
    this.slots.set(ordinal, attribute);
    return this.addressOf(ordinal);
  }

  addressOf(ordinal: number): string {
    return formatAddress(addressAt(this.cidr.base, ordinal));
  }

  #free(): number {
    let ordinal = 0;
    while (this.slots.has(ordinal)) ordinal++;
    if (ordinal >= this.size) throw new Error(`${formatCidr(this.cidr)} is full`);
    return ordinal;
  }

  toEntry(sequence: () => bigint): DraftEntry {
    const taken = [...this.slots].sort(([a], [b]) => a - b);
    const ordinals = Array.from({ length: this.size }, (_, ordinal) => ordinal);
    const places = new Map(taken.map(([ordinal], index) => [ordinal, index]));
    const value: JsonObject = {
      cidr: formatCidr(this.cidr),
      affinity: this.owner ?? null,
      affinity_claim_time: '2026-11-09T12:00:01Z',
      allocations: ordinals.map((ordinal) => places.get(ordinal) ?? null),
      unallocated: ordinals.filter((ordinal) => !places.has(ordinal)),
      attributes: taken.map(([, attribute]) => attribute),
      sequenceNumberForAllocation: Object.fromEntries(
        taken.map(([ordinal]) => [String(ordinal), sequence()]),
      ),
      sequenceNumber: sequence(),
      deleted: false,
    };
    const { name } = ENTRY_KEYS.block(this.cidr);
    return { key: `${IPAM}assignment/${name}`, value: this.age(value) };
  }
}

/** The rows of IPAM in etcd, made of blocks and then damaged. */
export class IpamDraft {
  readonly blocks: BlockDraft[] = [];
  /** Rows of claims by what follows `/calico/ipam/v2/`. */
  readonly claims = new Map<string, JsonObject | string>();
  /** What is done to the handles that follow from the blocks. */
  readonly damages: ((handles: Map<string, JsonObject>) => void)[] = [];

  /** A block with the claim of its owner. */
  block(cidr: string, owner: string | undefined): BlockDraft {
    const block = new BlockDraft(cidr, owner);
    this.blocks.push(block);
    if (owner !== undefined) this.claim(owner, cidr);
    return block;
  }

  /** The row of a claim; the owner as blocks name it. */
  claim(
    owner: string,
    cidr: string,
    value: JsonObject | string = { state: 'confirmed', deleted: false },
  ): void {
    this.claims.set(claimName(owner, cidr), value);
  }

  unclaim(owner: string, cidr: string): void {
    this.claims.delete(claimName(owner, cidr));
  }

  get addresses(): number {
    return this.blocks.reduce((sum, { slots }) => sum + slots.size, 0);
  }

  /** A handle with its counts, in place of the one that follows from the blocks. */
  setHandle(id: string, block: Readonly<Record<string, number>>, deleted = false): void {
    this.damages.push((handles) => handles.set(id, { block: { ...block }, deleted }));
  }

  toEntries(): DraftEntry[] {
    let number = 1_794_225_600_000_000_000n;
    const sequence = (): bigint => (number += 1n);
    const handles = this.#handles();
    for (const damage of this.damages) damage(handles);
    return [
      ...this.blocks.map((block) => block.toEntry(sequence)),
      ...[...this.claims].map(([name, value]) => ({ key: IPAM + name, value })),
      ...[...handles].map(([id, value]) => ({ key: `${IPAM}handle/${id}`, value })),
    ];
  }

  #handles(): Map<string, JsonObject> {
    const counts = new Map<string, Map<string, number>>();
    for (const { cidr, slots } of this.blocks) {
      for (const { handle_id: id } of slots.values()) {
        if (typeof id !== 'string' || id === WINDOWS) continue;
        const of = counts.get(id) ?? new Map<string, number>();
        of.set(formatCidr(cidr), (of.get(formatCidr(cidr)) ?? 0) + 1);
        counts.set(id, of);
      }
    }
    return new Map(
      [...counts].map(([id, of]) => [id, { block: Object.fromEntries(of), deleted: false }]),
    );
  }
}

function claimName(owner: string, cidr: string): string {
  const [type = '', host = ''] = owner.split(':');
  return ENTRY_KEYS.affinity({ type, host }, net(cidr)).name;
}

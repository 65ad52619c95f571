import { EngineError } from '../../errors/engine-error.ts';
import { formatAddress, type Address } from '../../net/address.ts';
import { comparableHandleId } from '../handle-id.ts';
import type { BlockAttribute, BlockRow } from '../model/block.ts';
import type { OwnerAttributes } from './attribute-records.ts';
import { attributeAt, isCooling, ordinalIn } from './block-content.ts';

/** A pod as owner of an address. With both blank it stands for nobody. */
export interface OwnerName {
  readonly namespace: string;
  readonly name: string;
}

/** What to set; an empty map clears its side, and a side that is not named stays. */
export interface OwnerUpdates {
  readonly active?: OwnerAttributes | undefined;
  readonly alternate?: OwnerAttributes | undefined;
  readonly clearActive?: boolean | undefined;
  readonly clearAlternate?: boolean | undefined;
}

/** What must be true before; it counts only for a side that is changed. */
export interface OwnerPreconditions {
  readonly active?: OwnerName | undefined;
  readonly activeEmpty?: boolean | undefined;
  readonly alternate?: OwnerName | undefined;
  readonly alternateEmpty?: boolean | undefined;
}

/** A change of the owners of one address. */
export interface OwnerChange {
  readonly address: Address;
  readonly handle: string;
  readonly updates: OwnerUpdates;
  readonly preconditions?: OwnerPreconditions | undefined;
}

/** Refuses a change that contradicts itself. @throws {@link EngineError} `contradictory-arguments` */
export function assertConsistent(
  updates: OwnerUpdates,
  preconditions: OwnerPreconditions = {},
): void {
  const contradictions: readonly (readonly [boolean, string])[] = [
    [
      updates.clearActive === true && updates.active !== undefined,
      'the active owner cannot be set and cleared at once',
    ],
    [
      updates.clearAlternate === true && updates.alternate !== undefined,
      'the alternate owner cannot be set and cleared at once',
    ],
    [
      preconditions.activeEmpty === true && preconditions.active !== undefined,
      'the active owner cannot be expected to be somebody and nobody',
    ],
    [
      preconditions.alternateEmpty === true && preconditions.alternate !== undefined,
      'the alternate owner cannot be expected to be somebody and nobody',
    ],
  ];
  for (const [isContradiction, message] of contradictions) {
    if (isContradiction) throw new EngineError('contradictory-arguments', message);
  }
}

/**
 * Changes the owners of an address: of its record, and so of every address that shares it.
 *
 * @throws {@link EngineError} `not-found` when it is not assigned, `wrong-handle`, `owner-precondition`; then nothing is
 * changed on either side.
 * Source: Calico libcalico-go lib/ipam, setting owner attributes.
 */
export function changeOwners(block: BlockRow, change: OwnerChange): BlockRow {
  const ordinal = ordinalIn(block, change.address);
  const record = attributeAt(block, ordinal);
  const address = formatAddress(change.address);
  if (!record) throw new EngineError('not-found', `the address ${address} is not assigned`);
  if (
    isCooling(record) ||
    record.handle === undefined ||
    comparableHandleId(record.handle) !== comparableHandleId(change.handle)
  ) {
    throw new EngineError(
      'wrong-handle',
      `the address ${address} is not assigned to handle "${change.handle}"`,
    );
  }
  const { updates, preconditions = {} } = change;
  const active = newSide(updates.active, updates.clearActive);
  const alternate = newSide(updates.alternate, updates.clearAlternate);
  if (active)
    assertOwner(record.owner, {
      side: 'active',
      name: preconditions.active,
      empty: preconditions.activeEmpty,
    });
  if (alternate) {
    const { alternate: name, alternateEmpty: empty } = preconditions;
    assertOwner(record.alternateOwner ?? {}, { side: 'alternate', name, empty });
  }
  const changed: BlockAttribute = {
    ...record,
    owner: active ?? record.owner,
    alternateOwner: alternate ? emptyToAbsent(alternate) : record.alternateOwner,
  };
  return { ...block, attributes: block.attributes.map((old) => (old === record ? changed : old)) };
}

/** The attributes after the change; undefined when the side is not touched. */
function newSide(
  set: OwnerAttributes | undefined,
  clear: boolean | undefined,
): OwnerAttributes | undefined {
  return clear === true ? {} : set;
}

function emptyToAbsent(attributes: OwnerAttributes): OwnerAttributes | undefined {
  return Object.keys(attributes).length === 0 ? undefined : attributes;
}

interface Expectation {
  readonly side: 'active' | 'alternate';
  readonly name: OwnerName | undefined;
  readonly empty: boolean | undefined;
}

function assertOwner(owner: OwnerAttributes, { side, name, empty }: Expectation): void {
  const isNobody = Object.keys(owner).length === 0;
  if (empty === true && !isNobody) throw otherOwner(side, owner, 'nobody');
  if (!name) return;
  const matches =
    name.namespace === '' && name.name === ''
      ? isNobody
      : owner['pod'] === name.name && owner['namespace'] === name.namespace;
  if (!matches) throw otherOwner(side, owner, `${name.namespace}/${name.name}`);
}

function otherOwner(side: string, owner: OwnerAttributes, expected: string): EngineError {
  const found =
    Object.keys(owner).length === 0
      ? 'nobody'
      : `${owner['namespace'] ?? ''}/${owner['pod'] ?? ''}`;
  return new EngineError('owner-precondition', `the ${side} owner is ${found}, not ${expected}`, {
    details: { side, expected, found },
  });
}

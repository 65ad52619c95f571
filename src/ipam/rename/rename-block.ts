import { attributeAt, isCooling } from '../allocator/block-content.ts';
import { isHost, ownerOfAffinity } from '../block-owner.ts';
import { comparableHandleId } from '../handle-id.ts';
import type { BlockAttribute, BlockRow } from '../model/block.ts';
import { objectOf } from '../model/object-metadata.ts';
import type { JsonObject, JsonValue } from '../model/resource.ts';
import type { NameMap } from './legs.ts';
import { nodeOfHandle, renameHandleId } from './rename-handle-id.ts';

/** A block under new names. */
export interface BlockRename {
  /** The block itself when nothing in it is meant. */
  readonly block: BlockRow;
  readonly isChanged: boolean;
  /** Node whose block it was; undefined when the owner stays. */
  readonly owner: string | undefined;
  /** How often an attribute names a node that is renamed. */
  readonly nodeAttributes: number;
  /** Records under the handle of a tunnel that is renamed. */
  readonly tunnels: number;
}

type Texts = Readonly<Record<string, string>>;

/**
 * A block in which nodes have new names: its owner if it is a host, the node in both maps of each record, the ids of
 * tunnels' handles. Cooling records are records like others. Addresses, their numbers and the free queue stay; the number
 * of the block goes up by one when anything changes.
 */
export function renameBlock(block: BlockRow, names: NameMap): BlockRename {
  const owner = ownerOfAffinity(block.affinity);
  const newOwner = owner && isHost(owner) ? names.get(owner.host) : undefined;
  const attributes = block.attributes.map((record) => renameRecord(record, names));
  const nodeAttributes = block.attributes.reduce(
    (sum, record) => sum + countNodes(record, names),
    0,
  );
  const tunnels = block.attributes.filter(
    ({ handle }) => handle !== undefined && renameHandleId(handle, names) !== undefined,
  ).length;
  const isOldOwner = names.has(oldOwnerOf(block) ?? '');
  const isChanged = newOwner !== undefined || isOldOwner || nodeAttributes + tunnels > 0;
  const counts = {
    owner: newOwner === undefined ? undefined : owner?.host,
    nodeAttributes,
    tunnels,
  };
  if (!isChanged) return { block, isChanged, ...counts };
  const renamed: BlockRow = {
    ...block,
    affinity: newOwner === undefined ? block.affinity : `host:${newOwner}`,
    attributes,
    sequenceNumber: block.sequenceNumber + 1n,
    object: block.object && renameObject(block.object, names),
  };
  return { block: renamed, isChanged, ...counts };
}

/** Names of nodes that a block knows in any way that a renaming changes. */
export function namesInBlock(block: BlockRow): ReadonlySet<string> {
  const { affinity, attributes } = block;
  const owner = ownerOfAffinity(affinity);
  const names = new Set<string>(owner && isHost(owner) ? [owner.host] : []);
  const old = oldOwnerOf(block);
  if (old !== undefined) names.add(old);
  for (const { handle, owner, alternateOwner } of attributes) {
    for (const name of [owner['node'], alternateOwner?.['node'], nodeOfHandle(handle ?? '')])
      if (name !== undefined) names.add(name);
  }
  return names;
}

/** Addresses of a block that a handle holds, by its comparable id. */
export function countHeld(block: BlockRow, handleId: string): number {
  let held = 0;
  for (const ordinal of block.allocations.keys()) {
    const attribute = attributeAt(block, ordinal);
    if (attribute?.handle === undefined || isCooling(attribute)) continue;
    if (comparableHandleId(attribute.handle) === handleId) held++;
  }
  return held;
}

/** Comparable ids of the tunnels' handles in a block whose node is renamed. */
export function tunnelHandlesIn({ attributes }: BlockRow, names: NameMap): ReadonlySet<string> {
  return new Set(
    attributes.flatMap(({ handle }) =>
      handle !== undefined && names.has(nodeOfHandle(handle) ?? '')
        ? comparableHandleId(handle)
        : [],
    ),
  );
}

/** Why a block could not be written back without losing what it holds; undefined for one that can. */
export function damageOf(block: BlockRow): string | undefined {
  const [misread] = block.misreadings;
  if (misread !== undefined) return misread;
  const numbers = [...block.allocations, ...block.unallocated];
  return numbers.some(Number.isNaN) ? 'a slot holds no integer' : undefined;
}

function renameRecord(record: BlockAttribute, names: NameMap): BlockAttribute {
  const { handle, owner, alternateOwner } = record;
  return {
    ...record,
    handle: handle === undefined ? undefined : (renameHandleId(handle, names) ?? handle),
    owner: renameNode(owner, names),
    alternateOwner: alternateOwner && renameNode(alternateOwner, names),
  };
}

function renameNode(owner: Texts, names: NameMap): Texts {
  const name = newNode(owner, names);
  return name === undefined ? owner : { ...owner, node: name };
}

function newNode(owner: Texts | undefined, names: NameMap): string | undefined {
  const { node } = owner ?? {};
  return node === undefined ? undefined : names.get(node);
}

function countNodes({ owner, alternateOwner }: BlockAttribute, names: NameMap): number {
  return [owner, alternateOwner].filter((texts) => newNode(texts, names) !== undefined).length;
}

/** The same change in the object as stored: what ipamctl does not know of a record is found by what it does know. */
function renameObject(object: JsonObject, names: NameMap): JsonObject {
  const { spec } = object;
  if (isObject(spec)) return { ...object, spec: renameMembers(spec, names) };
  return renameMembers(object, names);
}

function renameMembers(holder: JsonObject, names: NameMap): JsonObject {
  const { attributes: stored, hostAffinity } = holder;
  const owner = typeof hostAffinity === 'string' ? names.get(hostAffinity) : undefined;
  return {
    ...holder,
    ...(Array.isArray(stored) && { attributes: stored.map((one) => renameStored(one, names)) }),
    ...(owner !== undefined && { hostAffinity: owner }),
  };
}

/** Owner in the field of an old release, which only etcd may still hold; an export takes it up. */
function oldOwnerOf({ affinity, object }: BlockRow): string | undefined {
  const owner = affinity === undefined ? object?.['hostAffinity'] : undefined;
  return typeof owner === 'string' && owner !== '' ? owner : undefined;
}

function renameStored(record: JsonValue, names: NameMap): JsonValue {
  if (!isObject(record)) return record;
  const renamed: JsonObject = { ...record };
  const handle = renamed['handle_id'];
  if (typeof handle === 'string') renamed['handle_id'] = renameHandleId(handle, names) ?? handle;
  for (const member of ['secondary', 'alternateOwnerAttrs']) {
    const texts = objectOf(renamed[member]);
    const { node } = texts;
    const name = typeof node === 'string' ? names.get(node) : undefined;
    if (name !== undefined) renamed[member] = { ...texts, node: name };
  }
  return renamed;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

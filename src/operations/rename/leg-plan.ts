import { PreconditionError } from '../../errors/precondition-error.ts';
import { comparableHandleId } from '../../ipam/handle-id.ts';
import type { AffinityRow } from '../../ipam/model/affinity.ts';
import type { BlockRow } from '../../ipam/model/block.ts';
import type { ResourceKey } from '../../ipam/model/resource.ts';
import type { NameMap } from '../../ipam/rename/legs.ts';
import {
  type BlockRename,
  damageOf,
  renameBlock,
  tunnelHandlesIn,
} from '../../ipam/rename/rename-block.ts';
import { nodeOfHandle, renameHandleId } from '../../ipam/rename/rename-handle-id.ts';
import type { PlanItem } from '../../ipam/plan.ts';
import { type Cidr, formatCidr } from '../../net/cidr.ts';
import { assertRowName } from './assert-names.ts';
import type { RenameWorld } from './rename-world.ts';

/** A tunnel's handle that gets the id of another node. */
export interface HandleMove {
  readonly oldId: string;
  readonly newId: string;
  /** Rows of the old id; none when it has no row. Ids that were written with a line break have rows of their own in etcd. */
  readonly oldKeys: readonly ResourceKey[];
  readonly newKey: ResourceKey;
  /** Absent when there is no row to rename. */
  readonly item?: PlanItem | undefined;
}

/** An affinity row that gets another host. */
export interface ClaimMove {
  readonly from: string;
  readonly to: string;
  /** More than one only where a row was stored twice; one comes out of it. */
  readonly oldKeys: readonly ResourceKey[];
  readonly newKey: ResourceKey;
  readonly items: readonly PlanItem[];
}

/** What goes together: a block, the rows that claim it for nodes that are renamed, and what handles count in it. */
export interface RenameUnit {
  readonly cidr: Cidr;
  /** Absent for rows without a block, or whose block names none of the nodes. */
  readonly block?: { readonly key: ResourceKey; readonly item: PlanItem } | undefined;
  readonly claims: readonly ClaimMove[];
  readonly handles: readonly HandleMove[];
}

/** One leg of a map. */
export interface LegPlan {
  /** From 1. */
  readonly number: number;
  readonly names: NameMap;
  readonly units: readonly RenameUnit[];
  readonly handles: readonly HandleMove[];
  readonly items: readonly PlanItem[];
  readonly counts: RenameCounts;
}

/** What a leg changes. */
export interface RenameCounts {
  readonly blocks: number;
  readonly owned: number;
  readonly rows: number;
  readonly handles: number;
  readonly nodeAttributes: number;
}

/**
 * Plans one leg on the rows as they will be by then.
 * @throws {@link PreconditionError} for a block that cannot be written back, {@link UsageError} for names that cannot be.
 */
export function planLeg(world: RenameWorld, number: number, names: NameMap): LegPlan {
  const handles = handleMoves(world, names);
  const claims = claimMoves(world, names);
  const renames = world.blocks
    .map((block) => ({ block, rename: renameBlock(block, names) }))
    .filter(({ rename }) => rename.isChanged);
  const units = unitsOf({ world, names, handles, claims, renames });
  const items = [
    ...units.flatMap(({ block, claims }) => [
      ...(block ? [block.item] : []),
      ...claims.flatMap(({ items }) => items),
    ]),
    ...handles.flatMap(({ item }) => item ?? []),
  ];
  const changes = renames.map(({ rename }) => rename);
  return {
    number,
    names,
    units,
    handles,
    items,
    counts: {
      blocks: changes.length,
      owned: changes.filter(({ owner }) => owner !== undefined).length,
      rows: claims.reduce((sum, { move }) => sum + move.oldKeys.length, 0),
      handles: handles.reduce((sum, { oldKeys }) => sum + oldKeys.length, 0),
      nodeAttributes: changes.reduce((sum, { nodeAttributes }) => sum + nodeAttributes, 0),
    },
  };
}

function handleMoves(world: RenameWorld, names: NameMap): readonly HandleMove[] {
  const rows = Map.groupBy(
    world.handles.filter(({ id }) => names.has(nodeOfHandle(id) ?? '')),
    ({ id }) => comparableHandleId(id),
  );
  const ids = new Set([
    ...rows.keys(),
    ...world.blocks.flatMap((block) => [...tunnelHandlesIn(block, names)]),
  ]);
  return [...ids].sort().map((oldId) => {
    const newId = renameHandleId(oldId, names) ?? oldId;
    const newKey = world.keys.handle(newId);
    const oldKeys = (rows.get(oldId) ?? []).map(({ key }) => key);
    const [first] = oldKeys;
    if (first !== undefined) assertRowName(newKey.name, `handle ${oldId}`, world.keys);
    const item: PlanItem | undefined = first && {
      action: 'rename-handle',
      subject: { kind: 'IPAMHandle', name: first.name, handle: oldId, node: nodeOfHandle(oldId) },
      precondition: 'raised before and lowered after each of its blocks, as they were read',
      reason: `becomes ${newId}`,
    };
    return { oldId, newId, oldKeys, newKey, item };
  });
}

/** A claim with the block that it is about. */
interface BlockClaim {
  readonly cidr: Cidr;
  readonly move: ClaimMove;
}

function claimMoves(world: RenameWorld, names: NameMap): readonly BlockClaim[] {
  const rows = world.affinities.filter(({ type, host }) => type === 'host' && names.has(host));
  const groups = Map.groupBy(rows, ({ host, cidr }) => `${formatCidr(cidr)} ${host}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first === undefined ? [] : claimMove(world, names, [first, ...group.slice(1)]);
  });
}

function claimMove(
  world: RenameWorld,
  names: NameMap,
  rows: readonly [AffinityRow, ...AffinityRow[]],
): BlockClaim {
  const [{ cidr, host, type }] = rows;
  const to = names.get(host) ?? host;
  const newKey = world.keys.affinity({ type, host: to }, cidr);
  assertRowName(newKey.name, `the affinity row of block ${formatCidr(cidr)}`, world.keys);
  const own = world.keys.affinity({ type, host }, cidr).name;
  const sorted = [...rows].sort((a, b) => Number(b.key.name === own) - Number(a.key.name === own));
  const items = sorted.map(({ key, state }, at): PlanItem => ({
    action: 'rename-affinity',
    subject: { kind: 'BlockAffinity', name: key.name, cidr: formatCidr(cidr), node: host },
    precondition: 'as it was read',
    reason:
      at === 0
        ? `becomes ${newKey.name}, ${state || 'confirmed'}`
        : 'a second row for the same block goes',
  }));
  const oldKeys = sorted.map(({ key }) => key);
  return { cidr, move: { from: host, to, oldKeys, newKey, items } };
}

interface UnitParts {
  readonly world: RenameWorld;
  readonly names: NameMap;
  readonly handles: readonly HandleMove[];
  readonly claims: readonly BlockClaim[];
  readonly renames: readonly { readonly block: BlockRow; readonly rename: BlockRename }[];
}

/** Units in order of the text of their block. */
function unitsOf({ world, names, handles, claims, renames }: UnitParts): readonly RenameUnit[] {
  const moves = new Map(handles.map((move) => [move.oldId, move]));
  const units = new Map<
    string,
    { cidr: Cidr; blocks: RenameUnit['block'][]; claims: ClaimMove[]; handles: Set<HandleMove> }
  >();
  const unitAt = (cidr: Cidr) => {
    const text = formatCidr(cidr);
    const unit = units.get(text) ?? { cidr, blocks: [], claims: [], handles: new Set() };
    units.set(text, unit);
    return unit;
  };
  for (const { block, rename } of renames) {
    const unit = unitAt(block.cidr);
    unit.blocks.push({ key: block.key, item: blockItem(block, rename, names) });
    for (const id of tunnelHandlesIn(block, names)) addMove(unit.handles, moves.get(id));
  }
  for (const { cidr, move } of claims) unitAt(cidr).claims.push(move);
  for (const { id, counts } of world.handles) {
    const move = moves.get(comparableHandleId(id));
    for (const { cidr } of counts) if (cidr !== undefined && move) unitAt(cidr).handles.add(move);
  }
  return [...units]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, { cidr, blocks, claims, handles }]) => {
      const [block, ...others] = blocks;
      const rest = others.map((other) => ({ cidr, block: other, claims: [], handles: [] }));
      return [{ cidr, block, claims, handles: [...handles] }, ...rest];
    });
}

function addMove(moves: Set<HandleMove>, move: HandleMove | undefined): void {
  if (move) moves.add(move);
}

/** @throws {@link PreconditionError} when the block holds damage that a write would make worse. */
function blockItem(block: BlockRow, rename: BlockRename, names: NameMap): PlanItem {
  const { owner, nodeAttributes, tunnels } = rename;
  const cidr = formatCidr(block.cidr);
  const damage = damageOf(block);
  if (damage !== undefined) {
    throw new PreconditionError(
      `block ${cidr} is damaged (${damage}) and cannot be changed without losing what it holds`,
      {
        hint: 'mend the block first; ipamctl ipam check --only invalid-block lists what is wrong with it',
      },
    );
  }
  const parts = [
    ...(owner === undefined ? [] : [`owner ${owner} becomes ${names.get(owner) ?? ''}`]),
    ...(nodeAttributes === 0 ? [] : [counted(nodeAttributes, 'node attribute')]),
    ...(tunnels === 0 ? [] : [counted(tunnels, 'tunnel address', 'tunnel addresses')]),
  ];
  return {
    action: 'rename-block',
    subject: { kind: 'IPAMBlock', name: block.key.name, cidr, node: owner },
    precondition: 'as it was read, in one write',
    reason: parts.join('; '),
  };
}

/** A number with what it counts. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

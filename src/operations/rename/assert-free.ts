import { PreconditionError } from '../../errors/precondition-error.ts';
import { comparableHandleId } from '../../ipam/handle-id.ts';
import type { NameMap } from '../../ipam/rename/legs.ts';
import { tunnelHandlesIn } from '../../ipam/rename/rename-block.ts';
import { formatCidr } from '../../net/cidr.ts';
import type { LegPlan } from './leg-plan.ts';
import type { RenameWorld } from './rename-world.ts';

/** How many clashes an error names. */
const NAMED = 5;

/**
 * Refuses a leg whose new names own what would clash: a row for the same block, a tunnel's handle of the same kind.
 * @throws {@link PreconditionError} naming the clashes.
 */
export function assertNoClash(world: RenameWorld, leg: LegPlan): void {
  const clashes = [...rowClashes(world, leg), ...handleClashes(world, leg)];
  if (clashes.length === 0) return;
  const rest = clashes.length > NAMED ? `; and ${clashes.length - NAMED} more` : '';
  throw new PreconditionError(`${clashes.slice(0, NAMED).join('; ')}${rest}`, {
    hint: 'release or repair what one of the two nodes does not need; nothing was written',
    details: { clashes },
  });
}

/**
 * Refuses a leg of a chain or a cycle whose new name is not empty: what it has and what it gets could not be told apart.
 * @throws {@link PreconditionError}
 */
export function assertEmpty(world: RenameWorld, name: string, names: NameMap): void {
  if (!world.knownNames().has(name)) return;
  const from = [...names].find(([, to]) => to === name)?.[0] ?? '';
  throw new PreconditionError(
    `"${name}" has blocks, addresses or handles of its own, so "${from}" cannot get this name as part of a chain`,
    { hint: 'rename the nodes at the end of a chain one by one, or give that one another name' },
  );
}

function* rowClashes(world: RenameWorld, { units }: LegPlan): Generator<string> {
  const rows = new Set(
    world.affinities.flatMap(({ type, host, cidr }) =>
      type === 'host' ? `${host} ${formatCidr(cidr)}` : [],
    ),
  );
  for (const { cidr, claims } of units) {
    const block = formatCidr(cidr);
    for (const { from, to, newKey } of claims) {
      const holder = world.claimAt(newKey.name);
      if (holder !== undefined && holder !== `host:${to}`)
        yield `the name ${newKey.name} of the row for block ${block} is taken by ${holder}`;
      else if (holder !== undefined || rows.has(`${to} ${block}`))
        yield `"${to}" has a row for block ${block}, as has "${from}"`;
    }
  }
}

function* handleClashes(world: RenameWorld, { handles, names }: LegPlan): Generator<string> {
  const targets: NameMap = new Map([...names.values()].map((name) => [name, name]));
  const held = new Set(world.blocks.flatMap((block) => [...tunnelHandlesIn(block, targets)]));
  const rows = new Map(
    world.handles.map(({ id, key }): [string, string] => [key.name, comparableHandleId(id)]),
  );
  const ids = new Set(rows.values());
  for (const { oldId, newId, newKey } of handles) {
    const holder = rows.get(newKey.name);
    if (held.has(newId) || ids.has(newId)) yield `there is a handle ${newId}, beside ${oldId}`;
    else if (holder !== undefined && holder !== oldId)
      yield `the row of handle ${newId} is that of ${holder}, which differs in case only`;
  }
}

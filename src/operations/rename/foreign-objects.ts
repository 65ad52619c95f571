import { StreamRestart } from '../../datastore/datastore.ts';
import type { ObjectKind, ObjectStore } from '../../datastore/object-store.ts';
import { ToolError } from '../../errors/tool-error.ts';
import { metadataOf, objectOf } from '../../ipam/model/object-metadata.ts';
import type { JsonObject } from '../../ipam/model/resource.ts';
import type { NameMap } from '../../ipam/rename/legs.ts';
import type { OperationContext } from '../context.ts';
import { listed } from './rename-notes.ts';

/** How a kind names the node that it is of. */
type Reference = (object: JsonObject) => string | undefined;

const bySpec: Reference = (object) => {
  const { node } = objectOf(object['spec']);
  return typeof node === 'string' ? node : undefined;
};

/** Configurations of one node are called after it. */
const byName: Reference = (object) => {
  const name = nameOf(object);
  return name.startsWith(NODE_PREFIX) ? name.slice(NODE_PREFIX.length) : undefined;
};

const NODE_PREFIX = 'node.';

/** Kinds that are not IPAM's and name a node. */
const KINDS: readonly (readonly [ObjectKind, Reference])[] = [
  ['FelixConfiguration', byName],
  ['BGPConfiguration', byName],
  ['BGPPeer', bySpec],
  ['HostEndpoint', bySpec],
  ['CalicoNodeStatus', bySpec],
];

/** Objects that are not IPAM's and keep the old names: they are told of, not changed. */
export async function foreignNotes(
  { datastore, signal }: OperationContext,
  names: NameMap,
): Promise<readonly string[]> {
  const { objects } = datastore;
  const found: string[] = [];
  const unknown: string[] = [];
  for (const [kind, reference] of KINDS) {
    const users = objects && (await usersOf(objects, kind, { reference, names, signal }));
    if (users === undefined) unknown.push(kind);
    else found.push(...users.map((name) => `${kind} ${name}`));
  }
  return [
    ...(found.length === 0
      ? []
      : [
          `Not changed, and of an old name: ${found.length > 5 ? `${found.length} objects, such as ` : ''}${listed(found)}.`,
        ]),
    ...(unknown.length === 0
      ? []
      : [`Not known here: whether a ${unknown.join(', ')} still has an old name.`]),
  ];
}

/** Names of objects of a kind that name one of the nodes; undefined when the kind cannot be read here. */
async function usersOf(
  objects: ObjectStore,
  kind: ObjectKind,
  {
    reference,
    names,
    signal,
  }: { readonly reference: Reference; readonly names: NameMap; readonly signal: AbortSignal },
): Promise<readonly string[] | undefined> {
  try {
    const listing = await objects.list(kind, { signal });
    if (listing.absent === 'not-loaded') return undefined;
    const users: string[] = [];
    for await (const batch of listing.objects)
      users.push(...batch.filter((object) => names.has(reference(object) ?? '')).map(nameOf));
    return users.sort();
  } catch (error) {
    // They are no part of the work: what may not be seen, or is cut, stands in its way no more than what is absent.
    if (signal.aborted || !(error instanceof ToolError || error instanceof StreamRestart))
      throw error;
    return undefined;
  }
}

function nameOf(object: JsonObject): string {
  const { name } = metadataOf(object);
  return typeof name === 'string' ? name : '';
}

import { type Datastore, StreamRestart } from '../../datastore/datastore.ts';
import type { ObjectKind, ObjectStore } from '../../datastore/object-store.ts';
import { ToolError } from '../../errors/tool-error.ts';
import { metadataOf, objectOf } from '../../ipam/model/object-metadata.ts';
import { type JsonObject, keyText } from '../../ipam/model/resource.ts';
import { isReadable } from '../../ipam/model/row.ts';
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

/** What may keep an old name, and who does. */
interface Holders {
  readonly kind: string;
  /** What does, by kind and name; undefined when that cannot be seen here. */
  readonly find: () => Promise<readonly string[] | undefined>;
}

/** What is not IPAM's, or is no row of it, and keeps the old names: it is told of, not changed. */
export async function foreignNotes(
  context: OperationContext,
  names: NameMap,
): Promise<readonly string[]> {
  const found: string[] = [];
  const unknown: string[] = [];
  for (const { kind, find } of holdersOf(context, names)) {
    const users = await seen(find, context.signal);
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

/** Those of which a node has one or few come first, since not all are named. */
function holdersOf({ datastore, signal }: OperationContext, names: NameMap): readonly Holders[] {
  const { objects, keys } = datastore;
  const ofObjects = KINDS.map(([kind, reference]): Holders => ({
    kind,
    find: async () => objects && objectsOf(objects, kind, { reference, names, signal }),
  }));
  if (keys.form !== 'entry') return ofObjects;
  return [
    ...ofObjects,
    { kind: 'host marker', find: () => markersOf(datastore, names, signal) },
    { kind: 'WorkloadEndpoint', find: () => endpointsOf(datastore, names, signal) },
  ];
}

/** They are no part of the work: what may not be seen, or is cut, stands in its way no more than what is absent. */
async function seen(
  find: Holders['find'],
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  try {
    return await find();
  } catch (error) {
    if (signal.aborted || !(error instanceof ToolError || error instanceof StreamRestart))
      throw error;
    return undefined;
  }
}

/** Names of objects of a kind that name one of the nodes; undefined when the source does not hold the kind. */
async function objectsOf(
  objects: ObjectStore,
  kind: ObjectKind,
  {
    reference,
    names,
    signal,
  }: { readonly reference: Reference; readonly names: NameMap; readonly signal: AbortSignal },
): Promise<readonly string[] | undefined> {
  const listing = await objects.list(kind, { signal });
  if (listing.absent === 'not-loaded') return undefined;
  const users: string[] = [];
  for await (const batch of listing.objects)
    users.push(...batch.filter((object) => names.has(reference(object) ?? '')).map(nameOf));
  return users.sort();
}

/** Hosts whose marker in etcd has an old name: nobody but the cleaning up after a host looks at it. */
async function markersOf(
  datastore: Datastore,
  names: NameMap,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const name of names.keys())
    if ((await datastore.knowsHost?.(name, { signal })) === true) found.push(name);
  return found.sort();
}

/** Endpoints of workloads on the nodes. A file that holds none at all says nothing of them, and is no place to look. */
async function endpointsOf(
  datastore: Datastore,
  names: NameMap,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { rows } = await datastore.list('WorkloadEndpoint', { signal });
  const found: string[] = [];
  for await (const batch of rows)
    for (const row of batch)
      if (row.kind === 'WorkloadEndpoint' && isReadable(row) && names.has(row.node))
        found.push(keyText(row.key));
  return found.sort();
}

function nameOf(object: JsonObject): string {
  const { name } = metadataOf(object);
  return typeof name === 'string' ? name : '';
}

import type { AffinityRow, AffinityState } from '../../ipam/model/affinity.ts';
import { hostnameHash } from '../../ipam/model/names.ts';
import type { JsonObject, JsonValue } from '../../ipam/model/resource.ts';
import type { Cidr } from '../../net/cidr.ts';
import { type FieldSource, Fields, isObject, specOf } from './fields.ts';
import { Misreading, wrongValue } from './misreading.ts';
import { type ObjectHead, rowHead } from './object-head.ts';

/** Label by which a host's rows are listed. */
const HASH_LABEL = 'projectcalico.org/hostname-hash';

const STATES: ReadonlySet<string> = new Set<AffinityState>([
  '',
  'pending',
  'confirmed',
  'pendingDeletion',
]);

/** Owner and block of an affinity, which in etcd stand in the key. */
export interface AffinityIdentity {
  readonly type: string;
  readonly host: string;
  readonly cidr: Cidr;
}

/** Reads a BlockAffinity of either group. @throws {@link Misreading} */
export function decodeAffinity(head: ObjectHead, object: JsonObject): AffinityRow {
  const spec = Fields.spec(object);
  const identity = {
    type: spec.text('type') ?? 'host',
    host: spec.requiredText('node'),
    cidr: spec.cidr('cidr'),
  };
  const row = affinityRow(head, identity, specOf(object));
  return { ...row, labelled: isLabelled(object, identity.host) };
}

/**
 * Makes the row from owner, block and the fields `state` and `deleted` of a spec or an etcd value. An absent state is how
 * old releases wrote a confirmed row.
 * @throws {@link Misreading}
 */
export function affinityRow(
  head: ObjectHead,
  identity: AffinityIdentity,
  { value, at }: FieldSource,
): AffinityRow {
  const state = value['state'] ?? '';
  if (typeof state !== 'string' || !STATES.has(state)) {
    throw new Misreading(wrongValue(`${at}state`, state, 'state of an affinity'));
  }
  const { type, host, cidr } = identity;
  const deleted = readDeleted(value['deleted'], `${at}deleted`);
  return {
    ...rowHead(head),
    kind: 'BlockAffinity',
    type,
    host,
    cidr,
    state: state as AffinityState,
    deleted,
    labelled: undefined,
  };
}

/**
 * The mark of soft deletion: a boolean in the newer group and etcd, a text in the older group, blank or absent for no.
 * Both are taken wherever they stand, since neither can be mistaken.
 * Source: Go strconv.ParseBool, which the older group's client applies.
 */
function readDeleted(value: JsonValue | undefined, path: string): boolean {
  if (typeof value === 'boolean') return value;
  if (value === undefined || value === null || value === '') return false;
  if (typeof value === 'string') {
    if (/^(1|t|T|TRUE|true|True)$/.test(value)) return true;
    if (/^(0|f|F|FALSE|false|False)$/.test(value)) return false;
  }
  throw new Misreading(wrongValue(path, value, 'boolean'));
}

/** Label selectors of the server see the object's own labels only, not the copy in the annotation. */
function isLabelled(object: JsonObject, host: string): boolean {
  const metadata = object['metadata'];
  const labels = isObject(metadata) ? metadata['labels'] : undefined;
  return isObject(labels) && labels[HASH_LABEL] === hostnameHash(host);
}

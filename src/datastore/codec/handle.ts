import type { HandleCount, HandleRow } from '../../ipam/model/handle.ts';
import type { JsonObject, JsonValue } from '../../ipam/model/resource.ts';
import { parseCidr } from '../../net/cidr.ts';
import { type FieldSource, isObject, specOf } from './fields.ts';
import { Misreading, wrongValue } from './misreading.ts';
import { type ObjectHead, rowHead } from './object-head.ts';

const NO_COUNTS: readonly HandleCount[] = [];

/**
 * Reads an IPAMHandle of either group. That the row's name follows from its id is not checked here.
 * @throws {@link Misreading}
 */
export function decodeHandle(head: ObjectHead, object: JsonObject): HandleRow {
  const spec = specOf(object);
  const id = spec.value['handleID'];
  if (typeof id !== 'string' || id === '') {
    throw new Misreading(wrongValue('spec.handleID', id, 'text'));
  }
  return handleRow(head, id, spec);
}

/** Makes the row from the id and the fields `block` and `deleted` of a spec or an etcd value. @throws {@link Misreading} */
export function handleRow(head: ObjectHead, id: string, { value, at }: FieldSource): HandleRow {
  const deleted = value['deleted'] ?? false;
  if (typeof deleted !== 'boolean')
    throw new Misreading(wrongValue(`${at}deleted`, deleted, 'boolean'));
  const { key, revision, uid, createdAt, terminating } = rowHead(head);
  const counts = readCounts(value['block'], `${at}block`);
  return { key, revision, uid, createdAt, terminating, kind: 'IPAMHandle', id, counts, deleted };
}

function readCounts(blocks: JsonValue | undefined, path: string): readonly HandleCount[] {
  if (blocks === undefined || blocks === null) return NO_COUNTS;
  if (!isObject(blocks)) throw new Misreading(wrongValue(path, blocks, 'map of counts'));
  const counts: HandleCount[] = [];
  for (const text in blocks) {
    const count = blocks[text] ?? 0;
    if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 0) {
      throw new Misreading(wrongValue(`${path}.${text}`, count, 'count'));
    }
    counts.push({ text, cidr: parseCidr(text), count });
  }
  return counts;
}

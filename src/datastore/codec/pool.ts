import { DEFAULT_USES, type PoolRow, defaultBlockSize } from '../../ipam/model/pool.ts';
import type { JsonObject } from '../../ipam/model/resource.ts';
import { bitsOf } from '../../net/address.ts';
import { type Cidr, cidrFamily } from '../../net/cidr.ts';
import { Fields, memberObject } from './fields.ts';
import { Misreading, wrongValue } from './misreading.ts';
import { type ObjectHead, rowHead } from './object-head.ts';

/**
 * Reads an IPPool of either group and fills in the defaults that Calico fills in on every read.
 * Source: Calico libcalico-go lib/clientv3 ippool.go, conversion and defaults on read.
 * @throws {@link Misreading}
 */
export function decodePool(head: ObjectHead, object: JsonObject): PoolRow {
  const spec = Fields.spec(object);
  const cidr = spec.cidr('cidr');
  const uses = spec.texts('allowedUses');
  return {
    ...rowHead(head),
    kind: 'IPPool',
    cidr,
    blockSize: readBlockSize(spec, cidr),
    disabled: spec.boolean('disabled') ?? false,
    ...readAllocatable(object),
    nodeSelector: spec.text('nodeSelector') ?? 'all()',
    namespaceSelector: spec.text('namespaceSelector') ?? '',
    allowedUses: uses.length === 0 ? DEFAULT_USES : uses,
    assignmentMode: spec.text('assignmentMode') ?? 'Automatic',
  };
}

/** A size outside of what Calico allows is kept, as long as it can be a prefix length at all; 0 counts as unset. */
function readBlockSize(spec: Fields, cidr: Cidr): number {
  const size = spec.integer('blockSize') ?? 0;
  if (size < 0 || size > bitsOf(cidrFamily(cidr))) {
    throw new Misreading(wrongValue(spec.pathOf('blockSize'), size, 'prefix length'));
  }
  return size === 0 ? defaultBlockSize(cidr) : size;
}

function readAllocatable(object: JsonObject): Pick<PoolRow, 'allocatable' | 'lostOverlap'> {
  const status = new Fields(memberObject(object, 'status'), 'status');
  let allocatable = true;
  let lostOverlap = false;
  for (const condition of status.children('conditions')) {
    if (condition.text('type') !== 'Allocatable' || condition.text('status') !== 'False') continue;
    allocatable = false;
    lostOverlap ||= condition.text('reason') === 'CIDROverlap';
  }
  return { allocatable, lostOverlap };
}

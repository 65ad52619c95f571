import { createHash } from 'node:crypto';
import { encodeRow } from '../../src/datastore/codec/encode.ts';
import type { WritableRow } from '../../src/datastore/datastore.ts';
import type { BlockAttribute } from '../../src/ipam/model/block.ts';
import type { JsonObject } from '../../src/support/json.ts';
import { aBlock, aHandle, anAffinity, aPool, coolingSlot, podSlot } from '../support/builders.ts';
import { aClusterInformation } from '../support/settings-builders.ts';

/** Blocks with leaks; each writes once or twice, and handles reach over two of them. */
const LEAKY = 6;

/**
 * Objects of a cluster that has something for every command: leaks, orphans, wrong counts, stray claims, cooled addresses.
 * It is locked unless said otherwise, for then no command waits between its looks.
 */
export function crashCluster(isLocked = true): readonly JsonObject[] {
  const rows = [...withLeaks(), ...withFaults(isLocked), ...withCooled()];
  const common = [
    aClusterInformation({ datastoreReady: !isLocked }),
    aPool('main', '10.0.0.0/16', { blockSize: 28 }),
  ];
  return [
    ...[...common, ...rows].map(objectOf),
    { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-a' } },
    livePod('10.0.0.9'),
  ];
}

function* withLeaks(): Generator<WritableRow> {
  const counts = new Map<string, Record<string, number>>();
  for (let at = 0; at < LEAKY; at++) {
    const cidr = `10.0.0.${at * 16}/28`;
    const slots: Record<number, BlockAttribute> = {
      1: podSlot(`shop/old-${at}`, 'node-a'),
      2: podSlot(`shop/wide-${at >> 1}`, 'node-a'),
      3: podSlot('shop/widest', 'node-a'),
      ...(at === 0 ? { 9: podSlot('default/live', 'node-a') } : {}),
    };
    // One block in three has lost its owner and goes with its last address.
    const isOwned = at % 3 !== 2;
    yield aBlock(cidr, slots, isOwned ? {} : { affinity: undefined });
    if (isOwned) yield anAffinity('node-a', cidr);
    for (const { handle = '' } of Object.values(slots))
      counts.set(handle, { ...counts.get(handle), [cidr]: 1 });
  }
  for (const [handle, blocks] of counts) yield aHandle(handle, blocks);
}

/** @param isRowless Whether blocks may lack their row: a collector that gives such a block up cannot be taken back. */
function* withFaults(isRowless: boolean): Generator<WritableRow> {
  for (const at of [0, 1, 2]) yield aHandle(`lonely-${at}`, { '10.0.0.0/28': 1 });
  for (const at of [0, 1]) {
    const [gone, unclaimed, stray] = [
      `10.0.1.${at * 16}/28`,
      `10.0.2.${at * 16}/28`,
      `10.0.3.${at * 16}/28`,
    ];
    yield aBlock(gone, {}, { affinity: 'host:gone' });
    yield anAffinity('gone', gone);
    yield aBlock(unclaimed);
    if (!isRowless) yield anAffinity('node-a', unclaimed);
    yield anAffinity('node-a', stray);
    yield aBlock(`10.0.4.${at * 16}/28`, {}, { affinity: undefined });
    const held = podSlot(`shop/counted-${at}`, 'node-a');
    const cidr = `10.0.5.${at * 16}/28`;
    yield aBlock(cidr, { 1: held, 2: podSlot(`shop/uncounted-${at}`, 'node-a') });
    yield anAffinity('node-a', cidr);
    yield aHandle(held.handle ?? '', { [cidr]: 4 });
  }
}

/** Cooled addresses, a block that is empty without them, and what is left of a release that was cut short. */
function* withCooled(): Generator<WritableRow> {
  for (const at of [0, 1]) {
    const cidr = `10.0.6.${at * 16}/28`;
    yield aBlock(cidr, { 1: coolingSlot(), ...(at === 0 ? { 4: coolingSlot() } : {}) });
    yield anAffinity('node-a', cidr);
    yield anAffinity('node-a', `10.0.7.${at * 16}/28`, { state: 'pendingDeletion' });
  }
}

/** An object with a uid of its own, which is the same in every copy of the cluster. */
function objectOf(row: WritableRow): JsonObject {
  const object = encodeRow({ ...row, revision: undefined, uid: undefined }, 'crd');
  const digest = createHash('sha256').update(`${row.kind} ${row.key.name}`).digest('hex');
  const uid = digest.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
  return { ...object, metadata: { ...(object['metadata'] as JsonObject), uid } };
}

function livePod(podIP: string): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: 'default', name: 'live' },
    spec: { nodeName: 'node-a', containers: [{ name: 'main', image: 'example.org/main' }] },
    status: { phase: 'Running', podIP, podIPs: [{ ip: podIP }] },
  };
}

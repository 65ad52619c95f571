import { join } from 'node:path';
import { encodeRow } from '../../src/datastore/codec/encode.ts';
import type { WritableRow } from '../../src/datastore/datastore.ts';
import type { BlockAttribute } from '../../src/ipam/model/block.ts';
import { aBlock, aHandle, anAffinity, aPool, podSlot } from '../../test/support/builders.ts';
import { startFakeApiServer } from '../../test/support/fake-api-server.ts';
import { aClusterInformation } from '../../test/support/settings-builders.ts';
import { measure } from '../src/measure.ts';
import type { BenchContext, PartResult } from '../src/part.ts';
import { summary } from '../src/rounds.ts';

const BLOCKS = 500;
const SLOTS = 20;
const ADDRESSES = BLOCKS * SLOTS;

/** Releasing 10,000 leaked addresses of 500 blocks at a server that answers at once. */
export async function releaseMany({ folder }: BenchContext): Promise<PartResult> {
  const server = await startFakeApiServer();
  try {
    for (const row of leakedCluster())
      server.put(encodeRow({ ...row, revision: undefined }, 'crd'));
    server.put({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-a' }, status: {} });
    const kubeconfig = server.writeKubeconfig(folder);
    const writes = [kubeconfig, String(BLOCKS), String(ADDRESSES)];
    const floor = await measure(['bench/floors/conditional-writes.ts', ...writes]);
    const undo = join(folder, 'release-many.jsonl');
    const run = await measure([
      ...['bin/run.js', 'ipam', 'release', '--leaked', '--yes', '--kubeconfig', kubeconfig],
      ...['--undo-file', undo, '--format', 'json'],
    ]);
    const { PUT = 0, DELETE = 0, ...others } = run.requests;
    return {
      part: 'release of many',
      about: `${ADDRESSES} leaked addresses in ${BLOCKS} blocks, in-process server, both looks and the undo file included`,
      rows: [summary('conditional writes alone', [floor]), summary('ipam release --leaked', [run])],
      comparisons: [
        { what: 'writes of blocks', value: PUT, target: BLOCKS },
        { what: 'deletes of handles', value: DELETE, target: ADDRESSES },
        {
          what: 'other requests',
          value: Object.values(others).reduce((sum, count) => sum + count, 0),
          target: 60,
        },
        { what: 'wall to the writes alone', value: run.wallMs / floor.wallMs },
        { what: 'CPU to the writes alone', value: run.cpuMs / floor.cpuMs },
      ],
    };
  } finally {
    await server.stop();
  }
}

/** Pods of a node that exists, none of which exists. */
function* leakedCluster(): Generator<WritableRow> {
  yield { ...aClusterInformation(), key: { name: 'default' } };
  yield aPool('main', '10.0.0.0/8');
  for (let block = 0; block < BLOCKS; block++) {
    const cidr = `10.${block >> 8}.${block & 255}.0/26`;
    const slots: Record<number, BlockAttribute> = {};
    for (let slot = 0; slot < SLOTS; slot++)
      slots[slot] = podSlot(`shop/p-${block}-${slot}`, 'node-a');
    yield aBlock(cidr, slots);
    yield anAffinity('node-a', cidr);
    for (const { handle = '' } of Object.values(slots))
      yield aHandle(handle, { [cidr]: 1 }, { uid: undefined });
  }
}

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { encodeRow } from '../../src/datastore/codec/encode.ts';
import type { WritableRow } from '../../src/datastore/datastore.ts';
import { openKubernetesDatastore } from '../../src/datastore/kubernetes/kubernetes-datastore.ts';
import type { BlockAttribute } from '../../src/ipam/model/block.ts';
import { planRelease } from '../../src/operations/release-addresses.ts';
import { planRestore } from '../../src/operations/restore-recorded.ts';
import { aBlock, aHandle, aPool, anAffinity, podSlot } from '../support/builders.ts';
import { aClusterInformation } from '../support/settings-builders.ts';
import { type FakeApiServer, startFakeApiServer } from '../support/fake-api-server.ts';
import { contextOf } from '../support/scripted-datastore.ts';
import { UndoMemory } from '../support/undo-memory.ts';

const BLOCKS = 500;
const SLOTS = 20;

/** Leaked addresses: pods of a node that exists, none of which exists. */
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

describe('release of many addresses on the in-process server', function () {
  this.timeout(120_000);

  let server: FakeApiServer;

  before(async () => {
    server = await startFakeApiServer();
    for (const row of leakedCluster())
      server.put(encodeRow({ ...row, revision: undefined }, 'crd'));
    server.put({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-a' }, status: {} });
  });
  after(() => server.stop());

  function open() {
    const kubeconfig = {
      value: server.writeKubeconfig(mkdtempSync(join(tmpdir(), 'ipamctl-fake-'))),
      origin: 'test',
    };
    return openKubernetesDatastore({ kubeconfig, env: {} });
  }

  it('writes each block once and deletes each handle once, and restores them', async () => {
    const datastore = await open();
    const mutation = await planRelease(contextOf(datastore), {
      selector: { by: 'leaked' },
      minAgeMs: 300_000,
      isForced: false,
      isMismatchAllowed: false,
    });
    const undo = new UndoMemory();
    const { document, verdict, error } = await mutation.apply(undo);
    expect(verdict, error?.message ?? '').to.equal('ok');
    expect(document.totals).to.deep.equal({
      applied: BLOCKS * SLOTS,
      already: 0,
      skipped: 0,
      failed: 0,
    });
    const count = (method: string): number =>
      server.requests.filter((request) => request.method === method).length;
    expect(count('PUT')).to.equal(BLOCKS);
    expect(count('DELETE')).to.equal(BLOCKS * SLOTS);
    expect(server.requests.length - count('PUT') - count('DELETE')).to.be.lessThan(60);

    const restored = await (
      await planRestore(contextOf(datastore), {
        recorded: undo.read(),
        name: 'undo.jsonl',
        isMismatchAllowed: false,
      })
    ).apply();
    expect(restored.verdict, restored.error?.message ?? '').to.equal('ok');
    expect(restored.document.totals).to.include({ applied: BLOCKS * SLOTS, failed: 0 });
    await datastore.close();
  });
});

import { expect } from 'chai';
import type { WritableDatastore } from '../../src/datastore/datastore.ts';
import { openEtcdDatastore } from '../../src/datastore/etcd/etcd-datastore.ts';
import { stringifyJson } from '../../src/support/json.ts';
import { EtcdStore } from '../support/etcd-store.ts';
import { RacingDatastore, touch } from '../support/racing-datastore.ts';
import {
  aCluster,
  claimsOf,
  nodeRows,
  renameWorld,
  runRename,
  runRestore,
} from '../support/rename-world.ts';
import { requireEtcd } from '../support/shared-servers.ts';
import { CutDatastore } from '../support/split-world.ts';
import { UndoMemory } from '../support/undo-memory.ts';

const ONE = { alder: 'Alder_1.example' };
const SWAP = { alder: 'birch', birch: 'alder' };
const MANY = 10_000;
const STEP = 4;

describe('renaming nodes on a real etcd', function () {
  this.timeout(120_000);

  let store: EtcdStore;
  let datastore: WritableDatastore;

  before(async function () {
    const { endpoint } = await requireEtcd(this);
    store = new EtcdStore(endpoint);
    const endpoints = { value: endpoint, origin: 'test' };
    datastore = await openEtcdDatastore({ endpoints, env: {} });
  });
  after(() => datastore.close());

  async function reset(isLocked: boolean): Promise<void> {
    const rows = [aCluster(isLocked), ...nodeRows('alder', 1, 'birch'), ...nodeRows('birch', 2)];
    const world = await renameWorld('etcd', rows);
    await store.wipe();
    await store.put(
      world
        .storedObjects()
        .map(({ path = '', value }): [string, string] => [path, stringifyJson(value)]),
    );
  }

  it('moves keys and values, and goes back by its undo file', async () => {
    await reset(false);
    const before = await claimsOf(datastore);
    const undo = new UndoMemory();
    const { verdict, error } = await runRename(datastore, ONE, undo);
    expect(verdict, error?.message ?? '').to.equal('ok');
    const names = Object.keys(await claimsOf(datastore));
    expect(names).to.include.members([
      'BlockAffinity host/Alder_1.example/ipv4/block/10.0.1.0-28',
      'IPAMHandle wireguard-v6-tunnel-addr-Alder_1.example',
    ]);
    expect(names.filter((name) => /[-/]alder/.test(name))).to.deep.equal([]);
    const back = await runRestore(datastore, undo.read());
    expect(back.verdict, back.error?.message ?? '').to.equal('ok');
    expect(await claimsOf(datastore)).to.deep.equal(before);
  });

  it('ends the same wherever it was cut, also a swap', async () => {
    for (const [pairs, isLocked] of [
      [ONE, false],
      [SWAP, true],
    ] as const) {
      await reset(isLocked);
      const full = new CutDatastore(datastore, MANY);
      expect((await runRename(full, pairs)).verdict).to.equal('ok');
      const whole = await claimsOf(datastore);
      for (let writes = 1; writes < full.writes; writes += STEP) {
        await reset(isLocked);
        await runRename(new CutDatastore(datastore, writes), pairs);
        const resumed = await runRename(datastore, pairs);
        expect(resumed.verdict, `${writes}: ${resumed.error?.message ?? ''}`).to.equal('ok');
        expect(await claimsOf(datastore), `after ${writes}`).to.deep.equal(whole);
      }
    }
  });

  it('ends the same when blocks are changed by others right before they are written', async () => {
    await reset(false);
    await runRename(datastore, ONE);
    const calm = await claimsOf(datastore);
    await reset(false);
    const seen = new Set<string>();
    const racing = new RacingDatastore(datastore, async ({ verb, kind, name }) => {
      if (verb === 'create' || kind !== 'IPAMBlock' || seen.has(name)) return;
      seen.add(name);
      await touch(datastore, 'IPAMBlock', name);
    });
    const { verdict, error } = await runRename(racing, ONE);
    expect(verdict, error?.message ?? '').to.equal('ok');
    expect(seen.size).to.be.greaterThan(2);
    expect(await claimsOf(datastore)).to.deep.equal(calm);
  });
});

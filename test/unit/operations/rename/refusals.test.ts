import { expect } from 'chai';
import type { WritableDatastore } from '../../../../src/datastore/datastore.ts';
import { planUnlock } from '../../../../src/operations/unlock-datastore.ts';
import {
  aBlock,
  aCluster,
  aHandle,
  anAffinity,
  claimsOf,
  expectRefusal,
  nodeRows,
  plannedRename,
  podSlot,
  renameWorld,
  runRename,
  tunnel,
} from '../../../support/rename-world.ts';
import { contextOf } from '../../../support/scripted-datastore.ts';

const ONE = { alder: 'alder.example' };
const BLOCK = '10.0.0.0/28';

async function contentOf(world: WritableDatastore, name: string): Promise<unknown> {
  return (await claimsOf(world))[name];
}

describe('operations/rename-nodes refusals', () => {
  const world = (rows: Parameters<typeof renameWorld>[1], nodes: readonly string[] = []) =>
    renameWorld('v3', rows, nodes);

  it('refuses a new name that has a row for the same block, of whatever type, or a handle of the same tunnel', async () => {
    const mine = [
      aCluster(),
      aBlock(BLOCK, {}, { affinity: 'host:alder' }),
      anAffinity('alder', BLOCK),
    ];
    await expectRefusal(
      plannedRename(await world([...mine, anAffinity('alder.example', BLOCK)]), ONE),
      'has a row for block 10.0.0.0/28',
    );
    const virtual = anAffinity('alder.example', BLOCK, { type: 'virtual' });
    await expectRefusal(
      plannedRename(await world([...mine, virtual]), ONE),
      'is taken by virtual:alder.example',
    );
    const etcd = await renameWorld('etcd', [...mine, virtual]);
    expect((await runRename(etcd, ONE)).verdict).to.equal('ok');
    const tunnels = aBlock('10.0.1.0/28', { 0: tunnel('alder', 'vxlan-v6') });
    const handle = aHandle('vxlan-v6-tunnel-addr-alder.example', { '10.0.2.0/28': 1 });
    await expectRefusal(
      plannedRename(await world([...mine, tunnels, handle]), ONE),
      'there is a handle vxlan-v6-tunnel-addr-alder.example',
    );
    const held = aBlock('10.0.2.0/28', { 5: tunnel('alder.example', 'vxlan-v6') });
    await expectRefusal(
      plannedRename(await world([...mine, tunnels, held]), ONE),
      'there is a handle',
    );
    const other = aHandle('ipip-tunnel-addr-alder.example', { '10.0.2.0/28': 1 });
    const fine = await world([...mine, tunnels, other, anAffinity('alder.example', '10.0.9.0/28')]);
    expect((await runRename(fine, ONE)).verdict).to.equal('ok');
  });

  it('demands the lock while the old name is a node, while nodes are not known, and for chains', async () => {
    const rows = [aCluster(), ...nodeRows('alder', 1)];
    await expectRefusal(
      plannedRename(await world(rows, ['alder']), ONE),
      '"alder" still is a node',
    );
    await expectRefusal(
      plannedRename(await world(rows), { alder: 'birch', birch: 'cedar' }),
      'chain or a cycle',
    );
    const locked = await world([aCluster(true), ...nodeRows('alder', 1)], ['alder']);
    expect((await runRename(locked, ONE)).verdict).to.equal('ok');
    const already = await world([aCluster()], ['alder']);
    expect((await runRename(already, ONE)).document.totals.already).to.equal(1);
  });

  it('looks at the lock again before it writes', async () => {
    const locked = await world([aCluster(true), ...nodeRows('alder', 1)], ['alder']);
    const mutation = await plannedRename(locked, ONE);
    await (
      await planUnlock(contextOf(locked), { isForced: false, isMismatchAllowed: false })
    ).apply();
    const before = await claimsOf(locked);
    const { verdict, document } = await mutation.apply();
    expect(verdict).to.equal('refused');
    expect(document.totals.applied).to.equal(0);
    expect(await claimsOf(locked)).to.deep.equal(before);
  });

  it('refuses a chain into a name that has anything, and a block that cannot be written back, before any write', async () => {
    const chain = { alder: 'birch', birch: 'cedar' };
    const rows = [aCluster(true), ...nodeRows('alder', 1), ...nodeRows('birch', 2)];
    await expectRefusal(
      plannedRename(await world([...rows, anAffinity('cedar', '10.9.0.0/28')]), chain),
      '"cedar" has blocks',
    );
    const damaged = await world([aCluster(), ...nodeRows('alder', 1)]);
    const block = damaged.valueAt('IPAMBlock', '10-0-1-0-28') as { spec: object };
    damaged.put('IPAMBlock', { ...block, spec: { ...block.spec, unallocated: ['x'] } });
    await expectRefusal(plannedRename(damaged, ONE), 'is damaged');
  });

  it('ends with 4 when neither name is anywhere, and with "already" when one is a node', async () => {
    const rows = [aCluster(), ...nodeRows('birch', 1)];
    const error = await plannedRename(await world(rows), ONE).catch((error: unknown) => error);
    expect(error).to.include({ code: 'NOT_FOUND', status: 4 });
    const { document } = await runRename(await world(rows), { ...ONE, birch: 'beech' });
    expect(document.totals).to.include({ skipped: 1, already: 0, failed: 0 });
  });

  it('refuses names that no row can have, in the form of the datastore', async () => {
    for (const name of ['Alder', 'a_b', '-a', 'a.', 'x'.repeat(254), 'a/b', 'a b', 'é']) {
      const error = await plannedRename(await world([]), { alder: name }).catch(
        (error: unknown) => error,
      );
      expect(error, name).to.include({ status: 2 });
    }
    const etcd = await renameWorld('etcd', [aCluster(), ...nodeRows('alder', 1)]);
    expect((await plannedRename(etcd, { alder: 'Alder_1' })).plan.verdict).to.equal('ok');
    for (const name of ['a/b', 'a b', 'a\n'])
      expect(
        await plannedRename(etcd, { alder: name }).catch((error: unknown) => error),
      ).to.include({ status: 2 });
    const long = 'x'.repeat(240);
    const tunnels = await world([aCluster(), ...nodeRows('alder', 1)]);
    expect(
      await plannedRename(tunnels, { alder: long }).catch((error: unknown) => error),
    ).to.include({ status: 2 });
    const plain = await world([
      aCluster(),
      aBlock(BLOCK, {}, { affinity: 'host:alder' }),
      anAffinity('alder', BLOCK),
    ]);
    expect((await runRename(plain, { alder: long })).verdict).to.equal('ok');
    expect((await runRename(plain, { [long]: 'alder' })).verdict).to.equal('ok');
  });

  it('renames an id that differs in case only in the row that the two share', async () => {
    const rows = [
      aCluster(),
      aBlock(BLOCK, { 0: tunnel('Alder'), 1: podSlot('a/b', 'Alder') }),
      aHandle('vxlan-tunnel-addr-Alder', { [BLOCK]: 1 }),
    ];
    const { verdict, error } = await runRename(await world(rows), { Alder: 'alder' });
    expect(verdict, error?.message ?? '').to.equal('ok');
    const shared = await world(rows);
    await runRename(shared, { Alder: 'alder' });
    expect(await contentOf(shared, 'IPAMHandle vxlan-tunnel-addr-alder')).to.deep.equal([
      'vxlan-tunnel-addr-alder',
      ['10.0.0.0/28: 1'],
    ]);
  });
});

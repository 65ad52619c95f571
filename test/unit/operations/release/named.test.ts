import { expect } from 'chai';
import type { Row } from '../../../../src/ipam/model/row.ts';
import { planRelease } from '../../../../src/operations/release-addresses.ts';
import type {
  ReleaseOptions,
  ReleaseSelector,
} from '../../../../src/operations/release/release-options.ts';
import {
  NOW,
  aBlock,
  aNode,
  aPod,
  aPool,
  coolingSlot,
  ip,
  net,
  podSlot,
  windowsSlot,
  withRows,
} from '../../../support/builders.ts';
import { aClusterInformation, aConfig } from '../../../support/settings-builders.ts';
import { RowDatastore, type RowDatastoreOptions } from '../../../support/row-datastore.ts';
import { contextOf } from '../../../support/scripted-datastore.ts';
import { failureOf } from '../../../support/temp-folder.ts';

const BASE: readonly Row[] = [aClusterInformation(), aPool('main', '10.0.0.0/16'), aNode('node-a')];

function options(selector: ReleaseSelector, more: Partial<ReleaseOptions> = {}): ReleaseOptions {
  return { selector, minAgeMs: 300_000, isForced: false, isMismatchAllowed: false, ...more };
}

async function release(
  datastore: RowDatastore,
  selector: ReleaseSelector,
  more: Partial<ReleaseOptions> = {},
) {
  const mutation = await planRelease(contextOf(datastore), options(selector, more));
  return mutation.apply();
}

function datastoreOf(rows: readonly Row[], more: RowDatastoreOptions = {}): RowDatastore {
  return new RowDatastore([...BASE, ...rows], more);
}

const byAddress = (text: string, block?: string): ReleaseSelector => ({
  by: 'address',
  address: ip(text),
  block: block === undefined ? undefined : net(block),
});

describe('operations/release by name', () => {
  const leaked = withRows(aBlock('10.0.0.0/26', { 3: podSlot('shop/cart-0', 'node-a') }));

  it('releases a leaked address in one write of its block and deletes its handle', async () => {
    const datastore = datastoreOf(leaked);
    const { document, verdict } = await release(datastore, byAddress('10.0.0.3'));
    expect(verdict).to.equal('ok');
    expect(document.totals).to.deep.equal({ applied: 1, already: 0, skipped: 0, failed: 0 });
    expect(datastore.writes).to.deep.equal([
      'update IPAMBlock 10-0-0-0-26',
      'remove IPAMHandle k8s-pod-network.shop-cart-0',
    ]);
    expect(datastore.all('IPAMBlock')[0]).to.deep.include({
      attributes: [],
      sequenceNumber: 1764426000123456790n,
    });
  });

  it('refuses a live address, names its carrier and writes nothing', async () => {
    const datastore = datastoreOf([...leaked, aPod('shop/cart-0', 'node-a', '10.0.0.3')]);
    const { document, verdict, error } = await release(datastore, byAddress('10.0.0.3'));
    expect(verdict).to.equal('refused');
    expect(error?.status).to.equal(6);
    expect(error?.message).to.contain('pod shop/cart-0');
    expect(document.items[0]?.result).to.equal('skipped');
    expect(datastore.writes).to.deep.equal([]);
  });

  it('takes a live address with --force, exactly the one that was named', async () => {
    const block = aBlock('10.0.0.0/26', {
      3: podSlot('shop/cart-0', 'node-a'),
      4: podSlot('shop/cart-0', 'node-a'),
    });
    const datastore = datastoreOf([
      ...withRows(block),
      aPod('shop/cart-0', 'node-a', ['10.0.0.3', '10.0.0.4']),
    ]);
    const { document } = await release(datastore, byAddress('10.0.0.3'), { isForced: true });
    expect(document.items.map(({ subject }) => subject.address)).to.deep.equal(['10.0.0.3']);
    expect(
      datastore
        .all('IPAMHandle')
        .flatMap((row) => ('counts' in row ? row.counts.map(({ count }) => count) : [])),
    ).to.deep.equal([1]);
  });

  it('tells which addresses of the handle stay when one is forced, and nothing when none does', async () => {
    const block = aBlock('10.0.0.0/26', {
      3: podSlot('shop/cart-0', 'node-a'),
      4: podSlot('shop/cart-0', 'node-a'),
    });
    const notesOf = async (selector: ReleaseSelector, isForced: boolean) =>
      (await release(datastoreOf(withRows(block)), selector, { isForced })).document.notes;
    expect(await notesOf(byAddress('10.0.0.3'), true)).to.deep.equal([
      'Handle k8s-pod-network.shop-cart-0 goes on holding 10.0.0.4: --force takes what was named, and nothing else.',
    ]);
    expect(await notesOf(byAddress('10.0.0.3'), false)).to.deep.equal([]);
    const pod: ReleaseSelector = { by: 'pod', namespace: 'shop', name: 'cart-0' };
    expect(await notesOf(pod, true)).to.deep.equal([]);
  });

  it('takes all addresses of a handle along', async () => {
    const block = aBlock('10.0.0.0/26', {
      3: podSlot('shop/cart-0', 'node-a'),
      4: podSlot('shop/cart-0', 'node-a'),
    });
    const datastore = datastoreOf(withRows(block));
    const { document } = await release(datastore, byAddress('10.0.0.3'));
    expect(document.items.map(({ subject }) => subject.address)).to.deep.equal([
      '10.0.0.3',
      '10.0.0.4',
    ]);
    expect(datastore.writes).to.have.length(2);
  });

  it('releases none of a handle one address of which is alive', async () => {
    const block = aBlock('10.0.0.0/26', {
      3: podSlot('shop/cart-0', 'node-a'),
      4: podSlot('shop/cart-0', 'node-a'),
    });
    const datastore = datastoreOf([...withRows(block), aPod('shop/cart-0', 'node-a', '10.0.0.4')]);
    const { verdict } = await release(datastore, byAddress('10.0.0.3'));
    expect(verdict).to.equal('refused');
    expect(datastore.writes).to.deep.equal([]);
  });

  it('never releases what a Windows node reserves, forced or not', async () => {
    for (const isForced of [false, true]) {
      const datastore = datastoreOf(withRows(aBlock('10.0.0.0/26', { 0: windowsSlot() })));
      const { verdict } = await release(datastore, byAddress('10.0.0.0'), { isForced });
      expect(verdict).to.equal('refused');
      expect(datastore.writes).to.deep.equal([]);
    }
  });

  it('refuses a young address unless it is forced', async () => {
    const timestamp = new Date(NOW - 60_000).toISOString();
    const slot = podSlot('shop/cart-0', 'node-a', {
      owner: { namespace: 'shop', pod: 'cart-0', node: 'node-a', timestamp },
    });
    const rows = withRows(aBlock('10.0.0.0/26', { 3: slot }));
    const refused = await release(datastoreOf(rows), byAddress('10.0.0.3'));
    expect(refused.verdict).to.equal('refused');
    expect(refused.error?.message).to.contain('--min-age');
    expect(
      (await release(datastoreOf(rows), byAddress('10.0.0.3'), { isForced: true })).verdict,
    ).to.equal('ok');
  });

  it('refuses what cannot be judged for want of evidence', async () => {
    const datastore = datastoreOf(leaked, { without: ['Service'] });
    expect((await release(datastore, byAddress('10.0.0.3'))).verdict).to.equal('refused');
  });

  it('says that a cooling address is released already', async () => {
    const datastore = datastoreOf([
      aConfig({ ipCooldownSeconds: 600 }),
      ...withRows(aBlock('10.0.0.0/26', { 3: coolingSlot() })),
    ]);
    const { document, verdict } = await release(datastore, byAddress('10.0.0.3'));
    expect(verdict).to.equal('ok');
    expect(document.items[0]?.result).to.equal('already');
  });

  it('lets an address cool when a cooldown is configured, and says so', async () => {
    const datastore = datastoreOf([aConfig({ ipCooldownSeconds: 60 }), ...leaked]);
    const { document } = await release(datastore, byAddress('10.0.0.3'));
    expect(datastore.all('IPAMBlock')[0]).to.deep.include({
      attributes: [{ owner: {}, releasedAt: NOW }],
    });
    expect(document.notes.join(' ')).to.contain('60 seconds');
  });

  it('does not find an address that is not allocated', async () => {
    const error = await failureOf(release(datastoreOf(leaked), byAddress('10.0.0.9')));
    expect(error).to.include({ status: 4 });
  });

  it('refuses an address in two blocks until one of them is named', async () => {
    const rows = [
      ...withRows(aBlock('10.0.0.0/26', { 3: podSlot('shop/cart-0', 'node-a') })),
      ...withRows(aBlock('10.0.0.0/28', { 3: podSlot('shop/cart-1', 'node-a') })),
    ];
    const refused = await release(datastoreOf(rows), byAddress('10.0.0.3'));
    expect(refused.verdict).to.equal('refused');
    expect(refused.error?.message).to.contain('--block');
    const datastore = datastoreOf(rows);
    expect((await release(datastore, byAddress('10.0.0.3', '10.0.0.0/28'))).verdict).to.equal('ok');
    expect(datastore.writes[0]).to.equal('update IPAMBlock 10-0-0-0-28');
  });

  it('deletes an emptied block without owner', async () => {
    const datastore = datastoreOf(
      withRows(
        aBlock('10.0.0.0/26', { 3: podSlot('shop/cart-0', 'node-a') }, { affinity: undefined }),
      ),
    );
    await release(datastore, byAddress('10.0.0.3'));
    expect(datastore.writes[0]).to.equal('remove IPAMBlock 10-0-0-0-26');
  });

  it('gives up an emptied block whose pool does not select its node any more', async () => {
    const pool = aPool('main', '10.0.0.0/16', { nodeSelector: 'zone == "a"' });
    const datastore = datastoreOf([...leaked, pool]);
    const { document } = await release(datastore, byAddress('10.0.0.3'));
    expect(document.items.map(({ action }) => action)).to.deep.equal([
      'release-address',
      'delete-block',
    ]);
    expect(datastore.all('IPAMBlock')).to.deep.equal([]);
    expect(datastore.all('BlockAffinity')).to.deep.equal([]);
  });

  it('releases the addresses of a pod that has finished', async () => {
    const rows = [...leaked, aPod('shop/cart-0', 'node-a', '10.0.0.3', { finished: true })];
    const { document } = await release(datastoreOf(rows), {
      by: 'pod',
      namespace: 'shop',
      name: 'cart-0',
    });
    expect(document.totals.applied).to.equal(1);
    expect(
      await failureOf(release(datastoreOf(rows), { by: 'pod', namespace: 'shop', name: 'x' })),
    ).to.include({ status: 4 });
  });

  it('refuses a cluster of another major version unless told otherwise', async () => {
    const rows = [...leaked, aClusterInformation({ calicoVersion: 'v4.0.0' })];
    expect(await failureOf(release(datastoreOf(rows), byAddress('10.0.0.3')))).to.include({
      status: 6,
    });
    expect(
      (await release(datastoreOf(rows), byAddress('10.0.0.3'), { isMismatchAllowed: true }))
        .verdict,
    ).to.equal('ok');
    for (const calicoVersion of ['', 'v3.99.0-0.dev-12', 'master', undefined]) {
      const other = [...leaked, aClusterInformation({ calicoVersion })];
      expect((await release(datastoreOf(other), byAddress('10.0.0.3'))).verdict).to.equal('ok');
    }
  });
});

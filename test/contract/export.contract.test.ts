import { expect } from 'chai';
import { entryText } from '../../src/datastore/codec/entry-text.ts';
import { openDatastore } from '../../src/datastore/open-datastore.ts';
import type { WritableDatastore } from '../../src/datastore/datastore.ts';
import { UnavailableError } from '../../src/errors/unavailable-error.ts';
import { planExport } from '../../src/operations/export-datastore.ts';
import { EtcdStore } from '../support/etcd-store.ts';
import {
  affinityEntry,
  blockEntry,
  contextOver,
  type Entry,
  exported,
  fileOf,
  handleEntry,
  LOCKED,
  nodeEntry,
  objectEntry,
  readMigration,
  TextOutput,
} from '../support/export-world.ts';
import {
  contentOf,
  expectedContent,
  lockedEntries,
  RECORDED,
} from '../support/recorded-migrations.ts';
import { requireEtcd } from '../support/shared-servers.ts';

describe('exports of a real etcd', function () {
  this.timeout(60_000);

  let store: EtcdStore;
  let endpoint = '';
  let datastore: WritableDatastore | undefined;

  before(async function () {
    ({ endpoint } = await requireEtcd(this));
    store = new EtcdStore(endpoint);
  });

  afterEach(async () => {
    await datastore?.close();
    datastore = undefined;
  });

  async function openWith(entries: readonly Entry[]): Promise<WritableDatastore> {
    await store.wipe();
    await store.put(
      entries.map(
        ({ key, value }) => [key, typeof value === 'string' ? value : entryText(value)] as const,
      ),
    );
    const env = { DATASTORE_TYPE: 'etcdv3', ETCD_ENDPOINTS: endpoint };
    datastore = await openDatastore({ env, defaultConfigFile: '/nonexistent/calicoctl.cfg' });
    return datastore;
  }

  for (const name of RECORDED) {
    it(`are what calicoctl writes, apart from what is healed: ${name}`, async () => {
      const run = await exported(await openWith(lockedEntries(name)));
      expect(run.verdict).to.equal('ok');
      expect(contentOf(fileOf(run))).to.deep.equal(expectedContent(name).toSorted());
    });
  }

  it('are of one revision, whatever is written meanwhile', async () => {
    const source = await openWith([
      LOCKED,
      nodeEntry('a', 'a.example'),
      blockEntry('10.0.0.0/30', 'host:a'),
      affinityEntry('host/a', '10.0.0.0/30'),
    ]);
    const options = { skipNodes: [], isMismatchAllowed: false };
    const migration = await planExport(contextOver(source), options);
    const late = [handleEntry('net.late', {}), objectEntry('ippools', 'IPPool', 'late', {})];
    await store.put(late.map(({ key, value }) => [key, entryText(value)] as const));
    const output = new TextOutput();
    const { document } = await migration.write(output);
    expect(output.text).not.to.include('late');
    expect(document.counts).to.include({ IPPool: 0, IPAMHandle: 0, IPAMBlock: 1 });
    expect(document.revision).to.match(/^\d+$/);
    const { clusterInformation } = readMigration(output.text ?? '');
    expect(clusterInformation)
      .to.have.nested.property('metadata.resourceVersion')
      .that.matches(/^\d+$/);
  });

  it('say so when etcd forgets the revision before the end', async () => {
    const source = await openWith([LOCKED, nodeEntry('a', 'a')]);
    const options = { skipNodes: [], isMismatchAllowed: false };
    const migration = await planExport(contextOver(source), options);
    await store.put([['/calico/ipam/v2/config', '{}']]);
    await store.compact();
    const error: unknown = await migration
      .write(new TextOutput())
      .catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(UnavailableError);
    expect((error as UnavailableError).message).to.include('compacted');
  });

  it('list old forms, rows of virtual owners and handles with a slash', async () => {
    const rows = [
      LOCKED,
      nodeEntry('a', 'a.example'),
      affinityEntry('@/a', '10.0.0.0/30', ''),
      affinityEntry('virtual/load-balancer', '10.0.0.4/30'),
      handleEntry('net.1\r\neth0', { '10.0.0.0/30': 1 }),
    ];
    const run = await exported(await openWith(rows));
    expect(
      fileOf(run).entries.map(({ path }) => path.slice('/calico/ipam/v2/'.length)),
    ).to.have.members([
      'host/a.example/ipv4/block/10.0.0.0-30',
      'virtual/load-balancer/ipv4/block/10.0.0.4-30',
      'handle/net.1',
    ]);
    expect(run.document.healed.map(({ code }) => code)).to.deep.equal([
      'empty-affinity',
      'old-affinity-type',
      'handle-id-cut',
    ]);
    await datastore?.close();
    const slashed = await exported(await openWith([...rows, handleEntry('net/1', {})]));
    expect(slashed.verdict).to.equal('refused');
    expect(slashed.document.refusals.map(({ subject }) => subject)).to.deep.equal([
      'IPAMHandle net/1',
    ]);
  });
});

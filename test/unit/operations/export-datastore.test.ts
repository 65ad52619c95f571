import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { MemoryDatastore } from '../../../src/datastore/memory/memory-datastore.ts';
import { ToolError } from '../../../src/errors/tool-error.ts';
import { planExport } from '../../../src/operations/export-datastore.ts';
import { type JsonObject, parseJson } from '../../../src/support/json.ts';
import {
  affinityEntry,
  blockEntry,
  contextOver,
  entriesOf,
  type Entry,
  etcdSource,
  exported,
  fileOf,
  handleEntry,
  LOCKED,
  nodeEntry,
  objectEntry,
  TextOutput,
} from '../../support/export-world.ts';

const BLOCK = '10.0.0.0/30';

function slot(handle: string, node: string): JsonObject {
  return { handle_id: handle, secondary: { node } };
}

/** Kinds in order, as the lists of the first part stand. */
function kindsIn(text: string | undefined): readonly string[] {
  return [...(text ?? '').matchAll(/^kind: (\w+)List$/gm)].map(([, kind]) => kind ?? '');
}

async function statusOf(run: Promise<unknown>): Promise<readonly [number, string]> {
  try {
    await run;
  } catch (error) {
    if (error instanceof ToolError) return [error.status, `${error.message} ${error.hint ?? ''}`];
    throw error;
  }
  return [0, ''];
}

const unlocked: Entry = {
  ...LOCKED,
  value: { ...(LOCKED.value as JsonObject), spec: { clusterGUID: 'guid-1', datastoreReady: true } },
};

describe('operations/export-datastore', () => {
  describe('the source', () => {
    it('is of etcd, or else the way to save it is named', async () => {
      const [status, text] = await statusOf(exported(new MemoryDatastore()));
      expect(status).to.equal(10);
      expect(text).to.include('datastore snapshot');
    });

    it('is locked when it is live, whatever is allowed', async () => {
      const live = etcdSource([unlocked], { isLive: true });
      expect((await statusOf(exported(live)))[0]).to.equal(6);
      expect((await statusOf(exported(etcdSource([], { isLive: true }))))[0]).to.equal(6);
      expect((await exported(etcdSource([LOCKED], { isLive: true }))).verdict).to.equal('ok');
    });

    it('need not be locked when it is a file', async () => {
      expect((await exported(etcdSource([unlocked]))).verdict).to.equal('ok');
    });

    it('says who it is', async () => {
      expect((await statusOf(exported(etcdSource([]))))[0]).to.equal(9);
    });

    it('is of a version that is known, unless any is allowed', async () => {
      const spec = { calicoVersion: 'v4.0.0', datastoreReady: false };
      const other = etcdSource([{ ...LOCKED, value: { ...(LOCKED.value as JsonObject), spec } }]);
      expect((await statusOf(exported(other, { isMismatchAllowed: false })))[0]).to.equal(6);
      expect((await exported(other)).verdict).to.equal('ok');
    });

    it('is not in the middle of a change', async () => {
      const metadata = {
        name: 'default',
        annotations: { 'ipamctl.projectcalico.org/rename': '{"map":"x"}' },
      };
      const half = etcdSource([
        { ...LOCKED, value: { ...(LOCKED.value as JsonObject), metadata } },
      ]);
      const [status, text] = await statusOf(exported(half));
      expect(status).to.equal(6);
      expect(text).to.include('rename');
    });

    it('holds its nodes and the rows of IPAM', async () => {
      for (const kind of ['Node', 'IPAMBlock', 'BlockAffinity', 'IPAMHandle', 'IPAMConfig']) {
        const some = etcdSource([LOCKED], { absent: new Set([kind]) });
        expect((await statusOf(exported(some)))[0], kind).to.equal(9);
      }
    });

    it('has no list of a kind that it does not hold, and that is told', async () => {
      const run = await exported(etcdSource([LOCKED], { absent: new Set(['Tier']) }));
      expect(run.verdict).to.equal('partial');
      expect(run.document.notes.join()).to.include('Tier');
      expect(kindsIn(run.text)).not.to.include('Tier');
      expect(run.document.counts).not.to.have.property('Tier');
    });
  });

  describe('the file', () => {
    it('lists all kinds in their order, empty ones too', async () => {
      const { text } = await exported([]);
      expect(kindsIn(text)).to.deep.equal([
        ...['IPPool', 'BGPPeer', 'Tier', 'GlobalNetworkPolicy', 'StagedGlobalNetworkPolicy'],
        ...['GlobalNetworkSet', 'HostEndpoint', 'KubeControllersConfiguration', 'NetworkPolicy'],
        ...['StagedNetworkPolicy', 'StagedKubernetesNetworkPolicy', 'NetworkSet', 'Node'],
        ...['BGPConfiguration', 'FelixConfiguration', 'IPReservation', 'BGPFilter'],
      ]);
      expect(text?.split('===\n')).to.have.lengthOf(3);
      expect(text?.split('===\n')[0]?.split('\n---')).to.have.lengthOf(18);
    });

    it('lists node statuses only when there are any', async () => {
      const { text } = await exported([
        nodeEntry('a', 'a.example'),
        objectEntry('caliconodestatuses', 'CalicoNodeStatus', 'status-1', { node: 'a' }),
      ]);
      expect(kindsIn(text).at(-1)).to.equal('CalicoNodeStatus');
      expect(text).to.include('node: a.example');
    });

    it('holds objects of all namespaces, but no policies that mirror those of Kubernetes', async () => {
      const run = await exported([
        objectEntry('networkpolicies', 'NetworkPolicy', 'shop/default.web', {}),
        objectEntry('networkpolicies', 'NetworkPolicy', 'shop/knp.default.web', {}),
        objectEntry('stagednetworkpolicies', 'StagedNetworkPolicy', 'bank/default.web', {}),
        objectEntry(
          'stagedkubernetesnetworkpolicies',
          'StagedKubernetesNetworkPolicy',
          'bank/web',
          {},
        ),
      ]);
      const names = fileOf(run).objects.map(({ kind, metadata }) => {
        const { name, namespace } = metadata as JsonObject;
        return [kind, namespace, name];
      });
      expect(names).to.deep.equal([
        ['NetworkPolicy', 'shop', 'default.web'],
        ['StagedNetworkPolicy', 'bank', 'default.web'],
        ['StagedKubernetesNetworkPolicy', 'bank', 'web'],
      ]);
    });

    it('ends in a manifest with counts, revision and the hash of all before it', async () => {
      const source = etcdSource(
        [LOCKED, nodeEntry('a', 'a'), blockEntry(BLOCK, 'host:a'), affinityEntry('host/a', BLOCK)],
        { isLive: true },
      );
      const run = await exported(source);
      const part = parseJson(run.text?.split('===\n')[2] ?? '') as JsonObject;
      expect(Object.keys(part)).to.deep.equal(['block_affinities', 'blocks', 'manifest']);
      const manifest = part['manifest'] as JsonObject;
      expect(manifest['revision']).to.equal('4711');
      expect(manifest['counts']).to.deep.equal(run.document.counts);
      expect(run.document.counts).to.include({
        Node: 1,
        IPAMBlock: 1,
        BlockAffinity: 1,
        IPAMHandle: 0,
      });
      const text = run.text ?? '';
      const hash = createHash('sha256').update(text.slice(0, text.lastIndexOf('"sha256"')));
      expect(manifest['sha256']).to.equal(hash.digest('hex'));
      expect(run.document).to.include({
        sha256: manifest['sha256'],
        written: true,
        revision: '4711',
      });
    });

    it('survives texts that look like its separators, and any line break', async () => {
      const texts = [
        '===',
        'a ===',
        'x\n===\ny',
        '===\n',
        '\n---\n',
        '---',
        'a\r\n===\r\nb',
        '\u0085===\u2028',
        '- x',
      ];
      const annotations = Object.fromEntries(texts.map((text, at) => [`example.org/${at}`, text]));
      const handle = 'net.1';
      const run = await exported([
        nodeEntry('a', 'a'),
        objectEntry('ippools', 'IPPool', 'main', { cidr: '10.0.0.0/24', texts }, { annotations }),
        blockEntry(BLOCK, 'host:a', [{ handle_id: handle, secondary: { note: texts.join('\n') } }]),
        handleEntry(handle, { [BLOCK]: 1 }),
      ]);
      expect(run.text?.split('===\n')).to.have.lengthOf(3);
      const file = fileOf(run);
      const pool = file.objects.find(({ kind }) => kind === 'IPPool');
      expect(pool?.['spec']).to.deep.equal({ cidr: '10.0.0.0/24', texts });
      expect((pool?.['metadata'] as JsonObject)['annotations']).to.deep.equal(annotations);
      const block = [...entriesOf(run).values()].find((value) => 'cidr' in value);
      const [attribute] = block?.['attributes'] as unknown as readonly JsonObject[];
      expect((attribute?.['secondary'] as JsonObject)['note']).to.equal(texts.join('\n'));
    });

    it('breaks a long kind into lists that calicoctl can read, and is written piece by piece', async () => {
      const nets = Array.from({ length: 1000 }, (_none, i) => `10.${i >> 8}.${i & 255}.0/24`);
      const sets = Array.from({ length: 500 }, (_none, i) =>
        objectEntry('globalnetworksets', 'GlobalNetworkSet', `set-${i}`, { nets }),
      );
      const output = new TextOutput();
      const migration = await planExport(contextOver(etcdSource([LOCKED, ...sets])), {
        skipNodes: [],
        isMismatchAllowed: false,
      });
      const run = await migration.write(output);
      const documents = output.text?.split('===\n')[0]?.split('\n---') ?? [];
      expect(Math.max(...documents.map(({ length }) => length))).to.be.below(10 << 20);
      expect(
        kindsIn(output.text).filter((kind) => kind === 'GlobalNetworkSet'),
      ).to.have.lengthOf.above(1);
      expect(output.largestPiece).to.be.below(1 << 18);
      expect(run.document.counts).to.include({ GlobalNetworkSet: 500 });
      expect(fileOf({ ...run, text: output.text }).objects).to.have.lengthOf(500);
    });

    it('says that it is not whole when its reader goes away', async () => {
      const migration = await planExport(contextOver(etcdSource([LOCKED])), {
        skipNodes: [],
        isMismatchAllowed: false,
      });
      const { document, verdict } = await migration.write({
        file: '-',
        newHash: () => createHash('sha256'),
        write: () => Promise.resolve('reader-gone' as const),
      });
      expect(verdict).to.equal('partial');
      expect(document.written).to.equal(false);
      expect(document.notes.join()).to.include('went away');
    });
  });

  it('counts every healing', async () => {
    const block = blockEntry(BLOCK, null, [slot('net.1\r\neth0', 'a')]);
    const value = { ...(block.value as JsonObject), hostAffinity: 'a' };
    const run = await exported([
      nodeEntry('a', 'a.example'),
      { ...block, value },
      affinityEntry('@/a', BLOCK, ''),
      handleEntry('net.1\r\neth0', { [BLOCK]: 1 }),
    ]);
    expect(run.document.healed.map(({ code, count }) => [code, count])).to.deep.equal([
      ['host-affinity', 1],
      ['empty-affinity', 1],
      ['old-affinity-type', 1],
      ['handle-id-cut', 2],
    ]);
    const entries = entriesOf(run);
    expect([...entries.keys()]).to.include('/calico/ipam/v2/host/a.example/ipv4/block/10.0.0.0-30');
    expect(entries.get('/calico/ipam/v2/assignment/ipv4/block/10.0.0.0-30')?.['affinity']).to.equal(
      'host:a.example',
    );
    expect(entries.has('/calico/ipam/v2/handle/net.1')).to.equal(true);
  });

  it('plans without writing', async () => {
    const context = contextOver(etcdSource([LOCKED, nodeEntry('a', 'b')]));
    const { plan } = await planExport(context, { skipNodes: [], isMismatchAllowed: false });
    expect(plan.document).to.deep.include({ written: false, nodes: [{ from: 'a', to: 'b' }] });
    expect(plan.document.counts).to.include({ Node: 1, IPAMBlock: 0 });
    expect(plan.document).not.to.have.property('file');
  });
});

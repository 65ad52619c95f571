import { expect } from 'chai';
import { PreconditionError } from '../../../../src/errors/precondition-error.ts';
import { type MemoryDatastore } from '../../../../src/datastore/memory/memory-datastore.ts';
import { IMPORT_MARK, LOCK_MARK, readMark } from '../../../../src/ipam/marks.ts';
import type { JsonObject } from '../../../../src/ipam/model/resource.ts';
import { planRename } from '../../../../src/operations/rename-nodes.ts';
import type { OutcomeDocument } from '../../../../src/operations/documents/outcome-document.ts';
import {
  aKubernetesNode,
  contentsOf,
  importText,
  importWorld,
  planText,
} from '../../../support/import-world.ts';
import { KilledTarget } from '../../../support/killed-target.ts';
import { readSide } from '../../../support/migration-sides.ts';
import {
  aBlock,
  aHandle,
  anObject,
  fileText,
  PLAIN_FILE,
} from '../../../support/migration-text.ts';
import { contextOf } from '../../../support/scripted-datastore.ts';
import { GROUPS } from '../../../support/split-world.ts';
import { failureOf } from '../../../support/temp-folder.ts';
import { UndoMemory } from '../../../support/undo-memory.ts';

function resultsOf({ items }: OutcomeDocument, result: string): string[] {
  return items
    .filter((item) => item.result === result)
    .map(({ subject }) => `${subject.kind} ${subject.name}`);
}

function clusterOf(world: MemoryDatastore): JsonObject {
  return world.valueAt('ClusterInformation', 'default') as JsonObject;
}

for (const group of GROUPS) {
  describe(`operations/import-datastore into ${group.version}`, () => {
    it('makes everything of the file in an empty cluster, and leaves it locked and unmarked', async () => {
      const world = importWorld(group);

      const { document, verdict } = await importText(world);

      expect(verdict).to.equal('ok');
      expect(document.totals).to.include({ failed: 0, skipped: 0 });
      const cluster = clusterOf(world);
      expect(cluster['spec']).to.deep.equal({
        clusterGUID: '5d0c3c1e8f0b4b6fa9e2d7c6b5a49382',
        clusterType: 'k8s,bgp,kdd',
        calicoVersion: 'v3.33.0',
        datastoreReady: false,
      });
      expect(readMark(cluster, IMPORT_MARK), 'mark').to.equal(undefined);
      expect(readMark(cluster, LOCK_MARK)).to.include({ by: 'tester@here' });
      expect(Object.keys(contentsOf(world))).to.include.members([
        'BlockAffinity node-a-198-18-0-0-28',
        'GlobalNetworkPolicy deny-all',
        'IPAMBlock 198-18-0-16-28',
        'IPAMConfig default',
        'IPAMHandle k8s-pod-network.bb',
        'IPPool main',
        'IPReservation printers',
        'NetworkSet shop/partners',
        'Tier ours',
      ]);
      const block = world.valueAt('IPAMBlock', '198-18-0-0-28') as JsonObject;
      expect(block['spec']).to.deep.include({
        sequenceNumber: 1794225600904827404n,
        unallocated: [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2],
      });
    });

    it('finds all equal a second time and writes nothing', async () => {
      const world = importWorld(group);
      await importText(world);
      const before = world.storedObjects();

      const { document, verdict } = await importText(world, { isResume: true });

      expect(verdict).to.equal('ok');
      expect(document.totals).to.include({ applied: 0, failed: 0, skipped: 0 });
      expect(world.storedObjects()).to.deep.equal(before);
    });

    it('comes to the same state from wherever it was interrupted, with its journal and without', async () => {
      const whole = importWorld(group);
      const counted = new KilledTarget(whole, Infinity);
      await importText(counted.target);
      for (let most = 0; most < counted.writes; most++) {
        for (const isAnswerLost of [false, true]) {
          const where = `${isAnswerLost ? 'after' : 'before'} write ${most + 1}`;
          const world = importWorld(group);
          const undo = new UndoMemory();
          const killed = new KilledTarget(world, most, { isAnswerLost });
          const context = { signal: killed.abort.signal };
          const cut = await importText(killed.target, { undo, context });
          expect(cut.verdict, where).to.equal('terminated');

          const hasJournal = most % 2 === 0 && undo.path !== undefined;
          const history = hasJournal ? undo.read() : undefined;
          const { verdict } = await importText(world, { isResume: hasJournal, undo, history });

          expect(verdict, where).to.equal('ok');
          expect(contentsOf(world), where).to.deep.equal(contentsOf(whole));
        }
      }
      expect(counted.writes).to.be.greaterThan(20);
    });

    it('marks the cluster with the file and the phase until the target is verified', async () => {
      const world = importWorld(group);
      const killed = new KilledTarget(world, 3);

      await importText(killed.target, { context: { signal: killed.abort.signal } });

      const mark = readMark(clusterOf(world), IMPORT_MARK);
      expect(mark).to.include({ phase: 'resources', by: 'tester@here', file: 'standard input' });
      expect(mark?.['hash']).to.match(/^[0-9a-f]{64}$/);
      expect(clusterOf(world)['spec']).to.include({ datastoreReady: false });
    });

    it('refuses another file while an import is not finished', async () => {
      const world = importWorld(group);
      const killed = new KilledTarget(world, 3);
      await importText(killed.target, { context: { signal: killed.abort.signal } });

      const text = fileText({ ...PLAIN_FILE, handles: [] });
      const failure = await failureOf(importText(world, { text, isResume: true }));

      expect(failure).to.be.instanceOf(PreconditionError);
      expect(failure.message).to.match(/import of standard input .* is not finished/);
    });

    it('keeps its names and tells how to go on while it is not finished', async () => {
      const world = importWorld(group);
      const killed = new KilledTarget(world, 15);
      await importText(killed.target, { context: { signal: killed.abort.signal } });
      const before = contentsOf(world);

      const names = new Map([['node-a', 'node-c']]);
      const failure = await failureOf(
        planRename(contextOf(world), { names, isMismatchAllowed: false }),
      );
      const { marks } = await readSide(contextOf(world));

      expect(failure).to.be.instanceOf(PreconditionError);
      expect(failure.message).to.include('an import into this cluster is not finished');
      expect(contentsOf(world)).to.deep.equal(before);
      expect(marks[0]?.remedy).to.equal(
        'go on with ipamctl datastore migrate import --resume --filename FILE',
      );
    });

    it('lists every difference and writes nothing', async () => {
      const world = importWorld(group);
      await importText(world, {
        text: fileText({
          ...PLAIN_FILE,
          objects: {
            ...PLAIN_FILE.objects,
            IPPool: [
              anObject('main', { cidr: '198.18.0.0/24', blockSize: 28, ipipMode: 'Never' }),
              anObject('more', { cidr: '198.18.9.0/24' }),
            ],
            IPReservation: [anObject('other', { reservedCIDRs: ['198.18.0.80/28'] })],
          },
          blocks: [
            aBlock('198.18.0.0-28', 'host:node-a', {
              0: 'ipip-tunnel-addr-node-a',
              2: 'k8s-pod-network.aa',
            }),
            aBlock('198.18.0.48-28', 'host:node-b', {}),
          ],
          handles: [aHandle('k8s-pod-network.zz', { '198.18.0.0/28': 1 })],
        }),
      });
      const before = world.storedObjects();

      const { document, verdict, error } = await importText(world);

      expect(verdict).to.equal('refused');
      expect(error).to.be.instanceOf(PreconditionError);
      expect(resultsOf(document, 'skipped')).to.have.members([
        'IPPool main',
        'IPPool more',
        'IPReservation other',
        'IPAMBlock 198-18-0-0-28',
        'IPAMBlock 198-18-0-48-28',
        'IPAMHandle k8s-pod-network.zz',
      ]);
      expect(document.totals).to.include({ applied: 0, failed: 0 });
      expect(world.storedObjects()).to.deep.equal(before);
      const block = document.items.find(({ subject }) => subject.name === '198-18-0-0-28');
      expect(block?.reason).to.include('addresses or who holds them');
    });

    it('refuses in a dry run what it would refuse, and plans what it would do', async () => {
      const world = importWorld(group);
      const { plan } = await planText(world);
      expect(plan.verdict).to.equal('ok');
      expect(plan.document.items.map(({ action }) => action)).to.include.members([
        'lock',
        'create-object',
        'update-node',
        'set-configuration',
      ]);
      await importText(world, {
        text: fileText({
          ...PLAIN_FILE,
          handles: [aHandle('k8s-pod-network.aa', { '198.18.0.0/28': 2 })],
        }),
      });
      expect((await planText(world)).plan.verdict).to.equal('refused');
    });

    it('updates what Calico makes by itself, and leaves objects of other kinds that the file does not have', async () => {
      const world = importWorld(group);
      await world.objects.create(
        'Tier',
        withType('Tier', anObject('default', { order: 7, defaultAction: 'Pass' })),
      );
      await world.objects.create(
        'FelixConfiguration',
        withType('FelixConfiguration', anObject('default', { bpfEnabled: true })),
      );
      await world.objects.create(
        'BGPPeer',
        withType('BGPPeer', anObject('theirs', { peerIP: '192.0.2.9' })),
      );
      await world.create({
        kind: 'IPAMConfig',
        key: { name: 'default' },
        strictAffinity: false,
        autoAllocateBlocks: true,
        maxBlocksPerHost: 9,
        kubeVirtVMAddressPersistence: 'Enabled',
        persistenceUnset: true,
        ipCooldownSeconds: 0,
      });

      const { document, verdict } = await importText(world);

      expect(verdict).to.equal('ok');
      const set = document.items.filter(({ action }) => action === 'set-configuration');
      expect(set.map(({ subject }) => subject.kind)).to.include.members([
        'Tier',
        'FelixConfiguration',
        'IPAMConfig',
      ]);
      const shown = await world.objects.get('Tier', { name: 'default' });
      expect(shown?.['spec']).to.deep.equal({ order: 1000000, defaultAction: 'Deny' });
      const felix = await world.objects.get('FelixConfiguration', { name: 'default' });
      expect(felix?.['spec']).to.deep.equal({ logSeverityScreen: 'Info' });
      expect((world.valueAt('IPAMConfig', 'default') as JsonObject)['spec']).to.include({
        maxBlocksPerHost: 4,
        strictAffinity: true,
      });
      expect(await world.objects.get('BGPPeer', { name: 'theirs' })).not.to.equal(undefined);
    });

    it('takes a tier that somebody else made for what it is', async () => {
      const world = importWorld(group);
      await world.objects.create('Tier', withType('Tier', anObject('ours', { order: 6 })));

      const { document, verdict } = await importText(world);

      expect(verdict).to.equal('refused');
      expect(resultsOf(document, 'skipped')).to.deep.equal(['Tier ours']);
    });

    it('sets what the file says of nodes and erases nothing, and lists nodes that Kubernetes lacks', async () => {
      const world = importWorld(group, [
        aKubernetesNode('node-a', {
          'projectcalico.org/IPv4VXLANTunnelAddr': '198.18.0.5',
          'projectcalico.org/IPv4Address': '192.0.2.77/24',
        }),
      ]);

      const { document, verdict } = await importText(world);

      expect(verdict).to.equal('ok');
      expect(resultsOf(document, 'skipped')).to.deep.equal(['Node node-b']);
      const { annotations } = (world.valueAt('Node', 'node-a') as JsonObject)['metadata'] as {
        annotations: JsonObject;
      };
      expect(annotations).to.include({
        'projectcalico.org/IPv4VXLANTunnelAddr': '198.18.0.5',
        'projectcalico.org/IPv4Address': '192.0.2.1/24',
        'projectcalico.org/IPv4IPIPTunnelAddr': '198.18.0.0',
      });
    });
  });
}

function withType(kind: string, object: JsonObject): JsonObject {
  return { apiVersion: 'projectcalico.org/v3', kind, ...object };
}

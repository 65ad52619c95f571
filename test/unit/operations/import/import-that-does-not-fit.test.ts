import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { DataError } from '../../../../src/errors/data-error.ts';
import { UnsupportedError } from '../../../../src/errors/unsupported-error.ts';
import { MemoryDatastore } from '../../../../src/datastore/memory/memory-datastore.ts';
import type { JsonObject } from '../../../../src/ipam/model/resource.ts';
import type { OutcomeDocument } from '../../../../src/operations/documents/outcome-document.ts';
import {
  aKubernetesNode,
  importText,
  importWorld,
  objectsInYaml,
} from '../../../support/import-world.ts';
import {
  aBlock,
  aHandle,
  anAffinity,
  fileText,
  PLAIN_FILE,
} from '../../../support/migration-text.ts';
import { GROUPS, withoutServerTexts } from '../../../support/split-world.ts';
import { failureOf } from '../../../support/temp-folder.ts';

const FIXTURES = new URL('../../../fixtures/', import.meta.url);
const readFixture = (name: string): string => readFileSync(new URL(name, FIXTURES), 'utf8');

function resultsOf({ items }: OutcomeDocument, result: string): string[] {
  return items
    .filter((item) => item.result === result)
    .map(({ subject }) => `${subject.kind} ${subject.name}`);
}

describe('operations/import-datastore, files and targets that do not fit', () => {
  const [older] = GROUPS;

  it('imports the file of the fixture into its cluster', async () => {
    const world = importWorld(
      older,
      objectsInYaml(readFixture('import-into-an-empty-cluster/cluster.yaml')),
    );
    const text = readFixture('import-into-an-empty-cluster/dump.calico');
    expect((await importText(world, { text })).verdict).to.equal('ok');
    const { document } = await importText(world, { text });
    expect(document.totals.applied).to.equal(0);
  });

  it('leaves the block of the fixture that exists with other content', async () => {
    const world = importWorld(
      older,
      objectsInYaml(readFixture('import-meets-a-different-block/cluster.yaml')),
    );
    const before = world
      .storedObjects()
      .map(({ value }) => withoutServerTexts(value as JsonObject));
    const text = readFixture('import-meets-a-different-block/dump.calico');
    expect((await importText(world, { text })).verdict).to.equal('refused');
    expect(
      world.storedObjects().map(({ value }) => withoutServerTexts(value as JsonObject)),
    ).to.deep.equal(before);
  });

  it('is refused by etcd', async () => {
    const world = new MemoryDatastore({ datastore: 'memory' }, { flavor: 'etcd' });
    expect(await failureOf(importText(world))).to.be.instanceOf(UnsupportedError);
  });

  it('is refused when blocks of the target share addresses with those of the file', async () => {
    const world = importWorld(older);
    await importText(world, {
      text: fileText({
        ...PLAIN_FILE,
        blocks: [aBlock('198.18.0.0-28', null)],
        affinities: [],
        handles: [],
      }),
    });
    const wide = Array.from({ length: 32 }, (_, at) => at);
    const block = aBlock(
      '198.18.0.0-27',
      'host:node-a',
      {},
      { allocations: wide.map(() => null), unallocated: wide },
    );
    const text = fileText({ ...PLAIN_FILE, blocks: [block], affinities: [], handles: [] });
    const failure = await failureOf(importText(world, { text }));
    expect(failure).to.be.instanceOf(DataError);
    expect(failure.message).to.include(
      'block 198.18.0.0/27 shares addresses with block 198.18.0.0/28 of the target',
    );
  });

  it('warns of a file without IPAM data and does the rest', async () => {
    const world = importWorld(older);
    const warnings: string[] = [];
    const progress = { step: () => undefined, warn: (text: string) => void warnings.push(text) };
    const { verdict, document } = await importText(world, {
      text: fileText({ objects: PLAIN_FILE.objects ?? {} }),
      context: { progress },
    });
    expect(verdict).to.equal('ok');
    expect(warnings).to.deep.equal(['The file holds no IPAM data.']);
    expect(resultsOf(document, 'applied')).to.include('IPPool main');
  });

  it('imports the rows of an export that could not read the rest only where the target has what they need', async () => {
    const rows = fileText().split('===\n')[2] ?? '';
    const text = `${'null\n---\n'.repeat(17)}===\n\n===\n${rows}`;
    const bare = importWorld(older, [aKubernetesNode('node-a')]);
    const failure = await failureOf(importText(bare, { text }));
    expect(failure).to.be.instanceOf(DataError);
    expect(failure.message)
      .to.include('the target has none for block 198.18.0.0/28')
      .and.include('Kubernetes has none named "node-b"')
      .and.include('which cluster it is of');

    const ready = importWorld(older);
    await importText(ready, { text: fileText({ objects: PLAIN_FILE.objects ?? {} }) });
    const { verdict, document } = await importText(ready, { text });
    expect(verdict).to.equal('ok');
    expect(document.notes.join('\n')).to.include('The file says nothing of IPPool, BGPPeer');
    expect(resultsOf(document, 'applied')).to.include('IPAMBlock 198-18-0-0-28');
  });

  it('imports stray rows as they are and lists them', async () => {
    const world = importWorld(older);
    const text = fileText({
      ...PLAIN_FILE,
      affinities: [
        ...(PLAIN_FILE.affinities ?? []),
        anAffinity('host/node-b', '198.18.0.32-28', 'pending'),
      ],
      handles: [
        aHandle('k8s-pod-network.aa', { '198.18.0.0/28': 3 }),
        aHandle('ipip-tunnel-addr-node-a', { '198.18.0.0/28': 1 }),
        aHandle('k8s-pod-network.gone', { '198.18.0.0/28': 1 }),
      ],
    });
    const { verdict, document } = await importText(world, { text });
    expect(verdict).to.equal('ok');
    const notes = document.notes.join('\n');
    for (const code of [
      'orphan-handle',
      'missing-handle',
      'handle-count-mismatch',
      'affinity-without-block',
    ]) {
      expect(notes, code).to.include(`1 × ${code}`);
    }
    expect(resultsOf(document, 'applied')).to.include.members([
      'IPAMHandle k8s-pod-network.gone',
      'BlockAffinity node-b-198-18-0-32-28',
    ]);
  });
});

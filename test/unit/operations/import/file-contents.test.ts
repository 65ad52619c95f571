import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { openMigration } from '../../../../src/datastore/snapshot/open-migration.ts';
import { DataError } from '../../../../src/errors/data-error.ts';
import { OBJECT_KEYS } from '../../../../src/ipam/model/row-keys.ts';
import {
  type FileContents,
  readContents,
} from '../../../../src/operations/import/file-contents.ts';
import { stringifyJson } from '../../../../src/support/json.ts';
import { importWorld, openText } from '../../../support/import-world.ts';
import {
  aBlock,
  aHandle,
  anAffinity,
  anObject,
  fileText,
  type FileParts,
  PLAIN_FILE,
} from '../../../support/migration-text.ts';
import { contextOf } from '../../../support/scripted-datastore.ts';
import { GROUPS } from '../../../support/split-world.ts';
import { failureOf } from '../../../support/temp-folder.ts';

async function read(text: string): Promise<FileContents> {
  return readContents(contextOf(importWorld(GROUPS[0])), await openText(text), OBJECT_KEYS);
}

async function problemsOf(parts: FileParts): Promise<string> {
  const failure = await failureOf(read(fileText({ ...PLAIN_FILE, ...parts })));
  expect(failure).to.be.instanceOf(DataError);
  return failure.message;
}

/** The file with a manifest as our export writes it. */
function withManifest(text: string, counts: Readonly<Record<string, number>>): string {
  const end = text.lastIndexOf('\n}');
  const body = `${text.slice(0, end)},\n  "manifest": {\n    "schemaVersion": 1,\n    "counts": ${stringifyJson(counts)},\n    `;
  const sha256 = createHash('sha256').update(body).digest('hex');
  return `${body}"sha256": "${sha256}"\n  }\n}\n`;
}

const COUNTS = { IPPool: 1, Tier: 2, BlockAffinity: 2, IPAMBlock: 2, IPAMHandle: 3, IPAMConfig: 1 };

const BROKEN: readonly (readonly [string, FileParts, string])[] = [
  [
    'a block whose key names another one',
    { blocks: [aBlock('198.18.0.0-28', null, {}, { cidr: '198.18.0.16/28' })] },
    'its key names 198.18.0.0/28',
  ],
  [
    'a block with too few slots',
    { blocks: [aBlock('198.18.0.0-28', null, {}, { allocations: [null] })] },
    'it records 1 slots for 16 addresses',
  ],
  [
    'a slot that is both free and allocated',
    {
      blocks: [
        aBlock(
          '198.18.0.0-28',
          null,
          { 1: 'k8s-pod-network.aa' },
          { unallocated: Array.from({ length: 16 }, (_, at) => at) },
        ),
      ],
    },
    'both allocated and free',
  ],
  [
    'a slot that points nowhere',
    { blocks: [aBlock('198.18.0.0-28', null, { 1: 'k8s-pod-network.aa' }, { attributes: [] })] },
    'does not exist',
  ],
  [
    'blocks that share addresses',
    {
      blocks: [
        aBlock('198.18.0.0-28', null),
        aBlock(
          '198.18.0.8-29',
          null,
          {},
          { allocations: Array(8).fill(null), unallocated: [0, 1, 2, 3, 4, 5, 6, 7] },
        ),
      ],
    },
    'share the 8 addresses',
  ],
  [
    'a block that is no object',
    { blocks: [{ Key: '/calico/ipam/v2/assignment/ipv4/block/198.18.0.0-28', Value: null }] },
    'its value',
  ],
  [
    'an affinity in a state that there is not',
    { affinities: [anAffinity('host/node-a', '198.18.0.0-28', 'odd')] },
    'state',
  ],
  [
    'a handle with a count that is none',
    { handles: [aHandle('h', { '198.18.0.0/28': -1 })] },
    'count',
  ],
  [
    'two handle ids that differ in case',
    { handles: [aHandle('lb-Ab', {}), aHandle('lb-aB', {})] },
    'would share the name lb-ab',
  ],
  [
    'a host and a virtual owner of one name',
    {
      affinities: [
        anAffinity('host/load-balancer', '198.18.0.0-28'),
        anAffinity('virtual/load-balancer', '198.18.0.0-28'),
      ],
    },
    'would share the name load-balancer-198-18-0-0-28',
  ],
  [
    'a handle id that is no name',
    { handles: [aHandle('k8s_pod', {})] },
    'cannot be an object in Kubernetes',
  ],
  [
    'a host that is no name',
    { affinities: [anAffinity('host/Node-A', '198.18.0.0-28')] },
    'cannot be an object in Kubernetes',
  ],
  [
    'a pool that is no name',
    { objects: { IPPool: [anObject('Main', { cidr: '198.18.0.0/24' })] } },
    'IPPool "Main" cannot be an object in Kubernetes',
  ],
  [
    'a namespaced object without namespace',
    { objects: { NetworkSet: [anObject('partners')] } },
    'NetworkSet partners says no namespace',
  ],
  [
    'one object twice with different contents',
    { objects: { Tier: [anObject('a', { order: 1 }), anObject('a', { order: 2 })] } },
    'Tier a stands in the file twice',
  ],
  [
    'a pool whose CIDR cannot be read',
    { objects: { IPPool: [anObject('main', { cidr: '198.18.0.0' })] } },
    'IPPool main',
  ],
];

describe('operations/import/file-contents', () => {
  it('takes rows under the names that they have in Kubernetes', async () => {
    const { rows, objects, notes } = await read(fileText());
    expect(rows.get('IPAMBlock')?.map(({ key }) => key.name)).to.deep.equal([
      '198-18-0-0-28',
      '198-18-0-16-28',
    ]);
    expect(rows.get('BlockAffinity')?.map(({ key }) => key.name)).to.deep.equal([
      'node-a-198-18-0-0-28',
      'node-b-198-18-0-16-28',
    ]);
    expect(objects.get('Tier')).to.have.length(2);
    expect(notes).to.deep.equal([]);
  });

  for (const [what, parts, words] of BROKEN) {
    it(`refuses ${what}`, async () => {
      expect(await problemsOf(parts)).to.include(words);
    });
  }

  it('lists all problems at once, a bounded number of them by name', async () => {
    const handles = Array.from({ length: 30 }, (_, at) => aHandle(`Bad_${at}`, {}));
    const message = await problemsOf({ handles });
    expect(message).to.include('Bad_0').and.include('and 10 more').and.not.include('Bad_25');
  });

  it('knows what the manifest says', async () => {
    expect((await read(withManifest(fileText(), COUNTS))).notes).to.deep.equal([]);
    const changed = withManifest(fileText(), COUNTS).replace(
      '"ipipMode":"Always"',
      '"ipipMode":"Never"',
    );
    expect((await failureOf(read(changed))).message).to.include('its SHA-256 is another one');
    const short = await failureOf(read(withManifest(fileText(), { ...COUNTS, IPAMHandle: 4 })));
    expect(short.message).to.include('counts 4 IPAMHandle, the file holds 3');
  });

  it('takes CRLF, gzip and copies of one object', async () => {
    const text = withManifest(fileText(), COUNTS).replaceAll('\n', '\r\n');
    expect((await read(text)).rows.get('IPAMHandle')).to.have.length(3);
    const stdin = Readable.from([gzipSync(fileText())]);
    expect((await openMigration('-', { stdin })).file.entries).to.have.length(8);
    const twice = {
      ...PLAIN_FILE,
      objects: { Tier: [anObject('a', { order: 1 }), anObject('a', { order: 1 })] },
    };
    expect((await read(fileText(twice))).objects.get('Tier')).to.have.length(1);
  });

  it('takes values that end in the separator, or are it', async () => {
    const objects = { GlobalNetworkSet: [anObject('banners', { note: 'welcome ===' })] };
    const json = fileText({ ...PLAIN_FILE, objects });
    const list =
      'apiVersion: projectcalico.org/v3\nkind: GlobalNetworkSetList\nitems:\n- apiVersion: projectcalico.org/v3\n  kind: GlobalNetworkSet\n  metadata:\n    name: banners\n  spec:\n    note: |\n      first\n      ===\n      last ===\n---\n';
    const yaml = json.replace(
      /^\{"apiVersion":"projectcalico.org\/v3","kind":"GlobalNetworkSetList".*\n---\n/m,
      list,
    );
    const [fromJson, fromYaml] = [await read(json), await read(yaml)];
    expect(fromJson.objects.get('GlobalNetworkSet')?.[0]?.['spec']).to.deep.equal({
      note: 'welcome ===',
    });
    expect(fromYaml.objects.get('GlobalNetworkSet')?.[0]?.['spec']).to.deep.equal({
      note: 'first\n===\nlast ===\n',
    });
  });

  it('refuses a file that is cut anywhere', async () => {
    const text = fileText();
    for (let part = 1; part < 40; part++) {
      const cut = text.slice(0, Math.floor((text.length * part) / 40));
      expect(await failureOf(read(cut)), `cut after ${cut.length} characters`).to.be.instanceOf(
        DataError,
      );
    }
  });

  it('takes the owner of blocks of old releases for what it is', async () => {
    const block = aBlock('198.18.0.0-28', null, {}, { hostAffinity: 'node-a' });
    const { rows } = await read(fileText({ ...PLAIN_FILE, blocks: [block] }));
    expect(rows.get('IPAMBlock')?.[0]).to.include({ affinity: 'host:node-a' });
  });

  it('names kinds that are not carried', async () => {
    const text = fileText().replace(
      '"kind":"BGPPeerList","items":[]',
      '"kind":"ProfileList","items":[{"metadata":{"name":"p"}}]',
    );
    expect((await read(text)).notes.join('\n')).to.include(
      'nothing is known of these kinds: Profile',
    );
  });

  it('reads a kind of 50 MB', async function () {
    this.timeout(60_000);
    const nets = Array.from({ length: 60 }, (_, at) => `    - 203.0.113.${at}/32`).join('\n');
    const item = (at: number): string =>
      `- apiVersion: projectcalico.org/v3\n  kind: GlobalNetworkSet\n  metadata:\n    name: set-${at}\n  spec:\n    nets:\n${nets}\n`;
    const count = Math.ceil((52 * 1024 * 1024) / item(10000).length);
    const items = Array.from({ length: count }, (_, at) => item(at)).join('');
    const list = `apiVersion: projectcalico.org/v3\nitems:\n${items}kind: GlobalNetworkSetList\n---\n`;
    const text = fileText().replace(
      /^\{"apiVersion":"projectcalico.org\/v3","kind":"GlobalNetworkSetList".*\n---\n/m,
      () => list,
    );
    expect(text.length).to.be.greaterThan(50 * 1024 * 1024);
    const { objects } = await read(text);
    expect(objects.get('GlobalNetworkSet')).to.have.length(count);
  });
});

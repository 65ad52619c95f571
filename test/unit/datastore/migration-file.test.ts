import { expect } from 'chai';
import { isMigrationFile, parseMigrationFile } from '../../../src/datastore/migration-file.ts';
import { DataError } from '../../../src/errors/data-error.ts';
import type { JsonValue } from '../../../src/ipam/model/resource.ts';
import { parseJson } from '../../../src/support/json.ts';

/** Documents of these tests are JSON, which is YAML too; an empty one is null. */
function parseDocuments(text: string): JsonValue[] {
  return text
    .split(/^---$/m)
    .map((document) => (document.trim() === '' ? null : parseJson(document)));
}

const POOLS =
  '{"apiVersion":"projectcalico.org/v3","kind":"IPPoolList","items":[{"metadata":{"name":"a"}}]}';
const NODES = '{"apiVersion":"projectcalico.org/v3","kind":"NodeList","items":[]}';
const INFORMATION = '{"kind":"ClusterInformation","metadata":{"name":"default"}}';
const AFFINITY = '/calico/ipam/v2/host/n/ipv4/block/10.0.0.0-26';
const BLOCK = '/calico/ipam/v2/assignment/ipv4/block/10.0.0.0-26';
const HANDLE = '/calico/ipam/v2/handle/h';
const CONFIG = '/calico/ipam/v2/config';
const IPAM = `{
  "block_affinities": [{"Key": "${AFFINITY}", "Value": {"state": "confirmed"}, "TTL": 0}],
  "blocks": [{"Key": "${BLOCK}", "Value": {"sequenceNumber": 1795942800000000121}, "TTL": 0}],
  "handles": [{"Key": "${HANDLE}", "Value": {}, "TTL": 0}],
  "config": {"Key": "${CONFIG}", "Value": {}, "TTL": 0}
}`;

function aFile(parts: { resources?: string; information?: string; ipam?: string } = {}): string {
  const {
    resources = `${POOLS}\n---\n${NODES}\n---\n`,
    information = INFORMATION,
    ipam = IPAM,
  } = parts;
  return `${resources}===\n${information}\n===\n${ipam}\n`;
}

function refusal(text: string): string {
  try {
    parseMigrationFile(text, parseDocuments);
  } catch (error) {
    expect(error).to.be.instanceOf(DataError);
    return (error as DataError).message;
  }
  throw new Error('the file was accepted');
}

describe('datastore/migration-file', () => {
  it('takes the three parts apart, integers exactly', () => {
    expect(parseMigrationFile(aFile(), parseDocuments)).to.deep.equal({
      objects: [{ apiVersion: 'projectcalico.org/v3', kind: 'IPPool', metadata: { name: 'a' } }],
      lists: [
        { apiVersion: 'projectcalico.org/v3', kind: 'IPPool' },
        { apiVersion: 'projectcalico.org/v3', kind: 'Node' },
      ],
      clusterInformation: { kind: 'ClusterInformation', metadata: { name: 'default' } },
      entries: [
        { path: AFFINITY, value: { state: 'confirmed' } },
        { path: BLOCK, value: { sequenceNumber: 1795942800000000121n } },
        { path: HANDLE, value: {} },
        { path: CONFIG, value: {} },
      ],
      sections: { BlockAffinity: 1, IPAMBlock: 1, IPAMHandle: 1, IPAMConfig: 1 },
    });
  });

  it('reads a file with line ends of Windows, and an empty IPAM part', () => {
    const file = parseMigrationFile(aFile({ ipam: '{}' }).replaceAll('\n', '\r\n'), (text) =>
      parseDocuments(text.replaceAll('\r', '')),
    );
    expect(file.entries).to.deep.equal([]);
    expect(file.objects).to.have.length(1);
  });

  it('keeps an entry without value, which is damage of one row', () => {
    const ipam = `{"blocks":[{"Key":"${BLOCK}"}]}`;
    const { entries } = parseMigrationFile(aFile({ ipam }), parseDocuments);
    expect(entries).to.deep.equal([{ path: BLOCK, value: null }]);
  });

  it('is told by a line of three equals signs, which indented texts are not', () => {
    expect(isMigrationFile(aFile())).to.equal(true);
    expect(isMigrationFile('kind: ConfigMap\ndata:\n  a: |\n    ===\n')).to.equal(false);
    expect(isMigrationFile('a: b===\n')).to.equal(false);
  });

  it('is not cut by three equals signs at the end of a line', () => {
    const resources = POOLS.replace('"a"', '"a==="').replace('}}]', '}}\n]');
    const file = parseMigrationFile(aFile({ resources: `${resources}\n---\n` }), parseDocuments);
    expect(file.objects).to.have.length(1);
  });
});

describe('datastore/migration-file, refusals', () => {
  const PART_1 = 'part 1 (lists of resources)';
  const PART_2 = 'part 2 (ClusterInformation)';
  const PART_3 = 'part 3 (IPAM data)';
  const CASES: readonly (readonly [string, string])[] = [
    [`the migration file ends before its ${PART_2}`, `${POOLS}\n---\n`],
    [`the migration file ends before its ${PART_3}`, `${POOLS}\n===\n${INFORMATION}`],
    ['a migration file has three parts, this one has 4', `${aFile()}===\n`],
    [`${PART_1} of the migration file is no YAML: `, aFile({ resources: '{"kind":\n' })],
    [
      `${PART_1} of the migration file holds no list of resources in document 1`,
      aFile({ resources: '5\n' }),
    ],
    [
      `${PART_1} of the migration file holds no list of resources in document 2`,
      aFile({ resources: `${POOLS}\n---\n{"kind":"IPPool","apiVersion":"v1"}\n` }),
    ],
    [
      `${PART_1} of the migration file holds no list of resources in document 1`,
      aFile({ resources: POOLS.replace(/\[.*\]/, '[5]') + '\n' }),
    ],
    [`${PART_2} of the migration file is empty`, aFile({ information: '' })],
    [`${PART_2} of the migration file is no JSON object`, aFile({ information: '[]' })],
    [`${PART_3} of the migration file is empty`, aFile({ ipam: '' })],
    [`${PART_3} of the migration file is no JSON: `, aFile({ ipam: IPAM.slice(0, 300) })],
    [`${PART_3} of the migration file has no list in blocks`, aFile({ ipam: '{"blocks":{}}' })],
    [`${PART_3} of the migration file has no key in blocks[0]`, aFile({ ipam: '{"blocks":[{}]}' })],
    [
      `${PART_3} of the migration file has no key in blocks[0]`,
      aFile({ ipam: '{"blocks":[null]}' }),
    ],
    [
      `${PART_3} of the migration file has no key in config`,
      aFile({ ipam: '{"config":{"Key":5}}' }),
    ],
    [
      `${PART_3} of the migration file has a key of another kind in blocks[0]: "${HANDLE}"`,
      aFile({ ipam: `{"blocks":[{"Key":"${HANDLE}","Value":{}}]}` }),
    ],
    [
      `${PART_3} of the migration file has a key of another kind in handles[0]: "/x"`,
      aFile({ ipam: '{"handles":[{"Key":"/x","Value":{}}]}' }),
    ],
  ];
  for (const [i, [message, text]] of CASES.entries()) {
    it(`M${i + 1} refuses with: ${message}`, () => {
      expect(refusal(text).slice(0, message.length)).to.equal(message);
    });
  }
});

import { expect } from 'chai';
import type { DatastoreSnapshotDocument } from '../../../../src/operations/documents/datastore-snapshot-document.ts';
import { render } from '../../../../src/render/render.ts';
import { datastoreSnapshotView } from '../../../../src/render/views/datastore-snapshot.ts';

const DOCUMENT: DatastoreSnapshotDocument = {
  kind: 'DatastoreSnapshot',
  schemaVersion: 1,
  source: { datastore: 'kubernetes', context: 'lab' },
  file: 'lab.json',
  written: true,
  takenAt: '2026-11-29T12:00:00Z',
  redacted: 'all',
  counts: [
    { kind: 'IPPool', count: 2 },
    { kind: 'IPAMHandle', count: 12345 },
  ],
  notInstalled: ['VirtualMachine'],
  notHeld: ['WorkloadEndpoint'],
  sha256: 'abc',
  bytes: 54321,
};

const textOf = (facts: Partial<DatastoreSnapshotDocument> = {}): Promise<string> =>
  render({ ...DOCUMENT, ...facts }, datastoreSnapshotView, {
    format: 'text',
    width: 100,
    hasColor: false,
  });

describe('render/views/datastore-snapshot', () => {
  it('says what was written where', async () => {
    expect(await textOf()).to.equal(
      [
        '12,347 objects of kubernetes context lab written to lab.json (54,321 bytes).',
        '  IPPool           2',
        '  IPAMHandle  12,345',
        'Not installed: VirtualMachine.',
        'The source says nothing of WorkloadEndpoint.',
        'Names and addresses are replaced.',
        'SHA-256 abc',
        'Look at it: ipamctl ipam check --snapshot lab.json',
        '',
      ].join('\n'),
    );
  });

  it('says that nothing was written', async () => {
    const facts = { written: false, sha256: undefined, bytes: undefined, redacted: undefined };
    expect(await textOf({ ...facts, file: '-' })).to.match(
      /^12,347 objects of kubernetes context lab; nothing was written to standard output\.\n/,
    );
  });
});

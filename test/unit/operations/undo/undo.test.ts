import { expect } from 'chai';
import type { WritableRow } from '../../../../src/datastore/datastore.ts';
import type { JsonObject } from '../../../../src/ipam/model/resource.ts';
import { continueUndo } from '../../../../src/operations/undo/continue-undo.ts';
import { readUndo } from '../../../../src/operations/undo/read-undo.ts';
import { isSameRow } from '../../../../src/operations/undo/same-row.ts';
import { readStoredRow, storeRow } from '../../../../src/operations/undo/stored-row.ts';
import { UndoJournal } from '../../../../src/operations/undo/undo-journal.ts';
import type { UndoHeader } from '../../../../src/operations/undo/undo-log.ts';
import { parseJson, stringifyJson } from '../../../../src/support/json.ts';
import { aBlock, aHandle, anAffinity, coolingSlot, podSlot } from '../../../support/builders.ts';
import { UndoMemory } from '../../../support/undo-memory.ts';

const HEADER: UndoHeader = {
  kind: 'IPAMUndo',
  schemaVersion: 1,
  command: 'ipam release',
  clusterGUID: 'g',
  apiGroup: 'crd.projectcalico.org/v1',
  time: '2026-11-29T12:00:00Z',
};
const BLOCK = aBlock('10.0.0.0/28', { 1: podSlot('shop/a', 'node-a'), 2: coolingSlot() });
const ROWS: readonly WritableRow[] = [
  BLOCK,
  aHandle('id', { '10.0.0.0/28': 2, '2001:db8::/122': 1 }),
  anAffinity('node-a', '2001:db8::/122', {
    object: { metadata: { name: 'x' }, spec: { unknown: 1764426000123456789n } },
  }),
];

describe('operations/undo', () => {
  for (const row of ROWS) {
    it(`keeps a whole ${row.kind}, 64-bit numbers and unknown fields included`, () => {
      const stored = parseJson(stringifyJson(storeRow(row))) as JsonObject;
      const read = readStoredRow(stored);
      expect(stringifyJson(storeRow(read))).to.equal(stringifyJson(storeRow(row)));
      expect(isSameRow(read, row)).to.equal(true);
    });
  }

  it('refuses rows that are none', () => {
    for (const stored of [
      {},
      { kind: 'Pod', key: { name: 'a' } },
      { kind: 'IPAMBlock', key: { name: 'a' }, cidr: 'x' },
    ]) {
      expect(() => readStoredRow(stored))
        .to.throw()
        .with.property('status', 9);
    }
  });

  it('tells rows apart by what they say only', () => {
    const other = {
      ...BLOCK,
      sequenceNumber: 1n,
      sequenceNumbers: new Map<number, bigint>(),
      unallocated: [...BLOCK.unallocated].reverse(),
      revision: undefined,
    };
    expect(isSameRow(BLOCK, other)).to.equal(true);
    expect(isSameRow(BLOCK, { ...BLOCK, affinity: undefined })).to.equal(false);
    expect(
      isSameRow(BLOCK, aBlock('10.0.0.0/28', { 1: podSlot('shop/b', 'node-a'), 2: coolingSlot() })),
    ).to.equal(false);
    expect(isSameRow(undefined, undefined)).to.equal(true);
    expect(isSameRow(BLOCK, undefined)).to.equal(false);
  });

  it('records a write before and after it, and goes on where a file has ended', async () => {
    const sink = new UndoMemory();
    const journal = new UndoJournal(sink, HEADER);
    const n = await journal.begin({
      action: 'delete-handle',
      subject: { kind: 'IPAMHandle', name: 'id' },
      before: ROWS[1],
      after: undefined,
    });
    await journal.end(n, { result: 'applied' });
    await journal.begin({
      action: 'delete-handle',
      subject: { kind: 'IPAMHandle', name: 'id' },
      before: ROWS[1],
      after: undefined,
    });
    const { writes, header } = sink.read();
    expect(header).to.deep.equal(HEADER);
    expect(writes.map(({ n, result }) => [n, result])).to.deep.equal([
      [1, 'applied'],
      [2, undefined],
    ]);
    expect(
      await new UndoJournal(sink, HEADER, writes.at(-1)?.n).begin({
        action: 'delete-handle',
        subject: { kind: 'IPAMHandle', name: 'id' },
        before: ROWS[1],
        after: undefined,
      }),
    ).to.equal(3);
  });

  it('ignores a last line that was cut', async () => {
    const sink = new UndoMemory();
    await new UndoJournal(sink, HEADER).begin({
      action: 'delete-handle',
      subject: { kind: 'IPAMHandle', name: 'id' },
      before: ROWS[1],
      after: undefined,
    });
    expect(readUndo(`${sink.text}{"n":1,"res`, 'undo').writes).to.have.length(1);
    expect(() => readUndo(`${sink.text}{"n":1,"res\n`, 'undo'))
      .to.throw()
      .with.property('status', 9);
  });

  it('goes on with a file of its own command only', () => {
    const text = `${stringifyJson(HEADER)}\n`;
    expect(continueUndo({ text, name: 'undo' }, 'ipam release')?.writes).to.deep.equal([]);
    expect(continueUndo({ text: '', name: 'undo' }, 'ipam release')).to.equal(undefined);
    expect(continueUndo({ text: text.slice(0, 9), name: 'undo' }, 'ipam release')).to.equal(
      undefined,
    );
    expect(() => continueUndo({ text, name: 'undo' }, 'ipam repair'))
      .to.throw()
      .with.property('status', 2);
    expect(() => continueUndo({ text: 'nonsense\n', name: 'undo' }, 'ipam release'))
      .to.throw()
      .with.property('status', 2);
  });

  it('refuses a file of a newer form', () => {
    expect(() => readUndo(`${stringifyJson({ ...HEADER, schemaVersion: 2 })}\n`, 'undo')).to.throw(
      /newer/,
    );
  });
});

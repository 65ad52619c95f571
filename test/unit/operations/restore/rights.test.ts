import { expect } from 'chai';
import type { AccessRight, WritableRow, WriteRight } from '../../../../src/datastore/datastore.ts';
import type { Row } from '../../../../src/ipam/model/row.ts';
import { planRestore } from '../../../../src/operations/restore-recorded.ts';
import type { RecordedWrite, UndoHistory } from '../../../../src/operations/undo/undo-log.ts';
import { aBlock, aHandle, anAffinity, aNode, aPool, podSlot } from '../../../support/builders.ts';
import { RowDatastore } from '../../../support/row-datastore.ts';
import { contextOf } from '../../../support/scripted-datastore.ts';
import { aClusterInformation, aConfig } from '../../../support/settings-builders.ts';
import { UndoMemory } from '../../../support/undo-memory.ts';

const CIDR = '10.0.0.0/28';
const POD = podSlot('shop/cart', 'node-a');
const GUID = aClusterInformation().clusterGUID ?? '';

/** Two states of a row of each kind that commands with an undo file write; nothing alive stands in the way. */
const STATES: readonly (readonly [WritableRow, WritableRow])[] = [
  [aBlock(CIDR, { 1: POD }), aBlock(CIDR)],
  [aBlock(CIDR), aBlock(CIDR, { 1: POD })],
  [aHandle('web', { [CIDR]: 2 }), aHandle('web', { [CIDR]: 1 })],
  [anAffinity('node-a', CIDR), anAffinity('node-a', CIDR, { state: 'pending' })],
  [aPool('main', '10.0.0.0/16'), aPool('main', '10.0.0.0/16', { disabled: true })],
  [aConfig(), aConfig({ strictAffinity: true })],
];

/** Tells which rights were asked for, and has all of them. */
class AskedDatastore extends RowDatastore {
  readonly asked: string[] = [];

  missingRights(rights: readonly WriteRight[]): Promise<readonly AccessRight[]> {
    this.asked.push(...rights.map(({ verb, kind }) => `${verb} ${kind}`));
    return Promise.resolve([]);
  }

  /** Rights of the writes that were sent. */
  get used(): readonly string[] {
    return this.writes.map((request) => request.replace('remove', 'delete').replace(/ \S+$/, ''));
  }
}

function historyOf(before: WritableRow | undefined, after: WritableRow | undefined): UndoHistory {
  const { kind, key } = (before ?? after) as WritableRow;
  const write: RecordedWrite = {
    n: 1,
    action: 'set-configuration',
    subject: { kind, name: key.name },
    before,
    after,
    result: 'applied',
  };
  const header = {
    kind: 'IPAMUndo',
    schemaVersion: 1,
    command: 'ipam configure',
    clusterGUID: GUID,
    apiGroup: 'crd.projectcalico.org/v1',
    time: '2026-11-29T12:00:00Z',
  } as const;
  return { header, writes: [write] };
}

async function restored(
  before: WritableRow | undefined,
  after: WritableRow | undefined,
): Promise<{ readonly datastore: AskedDatastore; readonly action: string | undefined }> {
  const around: readonly Row[] = [aClusterInformation(), aNode('node-a')];
  const datastore = new AskedDatastore([...around, ...(after ? [after] : [])]);
  const mutation = await planRestore(contextOf(datastore), {
    recorded: historyOf(before, after),
    name: 'undo.jsonl',
    isMismatchAllowed: false,
  });
  const { document } = await mutation.apply(new UndoMemory());
  expect(document.totals).to.include({ applied: 1, failed: 0 });
  return { datastore, action: document.items[0]?.action };
}

describe('operations/restore: rights', () => {
  for (const [one, other] of STATES) {
    const { kind } = one;
    const ways = [
      { title: 'was made', before: undefined, after: one },
      { title: 'was changed', before: one, after: other },
      { title: 'was changed the other way', before: other, after: one },
      { title: 'went', before: one, after: undefined },
    ];
    for (const { title, before, after } of ways)
      it(`are asked for as they are used: ${kind} that ${title}`, async () => {
        const { datastore, action } = await restored(before, after);
        expect(datastore.used).to.not.be.empty;
        expect(datastore.asked).to.include.members([...datastore.used]);
        if (kind !== 'IPAMConfig') return;
        expect(action).to.equal('set-configuration');
        // What is asked for in excess is refused to whom it was not given.
        expect(new Set(datastore.asked)).to.deep.equal(new Set(datastore.used));
      });
  }
});

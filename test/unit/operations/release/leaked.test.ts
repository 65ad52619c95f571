import { expect } from 'chai';
import type { Row } from '../../../../src/ipam/model/row.ts';
import { planRelease } from '../../../../src/operations/release-addresses.ts';
import type { ReleaseSelector } from '../../../../src/operations/release/release-options.ts';
import {
  aBlock,
  aHandle,
  aNode,
  aPod,
  aPool,
  podSlot,
  withRows,
} from '../../../support/builders.ts';
import { aClusterInformation } from '../../../support/settings-builders.ts';
import { RowDatastore, type RowDatastoreOptions } from '../../../support/row-datastore.ts';
import { contextOf } from '../../../support/scripted-datastore.ts';
import { failureOf } from '../../../support/temp-folder.ts';

const LEAKED: ReleaseSelector = { by: 'leaked' };

function datastoreOf(rows: readonly Row[], more: RowDatastoreOptions = {}): RowDatastore {
  return new RowDatastore(
    [
      aClusterInformation(),
      aPool('main', '10.0.0.0/16'),
      aNode('node-a'),
      aNode('node-b'),
      ...rows,
    ],
    more,
  );
}

async function plan(datastore: RowDatastore, selector = LEAKED) {
  return planRelease(contextOf(datastore), {
    selector,
    minAgeMs: 300_000,
    isForced: false,
    isMismatchAllowed: false,
  });
}

async function release(datastore: RowDatastore, selector = LEAKED) {
  return (await plan(datastore, selector)).apply();
}

/** Pods 0 to n-1 of a block, each with a handle of its own. */
function crowd(cidr: string, size: number): readonly Row[] {
  const slots = Object.fromEntries(
    Array.from({ length: size }, (_, i) => [
      i,
      podSlot(`shop/${cidr.replace(/\W/g, '-')}-${i}`, 'node-a'),
    ]),
  );
  return withRows(aBlock(cidr, slots));
}

describe('operations/release --leaked', () => {
  it('writes each block and each handle once, whatever they hold', async () => {
    const datastore = datastoreOf([...crowd('10.0.0.0/28', 10), ...crowd('10.0.1.0/28', 10)], {
      live: true,
    });
    const { document, verdict } = await release(datastore);
    expect(verdict).to.equal('ok');
    expect(document.totals.applied).to.equal(20);
    expect(datastore.writes).to.have.length(22);
    expect(datastore.requests.filter((request) => request.startsWith('get '))).to.deep.equal([]);
  });

  it('writes a handle of two blocks once', async () => {
    const slot = podSlot('shop/wide-0', 'node-a');
    const handle = slot.handle ?? '';
    const rows = [
      aBlock('10.0.0.0/28', { 1: slot }),
      aBlock('10.0.1.0/28', { 2: slot, 3: slot }),
      aHandle(handle, { '10.0.0.0/28': 1, '10.0.1.0/28': 2 }),
    ];
    const datastore = datastoreOf(rows, { live: true });
    await release(datastore);
    expect(datastore.writes.filter((write) => write.includes('IPAMHandle'))).to.deep.equal([
      `remove IPAMHandle ${handle}`,
    ]);
  });

  it('leaves alone what is given out again between the two looks', async () => {
    const datastore = datastoreOf(crowd('10.0.0.0/28', 2), {
      live: true,
      onRequest: ({ verb, kind, nth }, self) => {
        if (verb === 'list' && kind === 'IPAMBlock' && nth === 2) {
          self.put(
            aBlock(
              '10.0.0.0/28',
              { 1: podSlot('shop/new', 'node-b') },
              { sequenceNumbers: new Map([[1, 99n]]) },
            ),
          );
          self.put(aPod('shop/new', 'node-b', '10.0.0.1'));
        }
      },
    });
    const { document, verdict } = await release(datastore);
    expect(verdict).to.equal('ok');
    expect(document.items.map(({ result }) => result)).to.deep.equal(['skipped', 'skipped']);
    expect(datastore.writes).to.deep.equal([]);
  });

  it('plans anew when the block changes under it, and releases what is still the same', async () => {
    const datastore = datastoreOf(crowd('10.0.0.0/28', 2), {
      live: true,
      onRequest: ({ verb, kind, nth }, self) => {
        if (verb !== 'update' || kind !== 'IPAMBlock' || nth !== 1) return;
        const [block] = self.all('IPAMBlock');
        if (block && 'allocations' in block) {
          const sequenceNumbers = new Map(block.sequenceNumbers).set(1, 99n);
          self.put({
            ...block,
            sequenceNumbers,
            attributes: [block.attributes[0]!, podSlot('shop/new', 'node-b')],
          });
        }
      },
    });
    const { document, verdict } = await release(datastore);
    expect(verdict).to.equal('ok');
    expect(document.items.map(({ subject, result }) => [subject.address, result])).to.deep.equal([
      ['10.0.0.0', 'applied'],
      ['10.0.0.1', 'skipped'],
    ]);
  });

  it('withdraws a handle that is given another address meanwhile', async () => {
    const datastore = datastoreOf(crowd('10.0.0.0/28', 1), {
      live: true,
      onRequest: ({ verb, kind, nth }, self) => {
        if (verb !== 'update' || kind !== 'IPAMBlock' || nth !== 1) return;
        const slot = podSlot('shop/10-0-0-0-28-0', 'node-a');
        self.put(aBlock('10.0.0.0/28', { 0: slot, 5: slot }));
      },
    });
    const { document } = await release(datastore);
    expect(document.items[0]).to.include({ result: 'skipped' });
    expect(datastore.all('IPAMHandle')).to.have.length(1);
  });

  it('says in part what it could not judge', async () => {
    const { verdict, document } = await release(
      datastoreOf(crowd('10.0.0.0/28', 1), { without: ['Pod'] }),
    );
    expect(verdict).to.equal('partial');
    expect(document.items[0]).to.include({ result: 'skipped' });
  });

  it('looks at one node only, and knows a node from a slip of the pen', async () => {
    const other = withRows(
      aBlock('10.0.1.0/28', { 0: podSlot('shop/b', 'node-b') }, { affinity: 'host:node-b' }),
    );
    const datastore = datastoreOf([...crowd('10.0.0.0/28', 1), ...other]);
    const { document } = await release(datastore, { by: 'node', node: 'node-b' });
    expect(document.items.map(({ subject }) => subject.address)).to.deep.equal(['10.0.1.0']);
    expect(await failureOf(release(datastore, { by: 'node', node: 'nobody' }))).to.include({
      status: 4,
    });
  });

  it('prints the plan that it would apply', async () => {
    const datastore = datastoreOf(crowd('10.0.0.0/28', 2));
    const mutation = await plan(datastore);
    const { document } = mutation.plan;
    expect(datastore.writes).to.deep.equal([]);
    const outcome = await mutation.apply();
    const strip = ({ action, subject, precondition, reason }: (typeof document.items)[number]) => ({
      action,
      subject,
      precondition,
      reason,
    });
    expect(outcome.document.items.map(strip)).to.deep.equal(document.items.map(strip));
  });

  it('fails with the status of what stopped it when nothing was applied, in part otherwise', async () => {
    const busy = datastoreOf(crowd('10.0.0.0/28', 1), {
      onRequest: ({ verb, kind }, self) => {
        const [block] = self.all('IPAMBlock');
        if (verb === 'update' && kind === 'IPAMBlock' && block) self.put(block);
      },
    });
    expect((await release(busy)).verdict).to.equal('conflict');
    const half = datastoreOf([...crowd('10.0.0.0/28', 1), ...crowd('10.0.1.0/28', 1)], {
      onRequest: ({ verb, name }, self) => {
        const block = self.all('IPAMBlock')[0];
        if (verb === 'update' && name === '10-0-0-0-28' && block) self.put(block);
      },
    });
    const { verdict, document } = await release(half);
    expect(verdict).to.equal('partial');
    expect(document.totals).to.include({ applied: 1, failed: 1 });
  });

  it('refuses to write to a source that can be read only', async () => {
    const mutation = await plan(datastoreOf(crowd('10.0.0.0/28', 1), { writable: false }));
    expect(() => mutation.assertWritable()).to.throw(/read only/);
  });
});

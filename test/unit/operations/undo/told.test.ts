import { appendFileSync, cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { WritableDatastore } from '../../../../src/datastore/datastore.ts';
import { openSnapshot } from '../../../../src/datastore/snapshot/snapshot-datastore.ts';
import { ConflictError } from '../../../../src/errors/conflict-error.ts';
import { UnavailableError } from '../../../../src/errors/unavailable-error.ts';
import type { Mutation } from '../../../../src/operations/mutation.ts';
import { planRelease } from '../../../../src/operations/release-addresses.ts';
import { aBlock, aNode, aPod, aPool, ip, podSlot, withRows } from '../../../support/builders.ts';
import { FIXTURES } from '../../../support/fixture.ts';
import { RowDatastore, type RowDatastoreOptions } from '../../../support/row-datastore.ts';
import { contextOf } from '../../../support/scripted-datastore.ts';
import { aClusterInformation, aConfig } from '../../../support/settings-builders.ts';
import { temporaryFolders } from '../../../support/temp-folder.ts';
import { UndoMemory } from '../../../support/undo-memory.ts';

function plan(datastore: WritableDatastore, address = '10.0.0.3'): Promise<Mutation> {
  return planRelease(contextOf(datastore), {
    selector: { by: 'address', address: ip(address) },
    minAgeMs: 300_000,
    isForced: true,
    isMismatchAllowed: true,
  });
}

function cluster(more: RowDatastoreOptions = {}): RowDatastore {
  const rows = withRows(aBlock('10.0.0.0/26', { 3: podSlot('shop/cart-0', 'node-a') }));
  const settings = [aClusterInformation(), aConfig({ ipCooldownSeconds: 60 })];
  const others = [aPool('main', '10.0.0.0/16'), aNode('node-a'), aPod('shop/web-0', 'node-a')];
  return new RowDatastore([...settings, ...others, ...rows], { live: true, ...more });
}

/** A datastore that keeps writes back, and whose flushes end as the list says: told by an error, or well. */
function keepingBack(ends: readonly (Error | undefined)[]): WritableDatastore {
  const left = [...ends];
  return Object.assign(cluster({ live: false }), {
    flush: () => {
      const end = left.shift();
      return end === undefined ? Promise.resolve() : Promise.reject(end);
    },
  });
}

describe('operations/undo: what is told of the file', () => {
  const folders = temporaryFolders();

  it('is its path, and the notes on what was done, where something was applied', async () => {
    const { document } = await (await plan(cluster())).apply(new UndoMemory());
    expect(document.totals.applied).to.equal(1);
    expect(document.undoFile).to.equal('undo.jsonl');
    expect(document.notes.join()).to.include('A cooldown of 60 seconds');
  });

  it('is nothing where every write was refused', async () => {
    const refusing = cluster({
      onRequest: ({ verb }) => {
        if (/update|remove|create/.test(verb)) throw new ConflictError('somebody was faster');
      },
    });
    const undo = new UndoMemory();
    const { document, verdict } = await (await plan(refusing)).apply(undo);
    expect(undo.text).to.include('"failed"');
    expect(verdict).to.equal('conflict');
    expect(document.undoFile).to.equal(undefined);
    expect(document.notes).to.deep.equal([]);
  });

  it('is its path where the answer to a write was lost and nobody knows how it ended', async () => {
    let isDown = false;
    const losing = cluster({
      onRequest: ({ verb }) => {
        isDown ||= verb === 'update';
        if (isDown) throw new UnavailableError('gone', { retryable: true });
      },
    });
    const { document } = await (await plan(losing)).apply(new UndoMemory());
    expect(document.totals).to.include({ applied: 0, failed: 1 });
    expect(document.undoFile).to.equal('undo.jsonl');
  });

  it('is nothing where what was kept back could not be written', async () => {
    const lost = keepingBack([new ConflictError('somebody else has written')]);
    const { document } = await (await plan(lost)).apply(new UndoMemory());
    expect(document.totals).to.include({ applied: 0, failed: 1 });
    expect(document.undoFile).to.equal(undefined);
    expect(document.notes).to.deep.equal([]);
    const written = await (await plan(keepingBack([undefined]))).apply(new UndoMemory());
    expect(written.document.undoFile).to.equal('undo.jsonl');
  });

  it('is nothing where somebody else has changed a snapshot meanwhile', async () => {
    const file = join(await folders({}), 'cluster.yaml');
    cpSync(join(FIXTURES, 'removed-node-keeps-block', 'cluster.yaml'), file);
    const mutation = await plan(await openSnapshot(file, {}), '198.18.0.16');
    appendFileSync(file, '# changed\n');
    const { document, verdict } = await mutation.apply(new UndoMemory());
    expect(verdict).to.equal('conflict');
    expect(document.undoFile).to.equal(undefined);
  });

  it('is why there is none, beside the result, where something was written all the same', async () => {
    const none = {
      path: undefined,
      problem: 'cannot write the undo file /x: permission denied',
      append: () => Promise.resolve(),
      note: () => undefined,
    };
    const { document } = await (await plan(cluster())).apply(none);
    expect(document.undoFile).to.equal(undefined);
    expect(document.notes.at(-1)).to.equal(
      'There is no undo file, so nothing can take this back: cannot write the undo file /x: permission denied.',
    );
  });
});

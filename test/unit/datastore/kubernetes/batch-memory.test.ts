import { expect } from 'chai';
import {
  BATCH_BYTES,
  giveBack,
  takeBatch,
} from '../../../../src/datastore/kubernetes/batch-memory.ts';
import { Scratch } from '../../../../src/datastore/kubernetes/scratch.ts';

/** What lies ready, and goes back. */
function readyMemory(): ReadonlySet<ArrayBufferLike> {
  const taken = Array.from({ length: 100 }, () => takeBatch());
  for (const batch of taken) giveBack(batch);
  return new Set(taken.map(({ buffer }) => buffer));
}

describe('datastore/kubernetes/batch-memory', () => {
  it('gives memory out again that was given back, whole', () => {
    const batch = takeBatch();
    giveBack(batch.subarray(0, 5));
    const again = takeBatch();
    expect(again.buffer).to.equal(batch.buffer);
    expect(again).to.have.length(BATCH_BYTES);
  });

  it('gives none out twice, however often it was given back', () => {
    const batch = takeBatch();
    giveBack(batch);
    giveBack(batch);
    expect(takeBatch().buffer).to.equal(batch.buffer);
    expect(takeBatch().buffer).not.to.equal(batch.buffer);
  });

  it('takes nothing that was not its own', () => {
    const other = Buffer.alloc(BATCH_BYTES);
    giveBack(other);
    giveBack(Buffer.from('of the pool of Node'));
    expect(readyMemory().has(other.buffer)).to.equal(false);
  });

  it('keeps no more than a few lists use', () => {
    const taken = Array.from({ length: 100 }, () => takeBatch());
    for (const batch of taken) giveBack(batch);
    const again = new Set(taken.map(({ buffer }) => buffer));
    const kept = Array.from({ length: 100 }, () => takeBatch()).filter(({ buffer }) =>
      again.has(buffer),
    );
    expect(kept).to.have.length(32);
  });

  it('gets back what was put together with others, and not what stands alone', () => {
    const scratch = new Scratch();
    const parts = ['alone', 'two', 'three'].map((text) => {
      const batch = takeBatch();
      return batch.subarray(0, batch.write(text));
    });
    const [alone, ...others] = parts as [Buffer, Buffer, Buffer];
    const bytes = scratch.append([alone]);
    scratch.keepFrom(bytes.length);
    expect(scratch.append(others).toString()).to.equal('twothree');
    const ready = readyMemory();
    expect(parts.map(({ buffer }) => ready.has(buffer))).to.deep.equal([false, true, true]);
    expect(bytes.toString()).to.equal('alone');
  });
});

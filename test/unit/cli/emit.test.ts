import { Writable } from 'node:stream';
import { expect } from 'chai';
import { statusOf, write } from '../../../src/cli/emit.ts';
import { UsageError } from '../../../src/errors/usage-error.ts';

/** A stream whose writes end in that failure, or well. */
function streamThat(failure?: { code: string }): NodeJS.WriteStream & { text: string } {
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (failure) {
        done(Object.assign(new Error('no'), failure));
        return;
      }
      (this as unknown as { text: string }).text += chunk.toString();
      setTimeout(done, 1);
    },
  });
  return Object.assign(stream, { text: '' }) as unknown as NodeJS.WriteStream & { text: string };
}

describe('cli/emit', () => {
  it('has one status for each verdict', () => {
    expect((['ok', 'findings', 'partial', 'notFound'] as const).map(statusOf)).to.deep.equal([
      0, 1, 3, 4,
    ]);
  });

  it('waits until a slow stream has taken everything', async () => {
    const stream = streamThat();
    const text = 'x'.repeat(5_000_000);
    await write(stream, text);
    expect(stream.text.length).to.equal(text.length);
  });

  it('takes a reader that has gone for no error', async () => {
    await write(streamThat({ code: 'EPIPE' }), 'x');
  });

  it('reports a stream that cannot be written', async () => {
    const error = await write(streamThat({ code: 'ENOSPC' }), 'x').catch(
      (thrown: unknown) => thrown,
    );
    expect(error).to.be.instanceOf(UsageError);
  });
});

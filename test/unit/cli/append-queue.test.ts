import { readFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { AppendQueue } from '../../../src/cli/append-queue.ts';
import { failureOf, temporaryFolders } from '../../support/temp-folder.ts';

describe('cli/append-queue', () => {
  const makeFolder = temporaryFolders();

  /** A queue on a new file that counts what reaches it. */
  async function counted() {
    const path = join(await makeFolder({}), 'lines');
    const seen = { opened: 0, appended: 0, flushed: 0, failure: undefined as Error | undefined };
    const queue = new AppendQueue({
      open: async () => {
        seen.opened += 1;
        const file = await open(path, 'a');
        return {
          appendFile: (text: string) => {
            seen.appended += 1;
            return seen.failure ? Promise.reject(seen.failure) : file.appendFile(text);
          },
          datasync: () => {
            seen.flushed += 1;
            return file.datasync();
          },
          close: () => file.close(),
        } as unknown as FileHandle;
      },
      refusal: (error) => Promise.resolve(new Error(`refused: ${(error as Error).message}`)),
    });
    return { queue, seen, text: () => readFileSync(path, 'utf8') };
  }

  it('opens nothing until a text comes', async () => {
    const { queue, seen } = await counted();
    await queue.close();
    expect(seen).to.include({ opened: 0, appended: 0 });
  });

  it('writes texts one after the other, each waited for right after the one before', async () => {
    const { queue, seen, text } = await counted();
    for (const line of ['a', 'b', 'c']) await queue.append(line);
    let ended = 0;
    const chain = queue.append('d').then(() => queue.append('e'));
    await Promise.all([chain, queue.append('f').then(() => (ended += 1))]);
    await queue.close();
    expect([text(), ended, seen.opened]).to.deep.equal(['abcdfe', 1, 1]);
  });

  it('takes what is noted along with the next text, in order, with one flush', async () => {
    const { queue, seen, text } = await counted();
    await queue.append('a');
    for (const line of ['b', 'c', 'd']) queue.note(line);
    await queue.append('e');
    expect([text(), seen.appended, seen.flushed]).to.deep.equal(['abcde', 2, 2]);
    await queue.close();
  });

  it('writes what is noted by itself, soon and without a flush', async () => {
    const { queue, seen, text } = await counted();
    await queue.append('a');
    for (const line of ['b', 'c']) queue.note(line);
    expect(text()).to.equal('a');
    while (text() === 'a') await delay(10);
    expect([text(), seen.appended, seen.flushed]).to.deep.equal(['abc', 2, 1]);
    await queue.close();
  });

  it('loses nothing that was noted when it is closed', async () => {
    for (const isWriting of [false, true]) {
      const { queue, text } = await counted();
      await queue.append('a');
      const waited = isWriting ? queue.append('b') : Promise.resolve();
      queue.note('c');
      await queue.close();
      await waited;
      expect(text()).to.equal(isWriting ? 'abc' : 'ac');
    }
  });

  it('tells a failed note to the next that waits, and writes nothing behind it', async () => {
    const { queue, seen, text } = await counted();
    await queue.append('a');
    seen.failure = new Error('no space');
    queue.note('b');
    while (seen.appended < 2) await delay(10);
    seen.failure = undefined;
    expect((await failureOf(queue.append('c'))).message).to.include('no space');
    queue.note('d');
    await queue.close();
    expect([text(), seen.opened]).to.deep.equal(['a', 1]);
  });
});

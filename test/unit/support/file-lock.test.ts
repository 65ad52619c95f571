import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { FileLockedError, lockFile } from '../../../src/support/file-lock.ts';
import { failureOf, temporaryFolders } from '../../support/temp-folder.ts';

describe('support/file-lock', () => {
  const folders = temporaryFolders();

  /** A folder with a file, and the lock that is its own when it is locked. */
  async function ground(): Promise<{ folder: string; file: string; lock: string }> {
    const folder = await folders({ file: 'text' });
    return { folder, file: join(folder, 'file'), lock: join(folder, '.file.lock') };
  }

  const holder = (parts: object): string =>
    JSON.stringify({ host: hostname(), pid: process.pid, token: 'other', ...parts });

  it('is held by one at a time, and leaves nothing', async () => {
    const { folder, file } = await ground();
    const lock = await lockFile(file);
    const error = await failureOf(lockFile(file));
    expect(error).to.be.instanceOf(FileLockedError);
    expect(error.message).to.equal(`process ${process.pid} on ${hostname()} is writing to it`);
    expect(await lock.isHeld()).to.equal(true);
    await lock.release();
    expect(readdirSync(folder)).to.deep.equal(['file']);
    await (await lockFile(file)).release();
  });

  it('is the same for a link and for what it leads to, and for a file that is not there yet', async () => {
    const { folder, file } = await ground();
    symlinkSync('file', join(folder, 'link'));
    const lock = await lockFile(join(folder, 'link'));
    expect(await failureOf(lockFile(file))).to.be.instanceOf(FileLockedError);
    await lock.release();
    const next = await lockFile(join(folder, 'new'));
    expect(await failureOf(lockFile(join(folder, 'new')))).to.be.instanceOf(FileLockedError);
    await next.release();
  });

  it('waits for a holder that ends in time', async () => {
    const { file } = await ground();
    const first = await lockFile(file);
    const second = lockFile(file, 10_000);
    await first.release();
    await (await second).release();
  });

  it('lets one through at a time, however many wait', async () => {
    const { file } = await ground();
    let inside = 0;
    const passThrough = async (): Promise<void> => {
      const lock = await lockFile(file, 30_000);
      expect(++inside).to.equal(1);
      await new Promise(setImmediate);
      inside--;
      await lock.release();
    };
    for (let round = 0; round < 10; round++)
      await Promise.all(Array.from({ length: 8 }, passThrough));
  });

  it('is taken from a process that is no more, from an earlier one of the same number, and from nobody', async () => {
    const { file, lock } = await ground();
    const { pid } = spawnSync(process.execPath, ['--version']);
    const dead = [holder({ pid }), holder({}), holder({ pid: process.ppid, started: 'long ago' })];
    for (const text of dead) {
      writeFileSync(lock, text);
      const taken = await lockFile(file);
      expect(readFileSync(lock, 'utf8')).to.not.equal(text);
      await taken.release();
    }
    writeFileSync(lock, '');
    expect(await failureOf(lockFile(file))).to.be.instanceOf(FileLockedError);
    utimesSync(lock, 0, 0);
    await (await lockFile(file)).release();
  });

  it('is taken by one of many who find that its holder is no more', async () => {
    const { folder, file, lock } = await ground();
    const { pid } = spawnSync(process.execPath, ['--version']);
    for (let round = 0; round < 20; round++) {
      writeFileSync(lock, holder({ pid }));
      const all = await Promise.allSettled(Array.from({ length: 8 }, () => lockFile(file)));
      const locks = all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      const held = await Promise.all(locks.map((one) => one.isHeld()));
      expect(held.filter((isHeld) => isHeld).length).to.be.lessThan(2);
      for (const one of locks) await one.release();
      expect(readdirSync(folder)).to.deep.equal(['file']);
    }
  });

  it('stays with a process that lives, and with one of another machine, and says what to do', async () => {
    const { file, lock } = await ground();
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()']);
    await once(child, 'spawn');
    try {
      for (const text of [holder({ pid: child.pid }), holder({ host: 'elsewhere', pid: 1 })]) {
        writeFileSync(lock, text);
        const error = await failureOf(lockFile(file));
        expect(error).to.be.instanceOf(FileLockedError);
        expect(error).to.have.property('hint').that.includes(`remove ${lock}`);
        expect(readFileSync(lock, 'utf8')).to.equal(text);
      }
    } finally {
      child.kill();
    }
  });

  it('knows when somebody has taken it away, and leaves the lock of another alone', async () => {
    const { file, lock } = await ground();
    const mine = await lockFile(file);
    writeFileSync(lock, holder({ host: 'elsewhere' }));
    expect(await mine.isHeld()).to.equal(false);
    await mine.release();
    expect(readFileSync(lock, 'utf8')).to.equal(holder({ host: 'elsewhere' }));
  });

  it('fails with what the system says where no file can be made', async () => {
    const { folder } = await ground();
    const error = await failureOf(lockFile(join(folder, 'none', 'file')));
    expect(error).to.have.property('code', 'ENOENT');
  });
});

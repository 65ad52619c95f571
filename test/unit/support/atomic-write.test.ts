import { chmod, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { UsageError } from '../../../src/errors/usage-error.ts';
import { writeFileAtomically } from '../../../src/support/atomic-write.ts';

async function inFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'atomic-write-'));
  try {
    await run(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('the promise was fulfilled');
}

describe('support/atomic-write', () => {
  it('writes text, bytes and pieces that only the owner may read', async () => {
    await inFolder(async (folder) => {
      async function* pieces() {
        yield 'one ';
        yield Buffer.from('two ');
        yield new TextEncoder().encode('drei: ü');
      }
      const path = join(folder, 'report.json');
      await writeFileAtomically(path, 'text');
      expect(await readFile(path, 'utf8')).to.equal('text');
      await writeFileAtomically(path, Buffer.from('bytes'));
      expect(await readFile(path, 'utf8')).to.equal('bytes');
      await writeFileAtomically(path, ['a', 'b']);
      expect(await readFile(path, 'utf8')).to.equal('ab');
      await writeFileAtomically(path, pieces());
      expect(await readFile(path, 'utf8')).to.equal('one two drei: ü');
      expect((await stat(path)).mode & 0o777).to.equal(0o600);
      expect(await readdir(folder)).to.deep.equal(['report.json']);
    });
  });

  it('narrows the mode of a file that it replaces', async () => {
    await inFolder(async (folder) => {
      const path = join(folder, 'report.json');
      await writeFile(path, 'old');
      await chmod(path, 0o644);
      await writeFileAtomically(path, 'new');
      expect((await stat(path)).mode & 0o777).to.equal(0o600);
    });
  });

  it('keeps the old file and leaves nothing behind when the content fails', async () => {
    await inFolder(async (folder) => {
      const path = join(folder, 'report.json');
      await writeFile(path, 'old');
      async function* broken() {
        yield 'half';
        throw new Error('source broke');
      }
      const error = await rejectionOf(writeFileAtomically(path, broken()));
      expect(error).to.have.property('message', 'source broke');
      expect(await readFile(path, 'utf8')).to.equal('old');
      expect(await readdir(folder)).to.deep.equal(['report.json']);
    });
  });

  it('calls a path that cannot be written misuse', async () => {
    await inFolder(async (folder) => {
      const missing = join(folder, 'absent', 'report.json');
      const error = await rejectionOf(writeFileAtomically(missing, 'text'));
      expect(error).to.be.instanceOf(UsageError);
      expect((error as UsageError).message)
        .to.contain(missing)
        .and.to.contain('there is no folder');
      expect((error as UsageError).details).to.deep.equal({ path: missing });
      expect((error as UsageError).status).to.equal(2);
    });
  });

  it('cleans up when a folder has the name', async () => {
    await inFolder(async (folder) => {
      const path = join(folder, 'report.json');
      await mkdir(path);
      expect(await rejectionOf(writeFileAtomically(path, 'text'))).to.be.instanceOf(UsageError);
      expect(await readdir(folder)).to.deep.equal(['report.json']);
    });
  });
});

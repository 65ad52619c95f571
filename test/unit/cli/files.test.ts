import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openOutputFile, readInputFile } from '../../../src/cli/files.ts';
import { UsageError } from '../../../src/errors/usage-error.ts';
import { failureOf } from '../../support/temp-folder.ts';

async function refusal(path: string): Promise<unknown> {
  return openOutputFile(path, 'output').catch((error: unknown) => error);
}

describe('cli/files', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ipamctl-files-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('says what an input file is when it cannot be read', async () => {
    const absent = join(folder, 'absent');
    expect(await failureOf(readInputFile(absent))).to.include({
      status: 9,
      message: `${absent} does not exist`,
    });
    expect(await failureOf(readInputFile(folder))).to.include({
      status: 9,
      message: `${folder} is a folder`,
    });
  });

  it('writes JSON that only the owner can read, and leaves nothing else behind', async () => {
    const path = join(folder, 'report.json');
    await (await openOutputFile(path, 'output')).writeJson({ n: 1764426000123456789n });
    expect(readFileSync(path, 'utf8')).to.equal('{\n  "n": 1764426000123456789\n}\n');
    expect(statSync(path).mode & 0o777).to.equal(0o600);
    expect(readdirSync(folder)).to.deep.equal(['report.json']);
  });

  it('touches nothing before it writes', async () => {
    const path = join(folder, 'report.json');
    writeFileSync(path, 'old');
    await openOutputFile(path, 'output');
    expect(readFileSync(path, 'utf8')).to.equal('old');
    await openOutputFile(join(folder, 'other.json'), 'output');
    expect(readdirSync(folder)).to.deep.equal(['report.json']);
  });

  it('writes through a symbolic link', async () => {
    const target = join(folder, 'target.json');
    writeFileSync(target, 'old');
    symlinkSync(target, join(folder, 'link.json'));
    await (await openOutputFile(join(folder, 'link.json'), 'output')).writeJson(1);
    expect(readFileSync(target, 'utf8')).to.equal('1\n');
  });

  it('writes into a device and leaves it one', async () => {
    await (await openOutputFile('/dev/null', 'output')).writeJson(1);
    expect(statSync('/dev/null').isCharacterDevice()).to.equal(true);
  });

  it('reports a device that takes nothing', async () => {
    const file = await openOutputFile('/dev/full', 'output');
    expect(await file.writeJson(1).catch((error: unknown) => error)).to.be.instanceOf(UsageError);
  });

  it('refuses what cannot be a file', async () => {
    mkdirSync(join(folder, 'sub'));
    writeFileSync(join(folder, 'file'), '');
    for (const path of [
      '',
      '-',
      join(folder, 'sub'),
      join(folder, 'absent', 'x'),
      join(folder, 'file', 'x'),
    ]) {
      expect(await refusal(path), path).to.be.instanceOf(UsageError);
    }
  });

  it('refuses a folder and a file without permission', async function () {
    if (process.getuid?.() === 0) this.skip();
    chmodSync(folder, 0o500);
    expect(await refusal(join(folder, 'x'))).to.be.instanceOf(UsageError);
    chmodSync(folder, 0o700);
  });
});

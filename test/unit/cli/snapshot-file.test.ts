import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { SnapshotFile, withSnapshotFile } from '../../../src/cli/snapshot-file.ts';
import { withRedactValue } from '../../../src/cli/snapshot-flags.ts';
import { failureOf, temporaryFolders } from '../../support/temp-folder.ts';

const PIECES = ['{"items":[', { part: 'a', from: 1 }, { part: 'b', from: 0 }, '\n]}\n'] as const;

const UNENDED = new AbortController().signal;

async function fill(file: SnapshotFile): Promise<void> {
  await file.write('a', ',\n1');
  await file.write('b', ',\nvoid');
  await file.reset('b');
  await file.write('b', ',\n2');
  await file.write('a', ',\n3');
}

describe('cli/snapshot-file', () => {
  const writeFolder = temporaryFolders();

  it('puts the parts together, for its owner alone, and leaves nothing else', async () => {
    const folder = await writeFolder({ 'dump.json': 'old' });
    const path = join(folder, 'dump.json');
    const result = await withSnapshotFile(path, async (file) => {
      await fill(file);
      expect(readFileSync(path, 'utf8')).to.equal('old');
      return file.finish(PIECES, UNENDED);
    });
    const text = readFileSync(path, 'utf8');
    expect(text).to.equal('{"items":[\n1,\n3,\n2\n]}\n');
    expect(result).to.deep.equal({
      sha256: createHash('sha256').update(text).digest('hex'),
      bytes: text.length,
    });
    expect(statSync(path).mode & 0o777).to.equal(0o600);
    expect(readdirSync(folder)).to.deep.equal(['dump.json']);
  });

  it('compresses a file whose name says so; digest and size are those of the file', async () => {
    const path = join(await writeFolder({}), 'dump.json.gz');
    const result = await withSnapshotFile(path, async (file) => {
      await fill(file);
      return file.finish(PIECES, UNENDED);
    });
    const bytes = readFileSync(path);
    expect(gunzipSync(bytes).toString()).to.equal('{"items":[\n1,\n3,\n2\n]}\n');
    expect(result).to.deep.equal({
      sha256: createHash('sha256').update(bytes).digest('hex'),
      bytes: bytes.length,
    });
  });

  it('keeps parts where only their owner may read them', async () => {
    const folder = await writeFolder({});
    await withSnapshotFile(join(folder, 'dump.json'), async (file) => {
      await fill(file);
      const [parts = ''] = readdirSync(folder);
      expect(statSync(join(folder, parts)).mode & 0o777).to.equal(0o700);
      expect(statSync(join(folder, parts, 'a')).mode & 0o777).to.equal(0o600);
    });
  });

  for (const name of ['dump.json', 'dump.json.gz']) {
    it(`leaves the old ${name} and nothing else when the work fails half-way`, async () => {
      const folder = await writeFolder({ [name]: 'old' });
      const path = join(folder, name);
      const error = await failureOf(
        withSnapshotFile(path, async (file) => {
          await fill(file);
          // A part that is not there stands for a disk that fails.
          return file.finish([...PIECES, { part: 'gone', from: 0 }], UNENDED);
        }),
      );
      expect(error.message).to.match(/ENOENT/);
      expect(readFileSync(path, 'utf8')).to.equal('old');
      expect(readdirSync(folder)).to.deep.equal([name]);
    });
  }

  it('leaves the old file when the command is ended while the new one is written', async () => {
    const folder = await writeFolder({ 'dump.json': 'old' });
    const path = join(folder, 'dump.json');
    const error = await failureOf(
      withSnapshotFile(path, async (file) => {
        await fill(file);
        return file.finish(PIECES, AbortSignal.abort(new Error('stopped')));
      }),
    );
    expect(error.message).to.equal('stopped');
    expect(readFileSync(path, 'utf8')).to.equal('old');
    expect(readdirSync(folder)).to.deep.equal(['dump.json']);
  });

  it('refuses a folder that cannot be written before anything is read', async function () {
    if (process.getuid?.() === 0) this.skip();
    const folder = await writeFolder({});
    chmodSync(folder, 0o500);
    let wasUsed = false;
    const error = await failureOf(
      withSnapshotFile(join(folder, 'dump.json'), async () => {
        wasUsed = true;
      }),
    );
    chmodSync(folder, 0o700);
    expect([error.message, wasUsed]).to.deep.equal([error.message, false]);
    expect(error).to.include({ code: 'USAGE' });
  });

  it('refuses a folder in the place of the file', async () => {
    const folder = await writeFolder({ 'dump.json/x': '' });
    const error = await failureOf(SnapshotFile.open(join(folder, 'dump.json')));
    expect(error.message).to.match(/dump\.json: it is a folder/);
    expect(existsSync(join(folder, 'dump.json', 'x'))).to.equal(true);
  });
});

describe('cli/snapshot-flags', () => {
  it('redacts names where --redact has no value', () => {
    expect(withRedactValue(['--redact', '-o', 'x'])).to.deep.equal(['--redact=names', '-o', 'x']);
    expect(withRedactValue(['-o', 'x', '--redact'])).to.deep.equal(['-o', 'x', '--redact=names']);
  });

  it('leaves a value alone', () => {
    for (const argv of [['--redact', 'all'], ['--redact=all'], ['--redact', 'names'], ['-o', 'x']])
      expect(withRedactValue(argv)).to.deep.equal(argv);
  });
});

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openStateFile } from '../../../src/cli/state-file.ts';
import { failureOf, temporaryFolders } from '../../support/temp-folder.ts';

describe('cli/state-file', () => {
  const writeFolder = temporaryFolders();

  it('is none where none is named', async () => {
    expect(await openStateFile(undefined)).to.equal(undefined);
  });

  it('begins without text, and gives back what was saved with numbers of any size', async () => {
    const path = join(await writeFolder({}), 'gc.json');
    const file = await openStateFile(path);
    expect(file?.text).to.equal(undefined);
    await file?.save({ sequenceNumber: 1764426000123456789n });
    expect((await openStateFile(path))?.text).to.equal(readFileSync(path, 'utf8'));
    expect(readFileSync(path, 'utf8')).to.contain('1764426000123456789');
    expect(statSync(path).mode & 0o777).to.equal(0o600);
  });

  it('refuses a place that cannot be written, before anything is done', async () => {
    for (const path of ['', '-', '/absent/folder/gc.json'])
      expect(await failureOf(openStateFile(path)), path).to.include({ code: 'USAGE' });
  });

  it('fails for a file that cannot be read', async () => {
    expect(await failureOf(openStateFile(await writeFolder({})))).to.include({ code: 'DATA' });
  });
});

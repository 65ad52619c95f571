import { linkSync, symlinkSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { expect } from 'chai';
import { OutputPaths } from '../../../src/cli/path-flags.ts';
import { failureOf, temporaryFolders } from '../../support/temp-folder.ts';

type Values = Readonly<Record<string, unknown>>;

async function look(flags: Values, args: Values = {}): Promise<void> {
  await (await OutputPaths.of(flags)).assertApart(flags, args);
}

describe('cli/path-flags', () => {
  const folders = temporaryFolders();

  it('tells files apart by what they are, and not by their names', async () => {
    const folder = await folders({ file: 'a', other: 'a' });
    const [file, other] = [join(folder, 'file'), join(folder, 'other')];
    symlinkSync('file', join(folder, 'link'));
    linkSync(file, join(folder, 'hard'));
    for (const name of ['file', 'link', 'hard', `../${basename(folder)}/file`]) {
      const error = await failureOf(look({ output: join(folder, name), snapshot: file }));
      expect(error, name).to.include({ status: 2 });
      expect(error.message).to.include('--output and --snapshot are the same file');
    }
    await look({ output: other, snapshot: file });
    await look({ output: join(folder, 'new'), snapshot: file, 'undo-file': other });
  });

  it('looks at each of several values, and at arguments', async () => {
    const folder = await folders({ file: 'a' });
    const path = join(folder, 'file');
    const undo = { 'undo-file': path };
    for (const [flags, args] of [
      [{ ...undo, 'from-report': ['/nowhere', path] }, {}],
      [{ ...undo, kubeconfig: `/nowhere${delimiter}${path}` }, {}],
      [undo, { file: path }],
    ] as const)
      expect(await failureOf(look(flags, args))).to.include({ status: 2 });
  });

  it('refuses two outputs that are one, although it is not there yet', async () => {
    const folder = await folders({});
    symlinkSync('.', join(folder, 'here'));
    const error = await failureOf(
      look({ 'state-file': join(folder, 'new'), 'metrics-file': join(folder, 'here', 'new') }),
    );
    expect(error.message).to.include('--metrics-file and --state-file are the same file');
  });

  it('leaves devices, folders, standard output and what is absent alone', async () => {
    const folder = await folders({});
    await look({ output: '/dev/null', 'undo-file': '/dev/null', kubeconfig: '/dev/null' });
    await look({ output: folder, snapshot: folder });
    await look({ output: '-', snapshot: '-' });
    await look({ output: '/nowhere/at/all', snapshot: '/nowhere/at/all' });
    await look({ output: '', snapshot: '' });
  });
});

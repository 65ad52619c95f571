import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openExportOutput } from '../../../src/cli/export-output.ts';
import { openOutputFile, readInputFile } from '../../../src/cli/files.ts';
import { openImportDefinitions, openImportFile } from '../../../src/cli/import-flags.ts';
import { openMetrics } from '../../../src/cli/metrics-server.ts';
import { readNameMap } from '../../../src/cli/name-map.ts';
import { SnapshotFile } from '../../../src/cli/snapshot-file.ts';
import { openStateFile } from '../../../src/cli/state-file.ts';
import { UndoFile } from '../../../src/cli/undo-file.ts';
import { fileValues } from '../../../src/datastore/config-file.ts';
import { loadKubeconfig } from '../../../src/datastore/kubernetes/load-kubeconfig.ts';
import { openDatastore } from '../../../src/datastore/open-datastore.ts';
import { ToolError } from '../../../src/errors/tool-error.ts';
import { writeFileAtomically } from '../../../src/support/atomic-write.ts';
import { readProblem, writeProblem } from '../../../src/support/file-problem.ts';
import { failureOf, temporaryFolders } from '../../support/temp-folder.ts';

type Use = (path: string) => Promise<unknown>;

/** Every way in which a file that the user names is written. */
const WRITERS: Readonly<Record<string, Use>> = {
  '--undo-file': (path) =>
    UndoFile.open(path, { env: {}, homeDir: '/', now: 0, warn: () => undefined }),
  'check --output': (path) => openOutputFile(path, 'output'),
  'export --output': openExportOutput,
  'snapshot --output': (path) => SnapshotFile.open(path),
  '--state-file': openStateFile,
  '--metrics-file': (file) => openMetrics({ file }),
  'a file that was found writable before': (path) => writeFileAtomically(path, 'x'),
};

/** Every way in which a file that the user names is read. */
const READERS: Readonly<Record<string, Use>> = {
  'UNDO-FILE and --from-report': readInputFile,
  '--map': readNameMap,
  '--snapshot': (snapshot) => openDatastore({ snapshot, env: {} }),
  '--filename': (filename) => openImportFile({ filename } as Parameters<typeof openImportFile>[0]),
  '--crds': (crds) => openImportDefinitions({ crds }),
};

/** A code of the system says nothing to whoever is no programmer. */
const CODE = /\bE[A-Z]{3,}\b|no such file/;

async function refusalOf(action: Promise<unknown>): Promise<ToolError> {
  const error = await failureOf(action);
  if (error instanceof ToolError) return error;
  throw error;
}

describe('cli/paths that cannot be used', () => {
  const folders = temporaryFolders();

  /** Paths below a folder that has a file `file` and a folder `sub`. */
  async function ground(): Promise<string> {
    return folders({ file: 'text', 'sub/file': 'text' });
  }

  for (const [flag, write] of Object.entries(WRITERS)) {
    it(`name the folder that is missing, and the way out: ${flag}`, async () => {
      const folder = await ground();
      const error = await refusalOf(write(join(folder, 'nope', 'x')));
      expect(error).to.include({ status: 2 });
      expect(error.message).to.include(
        `${join(folder, 'nope', 'x')}: there is no folder ${join(folder, 'nope')}`,
      );
      expect(error.hint).to.include('make that folder first');
      expect(error.message).to.not.match(CODE);
    });

    it(`name the file that stands where a folder has to be: ${flag}`, async () => {
      const folder = await ground();
      const error = await refusalOf(write(join(folder, 'file', 'deep', 'x')));
      expect(error.message).to.include(`${join(folder, 'file')} is no folder`);
      expect(error.hint).to.be.a('string');
      expect(error.message).to.not.match(CODE);
    });

    it(`say that it is a folder: ${flag}`, async () => {
      const folder = await ground();
      const error = await refusalOf(write(join(folder, 'sub')));
      expect(error.message).to.include('is a folder');
      expect(error.hint).to.equal('name a file in it');
      expect(error.message).to.not.match(CODE);
      expect(readdirSync(folder).sort()).to.deep.equal(['file', 'sub']);
    });
  }

  for (const [flag, read] of Object.entries(READERS)) {
    it(`say that it does not exist, and what to check: ${flag}`, async () => {
      const folder = await ground();
      for (const [path, says] of [
        [join(folder, 'nope'), 'check the name'],
        [join(folder, 'nope', 'x'), `there is no folder ${join(folder, 'nope')} either`],
        ['nope-here', 'check the name; a relative path begins in the current folder'],
      ] as const) {
        const error = await failureOf(read(path));
        expect(error).to.include({ status: 9, message: `${path} does not exist`, hint: says });
      }
    });

    it(`name the file that stands where a folder has to be: ${flag}`, async () => {
      const folder = await ground();
      const error = await failureOf(read(join(folder, 'file', 'x')));
      expect(error).to.include({ status: 9 });
      expect(error.message)
        .to.include(`${join(folder, 'file')} is no folder`)
        .and.not.match(CODE);
    });
  }

  it('of a connection are told in words', async () => {
    const folder = await ground();
    const connection = { env: {}, kubeconfig: { value: folder, origin: 'test' } };
    const error = await failureOf(loadKubeconfig(connection));
    expect(error.message).to.include('it is a folder').and.not.match(CODE);
  });

  it('of a configuration file say what to check', async () => {
    const folder = await ground();
    const error = await failureOf(fileValues(join(folder, 'nope'), false));
    expect(error).to.include({ status: 8, hint: 'check the name' });
    expect((await failureOf(fileValues(folder, false))).message).to.include('it is a folder');
  });

  for (const code of ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'ENAMETOOLONG'])
    it(`are told in words, with the way out: ${code}`, () => {
      const error = Object.assign(new Error(`${code}: so it is`), { code });
      const { reason, hint } = writeProblem('/a/b', error);
      expect(reason).to.not.match(CODE);
      expect(hint).to.be.a('string');
      expect(readProblem('/a/b', error).reason).to.equal(reason);
    });

  it('keep what the system says where there are no better words', () => {
    expect(writeProblem('/a/b', new Error('so it is'))).to.deep.equal({
      reason: 'so it is',
      hint: undefined,
    });
  });
});

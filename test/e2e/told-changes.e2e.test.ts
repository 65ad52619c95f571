import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type JsonObject, parseJson, stringifyJson } from '../../src/support/json.ts';
import { FIXTURES } from '../support/fixture.ts';
import { runCli, runShell, type RunResult } from '../support/run-cli.ts';
import { temporaryFolders } from '../support/temp-folder.ts';

const NOW = '2026-11-29T12:00:00Z';

/** Commands that change the snapshot; all but the last record what they do. */
const WRITING: readonly string[][] = [
  ['release', '--leaked', '--yes', '--min-age', '0s'],
  ['repair', '--only', 'orphan-handle', '--yes'],
  ['configure', '--strictaffinity', 'true'],
  ['gc', '--once', '--leak-grace', '1s'],
];

describe('e2e/told-changes', function () {
  this.timeout(60_000);

  const folders = temporaryFolders();

  async function ground(): Promise<{ folder: string; snapshot: string; before: string }> {
    const folder = await folders({ file: 'no folder' });
    const snapshot = join(folder, 'cluster');
    cpSync(join(FIXTURES, 'several-faults-at-once', 'cluster'), snapshot, { recursive: true });
    return { folder, snapshot, before: contentOf(snapshot) };
  }

  function contentOf(snapshot: string): string {
    return ['ipamblocks', 'ipamhandles', 'blockaffinities', 'ipamconfigs']
      .map((name) => readFileSync(join(snapshot, `${name}.yaml`), 'utf8'))
      .join('');
  }

  /** As one line, since lines are broken wherever they are full. */
  const lineOf = (text: string): string => text.replaceAll(/\s+/g, ' ');

  for (const words of WRITING.filter(([name]) => name !== 'gc')) {
    it(`warn that there is no undo file, however quiet: ${words[0]}`, async () => {
      const { folder, snapshot, before } = await ground();
      // Nothing can be made below a file.
      const env = { IPAMCTL_NOW: NOW, HOME: folder, XDG_STATE_HOME: join(folder, 'file') };
      const args = ['ipam', ...words, '--snapshot', snapshot, '--quiet', '--format', 'json'];
      const { status, stdout, stderr } = await runCli(args, { env });
      expect(status, stderr).to.equal(0);
      expect(contentOf(snapshot)).to.not.equal(before);
      expect(stderr).to.match(/^Warning: there will be no undo file: /);
      const { notes, undoFile } = parseJson(stdout) as JsonObject;
      expect(stringifyJson(notes)).to.include('There is no undo file').and.include('is no folder');
      expect(undoFile).to.equal(undefined);
    });
  }

  async function intoFullDisk(
    words: readonly string[],
    more: string,
  ): Promise<RunResult & { folder: string; snapshot: string; before: string }> {
    const here = await ground();
    const { folder, snapshot } = here;
    const env = { IPAMCTL_NOW: NOW, HOME: folder, XDG_STATE_HOME: join(folder, 'state') };
    const command = `ipamctl ipam ${words.join(' ')} --snapshot '${snapshot}' ${more} > /dev/full`;
    return { ...here, ...(await runShell(command, env)) };
  }

  for (const words of WRITING)
    for (const more of ['', '--quiet', '--format json'])
      it(`say what was done where the result cannot be printed: ${words[0]} ${more}`, async function () {
        if (!existsSync('/dev/full')) this.skip();
        const { status, stderr, snapshot, before } = await intoFullDisk(words, more);
        expect(status, stderr).to.equal(2);
        expect(contentOf(snapshot)).to.not.equal(before);
        expect(lineOf(stderr)).to.match(
          /the output cannot be written: no space is left; (?:1 change was|\d+ changes were) made all the same/,
        );
        const [undo] = /\/\S+\.jsonl/.exec(stderr) ?? [];
        if (words[0] === 'gc') expect(undo).to.equal(undefined);
        else expect(readFileSync(undo ?? '', 'utf8')).to.include('"applied"');
      });
});

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { WritableDatastore } from '../../src/datastore/datastore.ts';
import { objectsOf, realGround, type SplitGround } from '../contract/split-ground.ts';
import { runCli } from '../support/run-cli.ts';
import { aClusterObject, aPoolObject, GROUPS, userMetadata } from '../support/split-world.ts';

const BIN = fileURLToPath(new URL('../../bin/run.js', import.meta.url));
const POLL_MS = 2;

/** Writes of an uninterrupted split into eight, and one more. */
const KILLS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

for (const group of GROUPS) {
  describe(`e2e/split killed between writes, ${group.version}`, function () {
    this.timeout(180_000);

    let ground: SplitGround;
    let datastore: WritableDatastore;
    const folder = mkdtempSync(join(tmpdir(), 'ipamctl-killed-'));

    before(async function () {
      ground = await realGround(this, group);
      await reset();
      datastore = await ground.open();
    });
    after(() => rmSync(folder, { recursive: true, force: true }));

    const reset = (): Promise<void> =>
      ground.reset([aClusterObject(), aPoolObject({}, userMetadata(group))]);

    function args(undoFile: string, ...more: readonly string[]): string[] {
      const split = ['ipam', 'split', '8', '--name', 'main', '--kubeconfig', ground.kubeconfig];
      return [...split, '--undo-file', join(folder, undoFile), ...more];
    }

    it('ends as the uninterrupted run, forwards and back', async () => {
      const before = await objectsOf(datastore, 'IPPool');
      const { status, stderr } = await runCli(args('whole'));
      expect(status, stderr).to.equal(0);
      const whole = await objectsOf(datastore, 'IPPool');
      for (const writes of KILLS) {
        await reset();
        await runAndKill(args(`killed-${writes}`), join(folder, `killed-${writes}`), writes);
        const isBack = writes % 2 === 1;
        const more = isBack ? ['--undo', '--yes'] : [];
        const resumed = await runCli(args(`resumed-${writes}`, ...more));
        expect(resumed.status, `${writes}: ${resumed.stderr}`).to.equal(0);
        const expected = isBack ? before : whole;
        expect(await objectsOf(datastore, 'IPPool'), `after ${writes}`).to.deep.equal(expected);
      }
      await datastore.close();
    });
  });
}

/** Runs the program and ends it by SIGKILL once its undo file tells of so many writes. */
async function runAndKill(
  args: readonly string[],
  undoFile: string,
  writes: number,
): Promise<void> {
  const child = spawn(process.execPath, [BIN, ...args], { stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
  // The header is a line, and each write has two.
  while (isRunning() && linesOf(undoFile) < 1 + 2 * writes) await delay(POLL_MS);
  child.kill('SIGKILL');
  await ended;
}

function linesOf(path: string): number {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').length - 1 : 0;
}

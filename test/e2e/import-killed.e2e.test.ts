import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { WritableDatastore } from '../../src/datastore/datastore.ts';
import type { JsonValue } from '../../src/ipam/model/resource.ts';
import { SeededRandom } from '../hammer/random.ts';
import { fakeImportGround, importedObjects } from '../support/import-ground.ts';
import { fileText } from '../support/migration-text.ts';
import { runCli } from '../support/run-cli.ts';
import { GROUPS } from '../support/split-world.ts';

const BIN = fileURLToPath(new URL('../../bin/run.js', import.meta.url));

/** Points for both groups together; CRASH_POINTS=50 for more. */
const POINTS = Math.max(2, Number(process.env['CRASH_POINTS'] ?? 10));
const SEED = Number(process.env['CRASH_SEED'] ?? 1);

const WRITES: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const isWrite = ({ method, path }: { method: string; path: string }): boolean =>
  WRITES.has(method) && !path.includes('accessreviews');

for (const group of GROUPS) {
  describe(`e2e/import killed by SIGKILL, ${group.version}`, function () {
    this.timeout(60_000 + POINTS * 20_000);

    const random = new SeededRandom(SEED);
    let ground: Awaited<ReturnType<typeof fakeImportGround>>;
    let datastore: WritableDatastore;
    let folder: string;
    let whole: Record<string, JsonValue>;
    let writes: number;

    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'ipamctl-import-killed-'));
      writeFileSync(join(folder, 'etcd.calico'), fileText());
      ground = await fakeImportGround(group);
      await ground.reset();
      datastore = await ground.open();
    });
    after(async () => {
      await datastore.close();
      await ground.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    const args = (...more: readonly string[]): string[] => [
      ...['datastore', 'migrate', 'import', '-f', join(folder, 'etcd.calico')],
      ...['--kubeconfig', ground.kubeconfig, '--concurrency', '4', ...more],
    ];
    const env = (state: string): Record<string, string> => ({
      XDG_STATE_HOME: join(folder, state),
      // The lock says when it was set.
      IPAMCTL_NOW: '2026-11-29T12:00:00Z',
    });

    it('ends as the uninterrupted run when it is run again, and is taken back by its journal', async () => {
      const { status, stderr } = await runCli(args(), { env: env('whole') });
      expect(status, stderr).to.equal(0);
      whole = await importedObjects(datastore);
      writes = ground.server.requests.filter(isWrite).length;
      expect(writes).to.be.greaterThan(15);

      for (let nth = 0; nth < Math.ceil(POINTS / GROUPS.length); nth++) {
        await ground.reset();
        const point = 1 + random.below(writes);
        const state = `killed-${nth}`;
        await runAndKill(point, state);
        const resume = nth % 2 === 0 ? ['--resume'] : [];
        const resumed = await runCli(args(...resume), { env: env(state) });
        expect(resumed.status, `point ${point}: ${resumed.stderr}`).to.equal(0);
        expect(await importedObjects(datastore), `point ${point}`).to.deep.equal(whole);
        await verifyTakenBack(state, point);
      }
    });

    /** Runs the program and ends it when the server has got so many writes, some of them unanswered. */
    async function runAndKill(point: number, state: string): Promise<void> {
      const seen = ground.server.requests.filter(isWrite).length;
      const child: ChildProcess = spawn(process.execPath, [BIN, ...args()], {
        stdio: 'ignore',
        env: { ...process.env, ...env(state) },
      });
      const ended = new Promise((resolve) => child.once('exit', resolve));
      ground.server.onRequest = () => {
        if (ground.server.requests.filter(isWrite).length - seen >= point) child.kill('SIGKILL');
      };
      await ended;
      ground.server.onRequest = () => undefined;
      expect(child.signalCode, `point ${point} of ${writes}`).to.equal('SIGKILL');
    }

    async function verifyTakenBack(state: string, point: number): Promise<void> {
      // The lock of a run that was killed lies there until somebody asks for it.
      const names = readdirSync(join(folder, state, 'ipamctl', 'import'));
      const journals = names.filter((name) => !/^\..*\.lock$/.test(name));
      expect(journals, `journal at point ${point}`).to.have.length(1);
      const journal = join(folder, state, 'ipamctl', 'import', journals[0] ?? '');
      const restore = ['ipam', 'restore', journal, '--yes', '--kubeconfig', ground.kubeconfig];
      const { status, stderr } = await runCli(restore, { env: env(state) });
      expect(status, `point ${point}: ${stderr}`).to.equal(0);
      const left = Object.keys(await importedObjects(datastore));
      expect(left, `point ${point}`).to.deep.equal(['Node node-a', 'Node node-b']);
    }
  });
}

import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { WritableDatastore } from '../../src/datastore/datastore.ts';
import { type JsonObject, parseJson } from '../../src/support/json.ts';
import { realGround, type SplitGround } from '../contract/split-ground.ts';
import { FIXTURES, inputOf } from '../support/fixture.ts';
import { aCluster, claimsOf, nodeRows, renameWorld } from '../support/rename-world.ts';
import { runCli } from '../support/run-cli.ts';
import { GROUPS, withoutServerTexts } from '../support/split-world.ts';

const BIN = fileURLToPath(new URL('../../bin/run.js', import.meta.url));
const POLL_MS = 2;
const RENAME = ['datastore', 'migrate', 'rename-node'];

describe('e2e/rename-node', function () {
  this.timeout(120_000);

  let folder = '';
  let snapshot = '';

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ipamctl-rename-'));
    cpSync(join(FIXTURES, 'node-renamed'), folder, { recursive: true });
    snapshot = inputOf(folder) ?? '';
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function run(
    args: readonly string[],
    { stdin, format = 'json' }: { readonly stdin?: string; readonly format?: string } = {},
  ): ReturnType<typeof runCli> {
    const env = {
      IPAMCTL_NOW: '2026-11-29T12:00:00Z',
      HOME: folder,
      XDG_STATE_HOME: join(folder, 'state'),
      NO_COLOR: '1',
    };
    return runCli([...args, '--snapshot', snapshot, '--format', format], {
      env,
      ...(stdin === undefined ? {} : { stdin }),
    });
  }

  const content = (): string => readFileSync(snapshot, 'utf8');

  it('asks on a terminal, so it needs --yes without one, and shows the counts in a dry run', async () => {
    const before = content();
    const unasked = await run([...RENAME, 'alder', 'alder.example']);
    expect(unasked.status, unasked.stderr).to.equal(2);
    const { status, stdout } = await run([...RENAME, 'alder', 'alder.example', '--dry-run']);
    expect(status).to.equal(0);
    const plan = parseJson(stdout) as JsonObject;
    expect(plan['totals']).to.deep.equal({ planned: 3, already: 0, skipped: 0 });
    expect((plan['items'] as JsonObject[]).map(({ action }) => action)).to.deep.equal([
      'rename-block',
      'rename-affinity',
      'rename-handle',
    ]);
    expect((plan['notes'] as string[]).join(' ')).to.contain(
      '1 block (1 by owner), 1 affinity row, 1 tunnel handle, 2 node attributes',
    );
    expect(content()).to.equal(before);
    expect(existsSync(join(folder, 'state'))).to.equal(false);
  });

  it('renames, is then already done byte for byte, and goes back by its undo file', async () => {
    const codesBefore = await codes();
    const undo = join(folder, 'undo.jsonl');
    const first = await run([...RENAME, 'alder', 'alder.example', '--yes', '--undo-file', undo]);
    expect(first.status, first.stderr).to.equal(0);
    expect(content()).to.not.match(/alder(?!\.example)/);
    expect(content()).to.not.contain('ipamctl.projectcalico.org');
    expect(await codes()).to.deep.equal({ 'leaked-address': 1 });
    const after = content();
    const again = await run([...RENAME, 'alder', 'alder.example', '--yes']);
    expect(again.status, again.stderr).to.equal(0);
    expect(content()).to.equal(after);
    const restored = await run(['ipam', 'restore', undo, '--yes']);
    expect(restored.status, restored.stderr).to.equal(0);
    expect(await codes()).to.deep.equal(codesBefore);
  });

  async function codes(): Promise<unknown> {
    const { stdout } = await run(['ipam', 'check']);
    return ((parseJson(stdout) as JsonObject)['summary'] as JsonObject)['byCode'];
  }

  it('takes a map as YAML, as JSON and from standard input', async () => {
    const file = join(folder, 'map');
    for (const text of [
      'alder: alder.example\nbirch: beech\n',
      '{"alder": "alder.example", "birch": "beech"}',
    ]) {
      writeFileSync(file, text);
      const { status, stdout, stderr } = await run([...RENAME, '--map', file, '--dry-run']);
      expect(status, stderr).to.equal(0);
      expect((parseJson(stdout) as JsonObject)['totals']).to.deep.equal({
        planned: 3,
        already: 0,
        skipped: 1,
      });
    }
    const piped = await run([...RENAME, '--map=-', '--dry-run'], { stdin: 'alder: alder.example' });
    expect(piped.status, piped.stderr).to.equal(0);
  });

  it('ends with the status that the fault has', async () => {
    const file = join(folder, 'map');
    const cases: readonly (readonly [number, readonly string[], string?])[] = [
      [2, ['alder']],
      [2, ['alder', 'Alder_', '--yes']],
      [2, ['alder', 'elm', '--map', file], 'a: b'],
      [2, ['--map', file], 'a: b\na: c'],
      [9, ['--map', join(folder, 'absent')]],
      [4, ['oak', 'ash', '--yes']],
      [6, ['--map', file, '--yes'], 'alder: x\nx: alder'],
      [0, ['oak', 'alder.example', '--yes']],
    ];
    const before = content();
    for (const [status, args, text] of cases) {
      writeFileSync(file, text ?? '');
      const format = args.includes('--yes') ? 'text' : 'json';
      const end = await run([...RENAME, ...args], { format });
      expect(end.status, `${args.join(' ')} <${text ?? ''}>: ${end.stderr}`).to.equal(status);
    }
    expect(content()).to.equal(before);
    expect((await run([...RENAME, 'alder', 'alder.example', '--yes'])).status).to.equal(0);
    const node = await run([...RENAME, 'alder.example', 'elm', '--yes']);
    expect(node.status).to.equal(6);
    expect(node.stderr).to.contain('still is a node');
  });
});

for (const group of GROUPS) {
  describe(`e2e/rename-node killed between writes, ${group.version}`, function () {
    this.timeout(180_000);

    let ground: SplitGround;
    let datastore: WritableDatastore;
    const folder = mkdtempSync(join(tmpdir(), 'ipamctl-killed-'));

    before(async function () {
      ground = await realGround(this, group);
      await reset();
      datastore = await ground.open();
    });
    after(async () => {
      await datastore.close();
      rmSync(folder, { recursive: true, force: true });
    });

    async function reset(): Promise<void> {
      const rows = [aCluster(true), ...nodeRows('alder', 1, 'birch'), ...nodeRows('birch', 2)];
      const world = await renameWorld(group.flavor, rows);
      await ground.reset(
        world.storedObjects().map(({ value }) => withoutServerTexts(value as JsonObject)),
      );
    }

    it('ends as the uninterrupted run, and goes back to the first state', async () => {
      const map = join(folder, 'map.json');
      writeFileSync(map, '{"alder": "birch", "birch": "alder"}');
      const args = (undo: string) => [
        ...[...RENAME, '--map', map, '--yes', '--kubeconfig', ground.kubeconfig],
        ...['--undo-file', join(folder, undo)],
      ];
      const before = await claimsOf(datastore);
      const { status, stderr } = await runCli(args('whole'));
      expect(status, stderr).to.equal(0);
      const whole = await claimsOf(datastore);
      const lines = linesOf(join(folder, 'whole'));
      for (let at = 0; at < lines; at += 47) {
        await reset();
        await runAndKill(args(`killed-${at}`), join(folder, `killed-${at}`), at);
        // The same file is gone on with: what it holds in the end takes back both runs.
        const resumed = await runCli(args(`killed-${at}`));
        expect(resumed.status, `${at}: ${resumed.stderr}`).to.equal(0);
        expect(await claimsOf(datastore), `after ${at}`).to.deep.equal(whole);
        const back = await runCli([
          'ipam',
          'restore',
          join(folder, `killed-${at}`),
          '--yes',
          '--kubeconfig',
          ground.kubeconfig,
        ]);
        expect(back.status, `${at}: ${back.stderr}`).to.equal(0);
        expect(await claimsOf(datastore), `back after ${at}`).to.deep.equal(before);
      }
    });
  });
}

/** Runs the program and ends it by SIGKILL once its undo file has so many lines. */
async function runAndKill(args: readonly string[], undoFile: string, lines: number): Promise<void> {
  const child = spawn(process.execPath, [BIN, ...args], { stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
  while (isRunning() && linesOf(undoFile) < lines) await delay(POLL_MS);
  child.kill('SIGKILL');
  await ended;
}

function linesOf(path: string): number {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').length - 1 : 0;
}

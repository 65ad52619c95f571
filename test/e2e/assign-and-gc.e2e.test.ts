import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { type JsonObject, parseJson } from '../../src/support/json.ts';
import { FIXTURES } from '../support/fixture.ts';
import { runCli } from '../support/run-cli.ts';

const BIN = fileURLToPath(new URL('../../bin/run.js', import.meta.url));

const NOON = '2026-11-29T12:00:00Z';
const LATER = '2026-11-29T12:16:00Z';

interface Item {
  readonly result: string;
  readonly action: string;
  readonly subject: { readonly name: string; readonly handle?: string };
}

function itemsIn(stdout: string): readonly Item[] {
  return (parseJson(stdout) as JsonObject)['items'] as unknown as readonly Item[];
}

describe('e2e/assign and gc', function () {
  this.timeout(60_000);

  let folder = '';
  let snapshot = '';

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ipamctl-e2e-'));
    snapshot = join(folder, 'cluster.yaml');
    cpSync(join(FIXTURES, 'long-gone-pods-fill-a-block', 'cluster.yaml'), snapshot);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function run(args: readonly string[], now = NOON): ReturnType<typeof runCli> {
    const env = { IPAMCTL_NOW: now, HOME: folder, XDG_STATE_HOME: join(folder, 'state') };
    return runCli(['ipam', ...args, '--snapshot', snapshot, '--format', 'json'], { env });
  }

  function content(): string {
    return readFileSync(snapshot, 'utf8');
  }

  function unlock(): void {
    writeFileSync(snapshot, content().replace('datastoreReady: false', 'datastoreReady: true'));
  }

  describe('ipam assign', () => {
    it('makes a handle, prints it, and finds the address again under it', async () => {
      const first = await run(['assign', '--node', 'alder']);
      expect(first.status, first.stderr).to.equal(0);
      const [item] = itemsIn(first.stdout);
      expect(item?.subject.handle).to.match(/^ipamctl-[0-9a-f]{16}$/);
      expect(content()).to.contain(item?.subject.handle);
      expect(existsSync(join(folder, 'state'))).to.equal(false);
      const { name = '', handle = '' } = item?.subject ?? {};
      const again = await run(['assign', '--node', 'alder', '--ip', name, '--handle', handle]);
      expect([again.status, itemsIn(again.stdout)[0]?.result]).to.deep.equal([0, 'already']);
      const other = await run(['assign', '--node', 'alder', '--ip', name, '--handle', 'other']);
      expect(other.status, other.stderr).to.equal(6);
      expect(parseJson(other.stderr)).to.include({ kind: 'IPAMError', status: 6 });
    });

    it('is taken back by a release of its handle', async () => {
      const before = await run(['check']);
      await run(['assign', '--node', 'alder', '--count', '2', '--handle', 'mine', '--attr', 'a=b']);
      const released = await run(['release', '--handle', 'mine', '--force', '--yes']);
      expect(released.status, released.stderr).to.equal(0);
      const byCode = (text: string) =>
        ((parseJson(text) as JsonObject)['summary'] as JsonObject)['byCode'];
      expect(byCode((await run(['check'])).stdout)).to.deep.equal(byCode(before.stdout));
    });

    it('ends with 3 when it gets fewer than asked for', async () => {
      const { status, stdout } = await run(['assign', '--node', 'alder', '--count', '5000']);
      expect(status).to.equal(3);
      const results = new Set(itemsIn(stdout).map(({ result }) => result));
      expect([...results]).to.deep.equal(['applied', 'failed']);
    });

    it('prints a plan under --dry-run and writes nothing', async () => {
      const before = content();
      const { status, stdout } = await run([
        'assign',
        '--node',
        'alder',
        '--count',
        '2',
        '--dry-run',
      ]);
      expect(status).to.equal(0);
      expect(parseJson(stdout)).to.include({ kind: 'IPAMPlan', command: 'ipam assign' });
      expect(content()).to.equal(before);
    });

    const misuses: readonly (readonly [string, readonly string[], number])[] = [
      ['no node', [], 2],
      ['a node that does not exist', ['--node', 'nobody'], 4],
      ['--ip and --count', ['--node', 'alder', '--ip', '198.18.0.15', '--count', '2'], 2],
      ['an address of no pool', ['--node', 'alder', '--ip', '203.0.113.9'], 4],
      ['an unknown use', ['--node', 'alder', '--use', 'Else'], 2],
      ['no address at all', ['--node', 'alder', '--count', '0'], 2],
    ];
    for (const [title, args, status] of misuses) {
      it(`ends with ${status} for ${title}`, async () => {
        const end = await run(['assign', ...args]);
        expect(end.status, end.stderr).to.equal(status);
      });
    }
  });

  describe('ipam gc', () => {
    it('does nothing on a locked datastore, and says so', async () => {
      const before = content();
      const { status, stdout } = await run(['gc', '--once']);
      expect(status).to.equal(0);
      expect(stdout).to.contain('locked');
      expect(content()).to.equal(before);
    });

    it('releases what was leaked for the grace period, run by run with a state file', async () => {
      unlock();
      const before = content();
      const state = join(folder, 'gc.json');
      const metrics = join(folder, 'ipam.prom');
      const args = ['gc', '--once', '--state-file', state, '--metrics-file', metrics];
      const first = await run(args);
      expect(first.status, first.stderr).to.equal(0);
      expect(new Set(itemsIn(first.stdout).map(({ result }) => result))).to.deep.equal(
        new Set(['skipped']),
      );
      expect(content()).to.equal(before);
      const saved = readFileSync(state, 'utf8');
      expect(parseJson(saved)).to.include({ clusterGUID: '5d0c3c1e8f0b4b6fa9e2d7c6b5a49382' });
      expect(saved).to.match(/"sequenceNumber": \d{19}/);
      const second = await run(args, LATER);
      expect(second.status, second.stderr).to.equal(0);
      expect(itemsIn(second.stdout).filter(({ result }) => result === 'applied')).to.have.length(
        14,
      );
      expect(readFileSync(metrics, 'utf8')).to.match(
        /^ipam_allocations_gc_reclamations\{.*\} 14$/m,
      );
      expect(existsSync(join(folder, 'state'))).to.equal(false);
      const third = await run(args, LATER);
      expect(itemsIn(third.stdout)).to.deep.equal([]);
    });

    it('writes an undo file when one is named', async () => {
      unlock();
      const undo = join(folder, 'undo.jsonl');
      const { status, stderr } = await run(['gc', '--once', '--undo-file', undo]);
      expect(status, stderr).to.equal(0);
      expect((await run(['check'])).status).to.equal(0);
      const restored = await run(['restore', undo, '--yes']);
      expect(restored.status, restored.stderr).to.equal(0);
      expect((await run(['check'])).status).to.equal(1);
    });

    it('prints a plan under --dry-run and writes nothing', async () => {
      unlock();
      const before = content();
      const state = join(folder, 'gc.json');
      const { status, stdout } = await run(['gc', '--once', '--dry-run', '--state-file', state]);
      expect(status).to.equal(0);
      expect(parseJson(stdout)).to.include({ kind: 'IPAMPlan', command: 'ipam gc' });
      expect([content(), existsSync(state)]).to.deep.equal([before, false]);
    });

    it('runs round after round, serves metrics, and ends at a signal', async () => {
      const args = [
        'ipam',
        'gc',
        '--interval',
        '1s',
        '--metrics-listen',
        '0',
        '--snapshot',
        snapshot,
      ];
      const child = spawn(process.execPath, [BIN, ...args], { env: process.env });
      let stderr = '';
      let stdout = '';
      child.stdout.on('data', (data: Buffer) => (stdout += data.toString()));
      const url = await new Promise<string>((resolve) => {
        child.stderr.on('data', (data: Buffer) => {
          stderr += data.toString();
          const found = /Metrics: (\S+)/.exec(stderr)?.[1];
          if (found !== undefined) resolve(found);
        });
      });
      expect((await fetch(url)).status).to.equal(200);
      while (!stdout.includes('locked')) await new Promise((resolve) => setTimeout(resolve, 50));
      child.kill('SIGTERM');
      const status = await new Promise((resolve) => child.on('close', resolve));
      expect(status).to.equal(143);
    });

    const misuses: readonly (readonly [string, readonly string[], number])[] = [
      ['neither --once nor --interval', [], 2],
      ['both', ['--once', '--interval', '5m'], 2],
      ['an interval of nothing', ['--interval', '0'], 2],
      ['an undo file of many rounds', ['--interval', '5m', '--undo-file', 'x'], 2],
      ['metrics for everybody', ['--once', '--metrics-listen', '0.0.0.0:0'], 2],
      ['a state file in no folder', ['--once', '--state-file', '/absent/gc.json'], 2],
      ['a state file that is none', ['--once', '--state-file', join(FIXTURES, 'README.md')], 9],
    ];
    for (const [title, args, status] of misuses) {
      it(`ends with ${status} for ${title}`, async () => {
        const end = await run(['gc', ...args]);
        expect(end.status, end.stderr).to.equal(status);
      });
    }
  });
});

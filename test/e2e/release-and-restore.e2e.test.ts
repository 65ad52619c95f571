import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type JsonObject, parseJson } from '../../src/support/json.ts';
import { FIXTURES } from '../support/fixture.ts';
import { runCli } from '../support/run-cli.ts';

describe('e2e/release, repair and restore', function () {
  this.timeout(60_000);

  let folder = '';
  let snapshot = '';

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ipamctl-e2e-'));
    cpSync(join(FIXTURES, 'several-faults-at-once'), folder, { recursive: true });
    snapshot = join(folder, 'cluster');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function run(...args: readonly string[]): ReturnType<typeof runCli> {
    const env = {
      IPAMCTL_NOW: '2026-11-29T12:00:00Z',
      HOME: folder,
      XDG_STATE_HOME: join(folder, 'state'),
    };
    return runCli(['ipam', ...args, '--format', 'json'], { env });
  }

  function content(): string {
    return readdirSync(snapshot)
      .map((name) => readFileSync(join(snapshot, name), 'utf8'))
      .join('\n');
  }

  it('needs --yes without a terminal, and says so before anything is written', async () => {
    const before = content();
    for (const args of [
      ['release', '--leaked'],
      ['repair', '--only', 'orphan-handle'],
    ]) {
      const { status, stderr } = await run(...args, '--snapshot', snapshot);
      expect(status, stderr).to.equal(2);
      expect(stderr).to.contain('--yes');
    }
    expect(content()).to.equal(before);
    expect(existsSync(join(folder, 'state'))).to.equal(false);
  });

  it('releases, records it, and restores the check as it was', async () => {
    const undo = join(folder, 'undo.jsonl');
    const check = async (): Promise<unknown> =>
      (
        (parseJson((await run('check', '--snapshot', snapshot)).stdout) as JsonObject)[
          'summary'
        ] as JsonObject
      )['byCode'];
    const before = await check();
    const released = await run(
      'release',
      '--leaked',
      '--yes',
      '--snapshot',
      snapshot,
      '--undo-file',
      undo,
    );
    expect(released.status, released.stderr).to.equal(0);
    const outcome = parseJson(released.stdout) as JsonObject;
    expect(outcome).to.include({ kind: 'IPAMOutcome', schemaVersion: 1, undoFile: undo });
    expect(outcome['totals']).to.deep.include({ applied: 2 });
    expect(statSync(undo).mode & 0o777).to.equal(0o600);
    expect(parseJson(readFileSync(undo, 'utf8').split('\n')[0] ?? '')).to.include({
      kind: 'IPAMUndo',
      command: 'ipam release',
    });
    expect(await check()).to.not.deep.equal(before);
    const restored = await run('restore', undo, '--yes', '--snapshot', snapshot);
    expect(restored.status, restored.stderr).to.equal(0);
    expect(await check()).to.deep.equal(before);
    expect(readdirSync(join(folder, 'state', 'ipamctl', 'undo'))).to.have.length(1);
  });

  it('prints a plan under --dry-run and writes nothing', async () => {
    const before = content();
    const { status, stdout } = await run(
      'release',
      '--leaked',
      '--dry-run',
      '--snapshot',
      snapshot,
    );
    expect(status).to.equal(0);
    expect(parseJson(stdout)).to.include({ kind: 'IPAMPlan' });
    expect(content()).to.equal(before);
  });

  it('counts a long plan and shows its first rows, and all of them under --verbose', async () => {
    const many = join(FIXTURES, 'many-removed-nodes', 'cluster.yaml.gz');
    const args = ['release', '--leaked', '--dry-run', '--snapshot', many];
    const rowsOf = (text: string): number => text.match(/^\| release-address/gm)?.length ?? 0;
    const { stdout } = await runCli(args);
    expect(rowsOf(stdout)).to.equal(10);
    expect(stdout).to.contain('\n  150  release-address: its node does not exist\n');
    expect(stdout).to.contain('... and 140 more; --verbose lists all\n');
    expect(rowsOf((await runCli([...args, '--verbose'])).stdout)).to.equal(150);
    const document = parseJson((await runCli([...args, '--format', 'json'])).stdout) as JsonObject;
    expect(document['items']).to.have.length(150);
  });

  it('prints the document on stdout and the error on stderr when it refuses', async () => {
    const live = join(FIXTURES, 'wrong-use-of-commands', 'cluster.yaml');
    const { status, stdout, stderr } = await run(
      'release',
      '--ip',
      '198.18.0.1',
      '--snapshot',
      live,
    );
    expect(status).to.equal(6);
    expect((parseJson(stdout) as JsonObject)['items']).to.have.length(1);
    expect(parseJson(stderr)).to.include({ kind: 'IPAMError', status: 6 });
  });

  it('refuses an undo file that cannot be written, or is of something else', async () => {
    const before = content();
    const absent = await run(
      'release',
      '--leaked',
      '--yes',
      '--snapshot',
      snapshot,
      '--undo-file',
      join(folder, 'absent', 'undo'),
    );
    expect(absent.status).to.equal(2);
    const other = await run(
      'release',
      '--leaked',
      '--yes',
      '--snapshot',
      snapshot,
      '--undo-file',
      join(folder, 'expect.json'),
    );
    expect(other.status, other.stderr).to.equal(2);
    expect(content()).to.equal(before);
  });

  const misuses: readonly (readonly [string, readonly string[], number])[] = [
    ['no selector', ['release'], 2],
    ['two selectors', ['release', '--leaked', '--handle', 'x'], 2],
    ['--block without --ip', ['release', '--leaked', '--block', '198.18.0.0/26'], 2],
    ['a pod without namespace', ['release', '--pod', 'cart-0'], 2],
    ['a report that is absent', ['release', '--from-report', '/absent/report.json'], 9],
    ['a code that is not repaired', ['repair', '--only', 'leaked-address'], 2],
    ['an undo file that is none', ['restore', join(FIXTURES, 'README.md')], 9],
    ['a handle that does not exist', ['release', '--handle', 'nobody', '--yes'], 4],
  ];
  for (const [title, args, status] of misuses) {
    it(`ends with ${status} for ${title}`, async () => {
      const end = await run(...args, '--snapshot', snapshot);
      expect(end.status, end.stderr).to.equal(status);
    });
  }
});

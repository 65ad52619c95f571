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
import { FIXTURES, inputOf } from '../support/fixture.ts';
import { runCli } from '../support/run-cli.ts';

describe('e2e/split, configure, lock and unlock', function () {
  this.timeout(60_000);

  let folder = '';
  let snapshot = '';

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function copy(fixture: string): void {
    folder = mkdtempSync(join(tmpdir(), 'ipamctl-e2e-'));
    cpSync(join(FIXTURES, fixture), folder, { recursive: true });
    snapshot = inputOf(folder) ?? '';
  }

  function run(...args: readonly string[]): ReturnType<typeof runCli> {
    const env = {
      IPAMCTL_NOW: '2026-11-29T12:00:00Z',
      HOME: folder,
      XDG_STATE_HOME: join(folder, 'state'),
    };
    return runCli([...args, '--snapshot', snapshot, '--format', 'json'], { env });
  }

  function content(): string {
    const files = statSync(snapshot).isDirectory()
      ? readdirSync(snapshot).map((name) => join(snapshot, name))
      : [snapshot];
    return files.map((file) => readFileSync(file).toString('latin1')).join('\n');
  }

  async function poolNames(): Promise<readonly string[]> {
    const { stdout } = await run('ipam', 'show');
    const pools = (parseJson(stdout) as JsonObject)['pools'] as unknown as readonly {
      name: string;
    }[];
    return pools.map(({ name }) => name).sort();
  }

  it('splits without a question, is then already done, and goes back with --yes', async () => {
    copy('pool-to-split');
    const split = ['ipam', 'split', '4', '--name', 'main'];
    const first = await run(...split);
    expect(first.status, first.stderr).to.equal(0);
    expect((parseJson(first.stdout) as JsonObject)['totals']).to.include({ applied: 6 });
    expect(first.stderr).to.contain('Undo file');
    expect(await poolNames()).to.deep.equal([0, 1, 2, 3].map((index) => `split-main-${index}`));
    const after = content();
    const again = await run(...split);
    expect(again.status, again.stderr).to.equal(0);
    expect((await run('ipam', 'split', '2', '--name', 'main')).status).to.equal(6);
    const unasked = await run(...split, '--undo');
    expect(unasked.status, unasked.stderr).to.equal(2);
    expect(content()).to.equal(after);
    const undone = await run(...split, '--undo', '--yes');
    expect(undone.status, undone.stderr).to.equal(0);
    expect(await poolNames()).to.deep.equal(['main']);
    expect((await run('ipam', 'check')).status).to.equal(0);
  });

  it('makes pools at the time that IPAMCTL_NOW says', async () => {
    copy('pool-to-split');
    const { status, stderr } = await run('ipam', 'split', '4', '--name', 'main');
    expect(status, stderr).to.equal(0);
    const { items } = parseJson(readFileSync(snapshot, 'utf8')) as JsonObject;
    const parts = (items as JsonObject[])
      .map(({ metadata }) => metadata as JsonObject)
      .filter(({ name }) => typeof name === 'string' && name.startsWith('split-main-'));
    expect(parts.map(({ creationTimestamp }) => creationTimestamp)).to.deep.equal(
      Array.from({ length: 4 }, () => '2026-11-29T12:00:00Z'),
    );
  });

  it('shows the plan of a split and writes nothing', async () => {
    copy('pool-to-split');
    const before = content();
    const { status, stdout } = await run('ipam', 'split', '2', '--name=main', '--dry-run');
    expect(status).to.equal(0);
    expect(parseJson(stdout)).to.deep.include({ kind: 'IPAMPlan', command: 'ipam split' });
    expect(content()).to.equal(before);
    expect(existsSync(join(folder, 'state'))).to.equal(false);
  });

  it('refuses misuse before the datastore is opened', async () => {
    copy('pool-to-split');
    snapshot = join(folder, 'absent.yaml');
    for (const args of [
      ['ipam', 'split', '3', '--name=main'],
      ['ipam', 'split', '--name=main'],
      ['ipam', 'split', '4'],
      ['ipam', 'configure', '--max-blocks-per-host=-1'],
      ['ipam', 'configure'],
    ])
      expect((await run(...args)).status, args.join(' ')).to.equal(2);
  });

  it('locks, says so, and unlocks; a change of nothing leaves every byte', async () => {
    copy('pool-to-split-unlocked');
    const before = content();
    expect((await run('datastore', 'migrate', 'unlock')).status).to.equal(0);
    expect(content()).to.equal(before);
    const locked = await run('datastore', 'migrate', 'lock', '--reason', 'night shift');
    expect(locked.status, locked.stderr).to.equal(0);
    const during = content();
    const { status, stdout } = await run('datastore', 'migrate', 'status');
    expect(status).to.equal(0);
    const [side] = (parseJson(stdout) as JsonObject)['sides'] as JsonObject[];
    expect(side).to.include({ side: 'snapshot', locked: true });
    expect((side?.['lock'] as JsonObject)['reason']).to.equal('night shift');
    expect((await run('datastore', 'migrate', 'lock')).status).to.equal(0);
    expect(content()).to.equal(during);
    expect((await run('datastore', 'migrate', 'unlock')).status).to.equal(0);
    expect(content()).to.not.contain('night shift');
    expect(existsSync(join(folder, 'state'))).to.equal(false);
  });

  it('configures and restores from its undo file', async () => {
    copy('configuration-with-defaults');
    const undo = join(folder, 'undo.jsonl');
    const configured = await run('ipam', 'configure', '--strictaffinity=true', '--undo-file', undo);
    expect(configured.status, configured.stderr).to.equal(0);
    expect((await run('ipam', 'configure', '--strictaffinity=true')).status).to.equal(0);
    const restored = await run('ipam', 'restore', undo, '--yes');
    expect(restored.status, restored.stderr).to.equal(0);
    const shown = parseJson(
      (await run('ipam', 'show', '--show-configuration')).stdout,
    ) as JsonObject;
    expect(shown['configuration']).to.include({ strictAffinity: false });
    expect((await run('ipam', 'configure', '--reset')).status).to.equal(2);
    expect((await run('ipam', 'configure', '--reset', '--yes')).status).to.equal(0);
  });
});

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { type JsonObject, parseJson } from '../../src/support/json.ts';
import { FIXTURES } from '../support/fixture.ts';
import { runCli, type RunResult } from '../support/run-cli.ts';
import { temporaryFolders } from '../support/temp-folder.ts';

const TROUBLED = fileURLToPath(new URL('../../examples/troubled-cluster.yaml.gz', import.meta.url));

/** Runs at the same time; two cores are enough for them to meet. */
const RUNS = 4;

/** What several runs that were started at the same time have said, beside the addresses that they were to release. */
interface Race {
  readonly addresses: readonly string[];
  readonly runs: readonly RunResult[];
}

/** Locks and temporary files; the program keeps its cache in a hidden folder of the home. */
function hiddenIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => /(?:^|\/)\./.test(name) && !name.startsWith('.cache'));
}

describe('e2e/parallel-runs', function () {
  this.timeout(120_000);

  const folders = temporaryFolders();

  /** A folder with one snapshot, in a folder of it or as a single compressed file. */
  async function ground(form: 'file' | 'folder'): Promise<{ folder: string; snapshot: string }> {
    const folder = await folders({});
    const snapshot = join(folder, form === 'file' ? 'cluster.yaml.gz' : 'cluster');
    if (form === 'file') cpSync(TROUBLED, snapshot);
    else cpSync(join(FIXTURES, 'several-faults-at-once', 'cluster'), snapshot, { recursive: true });
    return { folder, snapshot };
  }

  function run(folder: string, ...args: readonly string[]): Promise<RunResult> {
    const env = {
      IPAMCTL_NOW: '2026-11-29T12:00:00Z',
      HOME: folder,
      XDG_STATE_HOME: join(folder, 'state'),
    };
    return runCli(['ipam', ...args, '--format', 'json'], { env });
  }

  async function leakedIn(folder: string, snapshot: string): Promise<string[]> {
    const { stdout } = await run(
      folder,
      'check',
      '--only',
      'leaked-address',
      '--snapshot',
      snapshot,
    );
    const { findings } = parseJson(stdout) as { findings: { subject: { address: string } }[] };
    return findings.map(({ subject }) => subject.address).sort();
  }

  function appliedBy({ stdout }: RunResult): number {
    if (stdout === '') return 0;
    return Number(((parseJson(stdout) as JsonObject)['totals'] as JsonObject)['applied']);
  }

  /** Releases one address each, all at once. */
  async function race(folder: string, snapshot: string, ...more: readonly string[]): Promise<Race> {
    const addresses = (await leakedIn(folder, snapshot)).slice(0, RUNS);
    const runs = await Promise.all(
      addresses.map((address) =>
        run(folder, 'release', '--ip', address, '--force', '--snapshot', snapshot, ...more),
      ),
    );
    return { addresses, runs };
  }

  for (const form of ['file', 'folder'] as const) {
    it(`lose no change that they call applied, on one ${form}`, async () => {
      for (let round = 0; round < 2; round++) {
        const { folder, snapshot } = await ground(form);
        const { addresses, runs } = await race(folder, snapshot);
        const left = await leakedIn(folder, snapshot);
        for (const [i, result] of runs.entries()) {
          const isApplied = appliedBy(result) === 1;
          expect(result.status, result.stderr).to.equal(isApplied ? 0 : 5);
          expect(left.includes(addresses[i] ?? ''), `${addresses[i]}: ${result.stderr}`).to.equal(
            !isApplied,
          );
        }
        expect(runs.some((result) => appliedBy(result) === 1)).to.equal(true);
        // Nothing but the snapshot is left beside it.
        expect(hiddenIn(folder)).to.deep.equal([]);
      }
    });
  }

  for (const isThere of [false, true]) {
    const which = isThere ? 'that is there' : 'that is new';
    it(`record what they applied, or apply nothing, with one undo file ${which}`, async () => {
      const { folder, snapshot } = await ground('file');
      const undo = join(folder, 'undo.jsonl');
      const leaked = await leakedIn(folder, snapshot);
      if (isThere) {
        const address = leaked.at(-1) ?? '';
        await run(folder, 'release', '--ip', address, '--snapshot', snapshot, '--undo-file', undo);
        expect(existsSync(undo)).to.equal(true);
      }
      const { runs } = await race(folder, snapshot, '--undo-file', undo);
      for (const result of runs) {
        if (appliedBy(result) === 0) expect(result.status, result.stderr).to.be.oneOf([2, 5]);
        else expect(result.status, result.stderr).to.equal(0);
      }
      expect(runs.some((result) => appliedBy(result) === 1)).to.equal(true);

      const back = await run(folder, 'restore', undo, '--yes', '--snapshot', snapshot);
      expect(back.status, back.stderr).to.equal(0);
      expect(await leakedIn(folder, snapshot)).to.deep.equal(leaked);
    });
  }

  it('go on after one that was killed while it held the snapshot and the undo file', async () => {
    const { folder, snapshot } = await ground('file');
    const [address = ''] = await leakedIn(folder, snapshot);
    const undo = join(folder, 'undo.jsonl');
    const { pid } = spawnSync(process.execPath, ['--version']);
    const holder = JSON.stringify({ host: hostname(), pid, token: 'gone' });
    writeFileSync(join(folder, '.cluster.yaml.gz.lock'), holder);
    writeFileSync(join(folder, '.undo.jsonl.lock'), holder);
    const args = ['--ip', address, '--snapshot', snapshot, '--undo-file', undo];
    const result = await run(folder, 'release', ...args);
    expect(result.status, result.stderr).to.equal(0);
    expect(readFileSync(undo, 'utf8')).to.include('"applied"');
    expect(hiddenIn(folder)).to.deep.equal([]);
  });
});
